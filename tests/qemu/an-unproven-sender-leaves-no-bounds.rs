//! A task without a WCET sends to another core, beyond its deadline as far as anybody knows: nothing is claimed of those that hear
//! of it.
// run: --cores 4
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    go: GO_FROM_AFAR.port(),
    judged: Task::periodic(judged).core(0).priority(10).period(millis(1)).wcet(micros(50)),
    sender: Task::periodic(sender).core(1).priority(10).period(millis(1)).remote_sends(1),
    reporter: Task::background(reporter).core(0).priority(254),
}

static GO: Event = Event::new();
static GO_FROM_AFAR: Remote<Event, 0> = Remote::to(&GO);

fn judged(mut period: Periodic) -> ! {
    loop {
        period.wait();
    }
}

fn sender(mut period: Periodic) -> ! {
    loop {
        period.wait();
        GO_FROM_AFAR.set();
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    GO.wait();
    for task in takt::task_reports() {
        report!(report, "{}", task.claim.describe(task.name));
    }
    report.end()
}
