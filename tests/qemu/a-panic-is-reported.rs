// run: --status 101

//! A panic ends the run with its place, its words and the task. What the console's ring still held comes before it.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Report, report, rest};

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
    reporter: Task::background(reporter).priority(254),
}

static DRY: Event = Event::new();

fn culprit() -> ! {
    DRY.wait();
    panic!("the pump is dry, level {}", 7);
}

fn reporter() -> ! {
    let mut report = Report::new();
    for line in 1..=20 {
        report!(report, "line {line} of 20, written before the panic");
    }
    DRY.set();
    rest()
}
