// run: --no-wiring

//! Where a match of the system timer raises no interrupt, as in a QEMU that was started by hand, the boot notices and
//! the generic timer releases the tasks.
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
