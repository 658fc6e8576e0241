// run: --status 101

//! An interrupt that is enabled, but has no handler in the table, ends the run with its number.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt::rpi4::drivers::gic400::{CoreSet, Priority};
use takt::rpi4::{devices, map};
use takt_tests::rest;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

fn culprit() -> ! {
    let (distributor, line) = (devices::distributor(), map::UNUSED_INTID);
    let pended = distributor
        .set_priority(line, Priority::at::<8>())
        .and_then(|()| distributor.set_targets(line, CoreSet::only(0)))
        .and_then(|()| distributor.enable(line))
        .and_then(|()| distributor.set_pending(line));
    assert!(pended.is_ok(), "{pended:?}");
    rest()
}
