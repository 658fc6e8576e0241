//! The histogram of real releases accounts for each of them: bins, early and overflow add up to the count, with a limit
//! that some releases pass, and what was skipped is counted apart.
#![no_std]
#![no_main]

use core::cell::UnsafeCell;

use takt::kernel::histogram::Histogram;
use takt::prelude::*;
use takt_tests::{Gate, Report, busy_for_us, report};

takt::tasks! {
    measured: Task::periodic(measured).priority(20).period(micros(250)),
    disturber: Task::periodic(disturber).priority(10).period(micros(2_310)).offset(micros(100)),
    reporter: Task::background(reporter).priority(254),
}

const RELEASES: u64 = 2_000;
const LIMIT_TICKS: u64 = 1_000;

struct Shared(UnsafeCell<Histogram<2_048>>);

// SAFETY: used by the measured task until it arrives at the gate, by the reporter afterwards.
unsafe impl Sync for Shared {}

static LATENESS: Shared = Shared(UnsafeCell::new(Histogram::new()));
static DONE: Gate = Gate::new(1);

fn measured(mut period: Periodic) -> ! {
    {
        // SAFETY: see `Shared`.
        let histogram = unsafe { &mut *LATENESS.0.get() };
        if histogram.reset(LIMIT_TICKS).is_err() {
            panic!("the limit lies within the bins");
        }
        for cycle in 0..RELEASES {
            let release = period.wait();
            let lateness = release.start().since(release.due());
            histogram.record(lateness, cycle);
            if release.skipped() > 0 {
                let skipped = release.skipped();
                let first = lateness + (skipped * period.period_half_ticks()).cast_signed();
                histogram.record_skipped(skipped, first, period.period_half_ticks());
            }
        }
    }
    DONE.arrive_and_rest()
}

/// Keeps the measured task waiting, now and then over a whole period.
fn disturber(mut period: Periodic) -> ! {
    let mut run_us = 1;
    loop {
        let _ = period.wait();
        busy_for_us(run_us);
        run_us = run_us * 5 % 397;
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    // SAFETY: see `Shared`.
    let view = unsafe { &*LATENESS.0.get() }.view();
    report!(report, "count {}", view.count());
    report.is("the identity holds", view.identity_holds());
    let linear: u64 = view.linear_bins().iter().sum();
    let above: u64 = view.log_bins().map(|bin| bin.count).sum();
    report.is("all bins and early are the count", linear + above + view.early().count == view.count());
    report.is("some are at or above the limit", view.overflow().count > 10);
    report.is("none is early", view.early().count == 0);
    report.is("some were skipped", view.skipped().count > 10);
    let counts = takt::task_reports().filter(|task| task.name == "measured").map(|task| task.counts);
    for counts in counts {
        report.is("as many skipped as the executive counts", counts.skipped == view.skipped().count);
    }
    report.end()
}
