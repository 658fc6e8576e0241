//! A buffer that is lent to a transfer is touched before the transfer has finished.
#![no_std]
#![no_main]

use takt::dma::{Buffer, Channel};
use takt::prelude::*;

takt::tasks! {
    copier: Task::background(copier).priority(20),
}

static FROM: Buffer<64> = Buffer::new();
static TO: Buffer<64> = Buffer::new();

fn copier() -> ! {
    if let (Ok(channel), Ok(from), Ok(to)) = (Channel::<5>::take(), FROM.take(), TO.take()) {
        let transfer = channel.copy(from, to, 64);
        let _ = to.first();
        drop(transfer);
    }
    loop {
        yield_turn();
    }
}
