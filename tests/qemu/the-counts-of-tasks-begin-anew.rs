//! `reset_statistics` begins the counts and response times of tasks anew: what came before is gone, a bound that was broken among
//! it, and what comes behind is counted from 0.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, Ordering};

use takt::prelude::*;
use takt_tests::{Report, busy_for_us};

takt::tasks! {
    worker: Task::periodic(worker).priority(10).period(millis(1)).on_overrun(OverrunPolicy::Skip),
    reporter: Task::background(reporter).priority(254),
}

static ROUND: Event = Event::new();
static LONG_US: AtomicU32 = AtomicU32::new(2_500);

/// Ten jobs a round, the first of which runs for as long as it is told.
fn worker(mut period: Periodic) -> ! {
    loop {
        for job in 0..10 {
            let _ = period.wait();
            if job == 0 {
                busy_for_us(u64::from(LONG_US.load(Ordering::Relaxed)));
            }
        }
        ROUND.set();
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    ROUND.wait();
    judge(&mut report, "with a long job", 1, [2_500, 2_600]);
    LONG_US.store(100, Ordering::Relaxed);
    ROUND.wait();
    ROUND.wait();
    // Between two releases.
    takt::reset_statistics();
    let is_empty = takt::task_reports().next().is_some_and(|task| task.counts.count == 0 && task.responses.is_none());
    report.is("nothing is known of the jobs before", is_empty);
    ROUND.wait();
    judge(&mut report, "without", 0, [100, 200]);
    report.end()
}

fn judge(report: &mut Report, what: &str, overruns: u64, [least_us, most_us]: [i64; 2]) {
    let Some(task) = takt::task_reports().next() else { return };
    let half_ticks = |us: i64| us.wrapping_mul(takt::clock::half_ticks_per_us().cast_signed());
    let longest = task.responses.map_or(0, |responses| responses.greatest_half_ticks);
    let is_so = half_ticks(least_us) <= longest && longest <= half_ticks(most_us);
    report.is(format_args!("{what}: nine or ten jobs have ended"), (9..=10).contains(&task.counts.count));
    report.is(format_args!("{what}: {overruns} overruns"), task.counts.overrun == overruns);
    report.is(format_args!("{what}: the longest took {least_us} to {most_us} us"), is_so);
}
