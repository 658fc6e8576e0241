//! A task whose jobs run as long as they are told to, and what became of its releases.

use core::sync::atomic::{AtomicU64, Ordering};

use takt::{Periodic, clock};

use crate::{Gate, Report, busy_for_us, report};

static DONE: Gate = Gate::new(1);

/// The most jobs.
const JOBS: usize = 16;

/// In us after the first due instant.
static DUE_US: [AtomicU64; JOBS] = [const { AtomicU64::new(0) }; JOBS];
static STARTED_US: [AtomicU64; JOBS] = [const { AtomicU64::new(0) }; JOBS];
static SKIPPED: [AtomicU64; JOBS] = [const { AtomicU64::new(0) }; JOBS];

/// A task that does a job for each element of `runs_us`, which says how long it keeps the core busy, and waits once more.
pub fn work(mut period: Periodic, runs_us: &[u64]) -> ! {
    let mut zero = None;
    for (job, &run_us) in runs_us.iter().enumerate() {
        let release = period.wait();
        let zero = *zero.get_or_insert(release.due());
        let since_zero_us = |half_ticks: i64| half_ticks.cast_unsigned() / clock::half_ticks_per_us();
        DUE_US[job].store(since_zero_us(release.due().since(zero)), Ordering::Relaxed);
        STARTED_US[job].store(since_zero_us(release.start().since(zero)), Ordering::Relaxed);
        SKIPPED[job].store(release.skipped(), Ordering::Relaxed);
        busy_for_us(run_us);
    }
    let _ = period.wait();
    DONE.arrive_and_rest()
}

/// The reporter: prints what became of each job, and the counts of the table's first task.
pub fn report(runs_us: &[u64]) -> ! {
    let mut report = Report::new();
    DONE.wait();
    let mut ended_us = 0;
    for (job, &run_us) in runs_us.iter().enumerate() {
        let due_us = DUE_US[job].load(Ordering::Relaxed);
        let started_us = STARTED_US[job].load(Ordering::Relaxed);
        report!(
            report,
            "job {job}: due {due_us:5} us, skipped before it {}, runs {run_us:5} us",
            SKIPPED[job].load(Ordering::Relaxed)
        );
        // At its due instant, or when the job before it ended, and a few microseconds for the way.
        let ready_us = due_us.max(ended_us);
        report.is(
            "  starts when it is due and the job before it has ended",
            (ready_us..ready_us + 10).contains(&started_us),
        );
        ended_us = started_us + run_us;
    }
    if let Some(task) = takt::task_reports().next() {
        let counts = task.counts;
        report!(
            report,
            "{}: jobs {}, overrun {}, late {}, skipped {}, postponed {}",
            task.name,
            counts.count,
            counts.overrun,
            counts.late,
            counts.skipped,
            counts.postponed
        );
    }
    report.end()
}
