// run: --status 101
//! A guarded read asks whether a device is there. That takt has not mapped the address is another matter: a fault, which
//! says so, and not an absent device.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt::rpi4::guarded;
use takt_tests::rest;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

fn culprit() -> ! {
    // SAFETY: nothing is there, not even a mapping, which is the fact.
    let _ = unsafe { guarded::read(0x3000_0000) };
    rest()
}
