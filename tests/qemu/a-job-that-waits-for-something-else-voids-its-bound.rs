// run: --icount 4 --cores 1

//! A bound reckons with jobs that wait for nothing but their next release. Where a job sleeps or waits for an object, its
//! task's bound is void, and so are those of less urgent tasks; a more urgent one keeps its own.
#![no_std]
#![no_main]

use takt::Bound;
use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    quick: Task::periodic(quick).priority(5).period(micros(1_000)).wcet(micros(20)),
    sleeper: Task::periodic(sleeper).priority(10).period(micros(5_000)).wcet(micros(40)),
    below: Task::periodic(below).priority(20).period(micros(10_000)).wcet(micros(10)),
    reporter: Task::background(reporter).priority(254),
}

static DONE: Event = Event::new();

fn quick(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}

fn sleeper(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        let _ = takt::sleep_for(micros(2_000));
    }
}

fn below(mut period: Periodic) -> ! {
    for _ in 0..3 {
        let _ = period.wait();
    }
    DONE.set();
    loop {
        let _ = period.wait();
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    for task in takt::task_reports().filter(|task| task.responses.is_some()) {
        match task.bound() {
            Bound::Void(_, why) => report!(report, "task '{}': void: {why}", task.name),
            bound => {
                report.is(format_args!("task '{}': its bound is kept", task.name), matches!(bound, Bound::Kept(_)))
            }
        }
    }
    report.end()
}
