//! With the policy `Postpone`, every release gets its job: those that passed while a job still ran get theirs one after
//! the other, late, and are counted; none is skipped.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::jobs;

takt::tasks! {
    worker: Task::periodic(worker).priority(10).period(millis(1)).on_overrun(OverrunPolicy::Postpone),
    reporter: Task::background(reporter).priority(254),
}

/// How long each job runs, in us after it starts.
const RUNS_US: [u64; 8] = [100, 2_500, 100, 100, 100, 100, 1_100, 100];

fn worker(period: Periodic) -> ! {
    jobs::work(period, &RUNS_US)
}

fn reporter() -> ! {
    jobs::report(&RUNS_US)
}
