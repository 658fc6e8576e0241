//! What the compiler found about each task's response time stands in its report: a bound for those whose execution times
//! are declared and that nobody unknown keeps waiting, and the reason for the others.
#![no_std]
#![no_main]

use takt::Claim;
use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    control: Task::periodic(body).priority(10).period(micros(1_000)).wcet(micros(40)).locks(&LIMITS, micros(2)),
    tuner: Task::periodic(body).priority(20).period(millis(100)).wcet(micros(300)).locks(&LIMITS, micros(5)),
    unknown: Task::periodic(body).priority(30).period(millis(100)),
    below: Task::periodic(body).priority(40).period(millis(200)).wcet(micros(1)),
    reporter: Task::background(reporter).priority(254),
    can: Interrupt::kernel(145, handler).wcet(micros(10)).min_interarrival(micros(500)).edge_triggered(),
}

static LIMITS: Mutex<u32, 10> = Mutex::new(0);

fn body(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}

fn handler() {}

fn reporter() -> ! {
    let mut report = Report::new();
    report!(report, "{}", Claim::assumptions());
    for task in takt::task_reports() {
        match task.claim {
            // The bound moves with the kernel's budgets; a simpler sum does not exceed it.
            Claim::Bounded { response } => {
                let own_us = if task.name == "control" { 40 } else { 340 };
                report.is(
                    format_args!(
                        "task '{}' has a bound, of its own and others' at least, and of twice that at most",
                        task.name
                    ),
                    (micros(own_us)..micros(2 * own_us + 100)).contains(&response),
                );
            }
            claim => report!(report, "{}", claim.describe(task.name)),
        }
    }
    report.end()
}
