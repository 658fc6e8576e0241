//! A more urgent task keeps the measured one from its release for a delay that differs from job to job. The histogram, by the same
//! stamps and bins as the measuring slots', holds each delay as often as it was injected, and nothing else.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use takt::clock;
use takt::handover::Handover;
use takt::kernel::histogram::{BucketWidth, Histogram};
use takt::prelude::*;
use takt_tests::{Report, busy_until, report, rest};

takt::tasks! {
    injector: Task::periodic(injector).priority(10).period(millis(1)),
    measured: Task::periodic(measured).priority(20).period(millis(1)),
    reporter: Task::background(reporter).priority(254),
}

/// The delays of the jobs, again and again, in microseconds: read from a list, since whatever the injector computes is a delay, too.
const PATTERN: [u64; 8] = [10, 35, 10, 60, 10, 35, 10, 125];
const ROUNDS: u64 = 25;
const JOBS: u64 = ROUNDS * 8;
/// The way from the injector's last statement to the measured task's first is shorter than this.
const WAY_US: u32 = 4;

static HISTOGRAM: Handover<Histogram<32_768>> = Handover::new(Histogram::zeroed());
static DONE: Event = Event::new();

fn injector(mut period: Periodic) -> ! {
    let half_ticks_per_us = clock::half_ticks_per_us();
    for _ in 0..ROUNDS {
        for delay_us in PATTERN {
            let release = period.wait();
            busy_until(release.due().after(delay_us * half_ticks_per_us));
        }
    }
    loop {
        let _ = period.wait();
    }
}

fn measured(mut period: Periodic) -> ! {
    // Before time zero.
    let is_ready = HISTOGRAM.take().is_some_and(|mut histogram| histogram.reset(32_768).is_ok());
    assert!(is_ready, "the histogram has a bin for each tick");
    for job in 0..JOBS {
        let release = period.wait();
        if let Some(mut histogram) = HISTOGRAM.take() {
            histogram.record(release.start().since(release.due()), job);
        }
    }
    DONE.set();
    rest()
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    let Some(histogram) = HISTOGRAM.take() else { panic!("the histogram is in use") };
    let view = histogram.view();
    let width = BucketWidth::Microsecond(clock::rate());
    let rows = |first: u32, end: u32| (first..end).map(|row| view.bucket_count(width, row)).sum::<u64>();
    let mut all = 0;
    for us in [10, 35, 60, 125] {
        let times = PATTERN.iter().filter(|delay_us| **delay_us == u64::from(us)).map(|_| ROUNDS).sum::<u64>();
        let found = rows(us, us + WAY_US);
        all += found;
        report!(report, "{us} us were injected {times} times and are in the rows from {us} on {found} times");
        report.is("as often", found == times);
    }
    report.is("nothing else is in any row", all == rows(0, 500) && all == JOBS && view.count() == JOBS);
    report.is("the bins add up", view.identity_holds());
    report.end()
}
