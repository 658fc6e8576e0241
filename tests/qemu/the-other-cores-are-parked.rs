// run: --cores 4
// run: --cores 1
// run: --cores 2

//! Cores 1 to 3 are sent to sleep at the start; one that does not answer is noted, and the start goes on.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Report, facts, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

fn reporter() -> ! {
    let mut report = Report::new();
    let facts = facts();
    for core in facts.other_cores.silent() {
        report!(report, "core {core} did not answer");
    }
    report!(report, "silent cores: {}", facts.other_cores.silent().count());
    report.end()
}
