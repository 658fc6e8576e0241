// run: --icount 4 --cores 1

//! After an overrun under `Postpone` jobs follow one another more closely than was declared: all bounds of the core are void,
//! and said to be, and a job that takes longer is no fault. Under `Skip`, too, whoever is released by then.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Report, busy_for_us, report};

takt::tasks! {
    quick: Task::periodic(quick).priority(5).period(micros(1_000)).wcet(micros(20)),
    overrunner: Task::periodic(overrunner).priority(10).period(micros(1_000)).wcet(micros(40))
        .on_overrun(OverrunPolicy::Postpone),
    victim: Task::periodic(victim).priority(20).period(micros(10_000)).wcet(micros(10)),
    reporter: Task::background(reporter).priority(254),
}

static DONE: Event = Event::new();

fn quick(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}

fn overrunner(mut period: Periodic) -> ! {
    for job in 0.. {
        let _ = period.wait();
        busy_for_us(if job == 9 { 2_500 } else { 5 });
    }
    takt_tests::rest()
}

fn victim(mut period: Periodic) -> ! {
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
        report!(report, "task '{}': {} overruns, {}", task.name, task.counts.overrun, task.bound());
    }
    report.end()
}
