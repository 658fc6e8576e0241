// run:
// run: --append "idle=spin"

//! With the wiring, the system timer's channel 1 releases the tasks, on INTID 97: the boot says so, no other timer's
//! line is enabled, and a thousand releases come, none early and each within a bound.
#![no_std]
#![no_main]

use takt::board::TimeBase;
use takt::prelude::*;
use takt_tests::releases::{judge, release_1000};

takt::tasks! {
    sampler: Task::periodic(release_1000).priority(10).period(micros(100)),
    reporter: Task::background(reporter).priority(254),
}

fn reporter() -> ! {
    judge(TimeBase::SystemTimer)
}
