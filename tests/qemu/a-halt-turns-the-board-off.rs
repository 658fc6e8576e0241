//! A halt turns the board off, at which QEMU ends by itself. Where it did not, this run would last until its time limit.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

fn reporter() -> ! {
    let mut report = Report::new();
    report!(report, "off");
    report.flush();
    takt::board::halt()
}
