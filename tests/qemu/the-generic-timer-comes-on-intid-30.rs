// run: --append "timebase=generic"
// run: --append "idle=spin timebase=generic"

//! Where the boot line asks for it, the generic timer releases the tasks, on INTID 30, with the wiring in place.
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
    judge(TimeBase::GenericTimer)
}
