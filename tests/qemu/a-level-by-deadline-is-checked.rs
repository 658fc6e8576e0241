//! Two tasks that ask for 93 % of the core: at one priority that runs the earliest deadline first the compiler finds that both
//! end in time, by what the level has to do until each deadline.
#![no_std]
#![no_main]

use takt::Claim;
use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    deadlines: Level::earliest_deadline_first(20),
    short: Task::periodic(body).priority(20).period(millis(5)).wcet(micros(1_800)),
    long: Task::periodic(body).priority(20).period(millis(7)).wcet(micros(4_000)),
    unknown: Task::periodic(body).priority(30).period(millis(100)),
    reporter: Task::background(reporter).priority(254),
}

fn body(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    report!(report, "{}", Claim::assumptions());
    for task in takt::task_reports() {
        report!(report, "{}", task.claim.describe(task.name));
    }
    report.end()
}
