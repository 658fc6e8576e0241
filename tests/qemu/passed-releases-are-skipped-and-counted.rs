//! With the policy `Skip`, releases that pass while a job still runs get no job and are counted; the next one is in
//! phase. A job that ends after its deadline but before its next release is late, and no overrun. A job that ends
//! within its deadline is neither.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::jobs;

takt::tasks! {
    worker: Task::periodic(worker).priority(10).period(millis(1)).deadline(micros(500)).on_overrun(OverrunPolicy::Skip),
    reporter: Task::background(reporter).priority(254),
}

/// How long each job runs, in us after it starts.
const RUNS_US: [u64; 8] = [100, 600, 1_200, 100, 3_500, 100, 490, 10_050];

fn worker(period: Periodic) -> ! {
    jobs::work(period, &RUNS_US)
}

fn reporter() -> ! {
    jobs::report(&RUNS_US)
}
