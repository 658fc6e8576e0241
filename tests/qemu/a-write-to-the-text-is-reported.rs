// run: --status 101

//! The code is read-only: a write to it is a data abort with its address.
#![no_std]
#![no_main]

use core::hint::black_box;

use takt::prelude::*;
use takt::rpi4::layout;
use takt_tests::rest;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

fn culprit() -> ! {
    let address: *mut u32 = core::ptr::with_exposed_provenance_mut(black_box(layout::text_start()));
    // SAFETY: it is read-only; the write is a fault, which is the fact.
    unsafe { address.write_volatile(0) };
    rest()
}
