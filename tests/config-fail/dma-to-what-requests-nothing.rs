//! A transfer to what is no device that requests words: it would wait for ever.
#![no_std]
#![no_main]

use takt::board::Pin;
use takt::dma::{Buffer, Channel};
use takt::prelude::*;

takt::tasks! {
    sender: Task::background(sender).priority(20),
}

static WORDS: Buffer<64> = Buffer::new();

fn sender() -> ! {
    if let (Ok(channel), Ok(words), Ok(pin)) = (Channel::<5>::take(), WORDS.take(), Pin::<17>::take()) {
        drop(channel.send(words, pin, 64));
    }
    loop {
        yield_turn();
    }
}
