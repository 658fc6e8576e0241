//! DMA channel 3 is the firmware's.
#![no_std]
#![no_main]

use takt::dma::Channel;
use takt::prelude::*;

takt::tasks! {
    copied: Interrupt::kernel(Channel::<3>::INTID, Channel::<3>::acknowledge),
    copier: Task::background(copier).priority(20),
}

fn copier() -> ! {
    loop {
        yield_turn();
    }
}
