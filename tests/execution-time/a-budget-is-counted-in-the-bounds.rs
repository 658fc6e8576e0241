//! The looks at a job that has a budget are in the bounds of all tasks: beside an enforced budget they are kept.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use takt::prelude::*;
use takt::{Bound, TaskHandle};
use takt_execution_time::{execute_for_us, overruns};
use takt_tests::{Report, report};

takt::tasks! {
    urgent: Task::periodic(urgent).priority(5).period(millis(1)).wcet(micros(50)),
    guest: Task::periodic(guest).priority(10).period(millis(5)).wcet(micros(500)).budget(micros(600), OnBudgetOverrun::Demote),
    control: Task::periodic(control).priority(20).period(millis(10)).wcet(millis(1)),
    reporter: Task::background(reporter).priority(254),
}

static DONE: Event = Event::new();

fn urgent(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        execute_for_us(45);
    }
}

fn guest(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        execute_for_us(490);
    }
}

fn control(mut period: Periodic) -> ! {
    for _ in 0..20 {
        let _ = period.wait();
        execute_for_us(990);
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
    for name in ["urgent", "guest", "control"] {
        let bound = TaskHandle::named(name).and_then(TaskHandle::report).map(|task| task.bound());
        report!(report, "{name}: the bound is kept: {}", matches!(bound, Some(Bound::Kept(_))));
    }
    report!(report, "jobs of guest beyond its budget: {:?}", overruns("guest"));
    report.end()
}
