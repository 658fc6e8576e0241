//! A hundred thousand releases, 125 us apart: each is due exactly one period after the last, where a period is 7812.5
//! ticks of the counter; the system timer agrees at the end; none is early, skipped or late.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use takt::prelude::*;
use takt::rpi4::devices;
use takt_tests::{Gate, Range, Report, report};

takt::tasks! {
    beat: Task::periodic(beat).priority(10).period(micros(PERIOD_US)),
    reporter: Task::background(reporter).priority(254),
}

const PERIOD_US: u64 = 125;
const PERIODS: u64 = 100_000;

static DONE: Gate = Gate::new(1);
static OFF_BEAT: AtomicU64 = AtomicU64::new(0);
static SKIPPED: AtomicU64 = AtomicU64::new(0);
static LEAST: AtomicI64 = AtomicI64::new(0);
static GREATEST: AtomicI64 = AtomicI64::new(0);
static DUE_HALF_TICKS: AtomicI64 = AtomicI64::new(0);
static TIMER_US: AtomicU64 = AtomicU64::new(0);

fn beat(mut period: Periodic) -> ! {
    let first = period.wait();
    let first_us = devices::system_timer().now_us();
    let mut last = first;
    let mut lateness = Range::EMPTY;
    for n in 1..=PERIODS {
        last = period.wait();
        if last.due() != first.due().after(n * period.period_half_ticks()) {
            OFF_BEAT.fetch_add(1, Ordering::Relaxed);
        }
        SKIPPED.fetch_add(last.skipped(), Ordering::Relaxed);
        lateness.add(last.handler().since(last.due()));
    }
    TIMER_US.store(devices::system_timer().now_us() - first_us, Ordering::Relaxed);
    DUE_HALF_TICKS.store(last.due().since(first.due()), Ordering::Relaxed);
    LEAST.store(lateness.least, Ordering::Relaxed);
    GREATEST.store(lateness.greatest, Ordering::Relaxed);
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    report!(report, "{PERIODS} periods of {PERIOD_US} us");
    report!(report, "last due {} half ticks after the first", DUE_HALF_TICKS.load(Ordering::Relaxed));
    // It is read when the task starts, which may differ by a few instructions and so by an edge of the timer.
    let timer_us = TIMER_US.load(Ordering::Relaxed);
    report.is("the system timer agrees to a microsecond", timer_us.abs_diff(PERIODS * PERIOD_US) <= 1);
    report!(report, "off the beat {}", OFF_BEAT.load(Ordering::Relaxed));
    report!(report, "skipped {}", SKIPPED.load(Ordering::Relaxed));
    let spread = GREATEST.load(Ordering::Relaxed) - LEAST.load(Ordering::Relaxed);
    report.is("handlers begin within 50 ticks of one another", spread <= 100);
    for task in takt::task_reports().filter(|task| task.name == "beat") {
        report!(report, "{:?}", task.counts);
    }
    report.end()
}
