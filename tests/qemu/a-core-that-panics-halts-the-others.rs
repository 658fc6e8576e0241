//! Core 2 panics while the others work: all stop, and nothing is printed behind its sentence.
// run: --cores 4 --status 101
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    go: GO_FROM_AFAR.port(),
    worker: Task::periodic(worker).core(1).priority(10).period(millis(1)),
    unlucky: Task::background(unlucky).core(2).priority(10),
    reporter: Task::background(reporter).core(0).priority(254),
}

static GO: Event = Event::new();
static GO_FROM_AFAR: Remote<Event, 2> = Remote::to(&GO);

fn worker(mut period: Periodic) -> ! {
    loop {
        period.wait();
    }
}

fn unlucky() -> ! {
    GO.wait();
    panic!("the oil pressure is gone")
}

fn reporter() -> ! {
    let mut report = Report::new();
    report!(report, "before");
    report.flush();
    GO_FROM_AFAR.set();
    loop {
        takt::sleep_for(millis(10));
        report!(report, "behind");
    }
}
