// run: --status 101

//! Constants are read-only: a write to one is a data abort with its address.
#![no_std]
#![no_main]

use core::hint::black_box;

use takt::prelude::*;
use takt_tests::rest;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

/// Among the constants.
static CONSTANT: [u32; 4] = [1, 2, 3, 4];

fn culprit() -> ! {
    let address: *mut u32 = core::ptr::with_exposed_provenance_mut(black_box((&raw const CONSTANT).addr()));
    // SAFETY: it is read-only; the write is a fault, which is the fact.
    unsafe { address.write_volatile(0) };
    rest()
}
