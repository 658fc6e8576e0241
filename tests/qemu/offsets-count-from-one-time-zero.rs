//! Time zero is common to all periodic tasks of the table, however long one of them takes to come to its first wait, and
//! offsets count from it.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU64, Ordering};

use takt::clock;
use takt::prelude::*;
use takt_tests::{Gate, Report, busy_for_us, report};

takt::tasks! {
    quick: Task::periodic(take::<0, 0>).priority(10).period(millis(1)),
    slow: Task::periodic(take::<1, 30_000>).priority(5).period(millis(10)).offset(micros(250)),
    last: Task::periodic(take::<2, 7>).priority(200).period(millis(3)).offset(millis(12)),
    reporter: Task::background(reporter).priority(254),
}

static DONE: Gate = Gate::new(3);
static FIRST_DUE: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];

fn take<const NUMBER: usize, const WORK_US: u64>(mut period: Periodic) -> ! {
    busy_for_us(WORK_US);
    FIRST_DUE[NUMBER].store(period.wait().due().half_ticks(), Ordering::Relaxed);
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    let us = clock::half_ticks_per_us();
    let [quick, slow, last] = FIRST_DUE.each_ref().map(|due| due.load(Ordering::Relaxed));
    report!(report, "quick 0 us, slow {} us, last {} us", (slow - quick) / us, (last - quick) / us);
    report.end()
}
