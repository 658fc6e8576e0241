//! The table places a task on a core that does not answer: the start ends with a sentence that names both. A core that nothing is
//! placed on may be missing.
// run: --cores 2 --status 101
// run: --cores 3
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Report, facts, report};

takt::tasks! {
    reporter: Task::background(reporter).core(0).priority(254),
    motor: Task::background(takt_tests::rest).core(2).priority(10),
}

fn reporter() -> ! {
    let mut report = Report::new();
    for core in facts().other_cores.running() {
        report!(report, "core {core} runs");
    }
    for core in facts().other_cores.parked() {
        report!(report, "core {core} is parked");
    }
    for core in facts().other_cores.silent() {
        report!(report, "core {core} did not answer");
    }
    report.end()
}
