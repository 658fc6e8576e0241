// run: --icount 4 --cores 4
// run: --icount 0 --cores 1

//! A job that takes longer than its bound is a note in the report where time is not what a bound is for: in QEMU where several
//! cores share the counted time, or instructions take another time, as where it counts none at all.
#![no_std]
#![no_main]

use takt::Bound;
use takt::kernel::response::Observed;
use takt::prelude::*;
use takt_tests::{Report, busy_for_us, report};

takt::tasks! {
    liar: Task::periodic(liar).priority(10).period(millis(20)).wcet(micros(40)),
    reporter: Task::background(reporter).priority(254),
}

static DONE: Event = Event::new();

fn liar(mut period: Periodic) -> ! {
    for _ in 0..3 {
        let _ = period.wait();
        busy_for_us(2_000);
    }
    let _ = period.wait();
    DONE.set();
    loop {
        let _ = period.wait();
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    if let Some(assumptions) = takt::bound_assumptions() {
        report!(report, "{assumptions}");
    }
    for task in takt::task_reports().filter(|task| task.responses.is_some()) {
        let bound = task.bound();
        report.is("it was exceeded, and that is a note", matches!(bound, Bound::Exceeded(_, Observed::HostNoise)));
        report!(report, "task '{}': {}", task.name, bound);
    }
    report.end()
}
