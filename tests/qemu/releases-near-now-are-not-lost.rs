// run:
// run: --append "timebase=generic"

//! The first release may be due in the past, now, or so soon that the timer passes it while it is armed: with either
//! policy each release comes exactly once, in order and not early, and nothing hangs.
//!
//! Each trial gives a slot a first release so many half ticks from now and takes five releases of 100 us.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU64, Ordering};

use takt::clock;
use takt::kernel::time::Instant;
use takt::prelude::*;
use takt_tests::{Gate, Report, facts, report};

takt::tasks! {
    slot: Task::slot(slot).priority(10),
    reporter: Task::background(reporter).priority(254),
}

const PERIOD_US: u64 = 100;
const RELEASES: u64 = 5;
static DONE: Gate = Gate::new(1);
static TRIALS: [Trial; 2] = [const { Trial::new() }; 2];

/// What came of the trials of one policy.
struct Trial {
    trials: AtomicU64,
    releases: AtomicU64,
    skipped: AtomicU64,
    passed_at_first: AtomicU64,
    wrong_due: AtomicU64,
    early: AtomicU64,
    long_after: AtomicU64,
}

impl Trial {
    const fn new() -> Self {
        Self {
            trials: AtomicU64::new(0),
            releases: AtomicU64::new(0),
            skipped: AtomicU64::new(0),
            passed_at_first: AtomicU64::new(0),
            wrong_due: AtomicU64::new(0),
            early: AtomicU64::new(0),
            long_after: AtomicU64::new(0),
        }
    }

    fn run(&self, slot: &mut Slot, first: Instant, policy: OverrunPolicy) {
        let count = |counter: &AtomicU64, wrong: bool| counter.fetch_add(u64::from(wrong), Ordering::Relaxed);
        let us = clock::half_ticks_per_us();
        let slack = facts().phase.map_or(0, |phase| phase.half_width_half_ticks);
        let mut period = slot.begin(first, micros(PERIOD_US), policy);
        count(&self.trials, true);
        let mut due = first;
        for n in 0..RELEASES {
            let before = clock::now();
            let release = period.wait();
            due = due.after(release.skipped() * period.period_half_ticks());
            count(&self.releases, true);
            self.skipped.fetch_add(release.skipped(), Ordering::Relaxed);
            count(&self.passed_at_first, n == 0 && due.is_before(release.start().before(PERIOD_US * us)));
            count(&self.wrong_due, release.due() != due);
            count(&self.early, release.start().after(slack).is_before(due));
            // From the due instant, or from the wait where that is later.
            let from = if due.is_before(before) { before } else { due };
            count(&self.long_after, from.after(10 * us).is_before(release.start()));
            due = due.after(period.period_half_ticks());
        }
    }
}

fn slot(mut slot: Slot) -> ! {
    let us = clock::half_ticks_per_us().cast_signed();
    let period = PERIOD_US.cast_signed() * us;
    for (policy, trial) in [OverrunPolicy::Skip, OverrunPolicy::Postpone].into_iter().zip(&TRIALS) {
        // Far and near in the past, and every half tick around now and the few microseconds after it.
        let far = [-10 * period, -3 * period - 1, -3 * period, -period, -us, 50 * us, 3 * period];
        for lead in far.into_iter().chain(-200..600) {
            let now = clock::now();
            let first = now.after(lead.cast_unsigned());
            trial.run(&mut slot, first, policy);
            // On an edge of the system timer, as the contract asks.
            trial.run(&mut slot, clock::next_edge(first), policy);
        }
    }
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    for (name, trial) in ["skip", "postpone"].iter().zip(&TRIALS) {
        report!(report, "{name}:");
        report!(report, "  trials {}", trial.trials.load(Ordering::Relaxed));
        report!(report, "  releases {}", trial.releases.load(Ordering::Relaxed));
        report!(report, "  not due when it should be {}", trial.wrong_due.load(Ordering::Relaxed));
        report!(report, "  early {}", trial.early.load(Ordering::Relaxed));
        report!(
            report,
            "  more than 10 us after it was due and waited for {}",
            trial.long_after.load(Ordering::Relaxed)
        );
        report!(
            report,
            "  passed by more than a period at the first wait {}",
            trial.passed_at_first.load(Ordering::Relaxed)
        );
        let skipped = trial.skipped.load(Ordering::Relaxed);
        report.is("  skipped as the policy says", (skipped == 0) == (*name == "postpone"));
    }
    report.end()
}
