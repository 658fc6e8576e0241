// run: --status 101

//! Memory that is not takt's is not mapped: a read of RAM behind the image, below 1 GiB, is a data abort.
#![no_std]
#![no_main]

use core::hint::black_box;

use takt::prelude::*;
use takt_tests::rest;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

fn culprit() -> ! {
    let address: *const u32 = core::ptr::without_provenance(black_box(0x3000_0000));
    // SAFETY: it is not mapped; the read is a fault, which is the fact.
    let word = unsafe { address.read_volatile() };
    black_box(word);
    rest()
}
