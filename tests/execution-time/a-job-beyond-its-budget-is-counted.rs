//! A job that executes longer than its budget is counted, once and while it runs; one that keeps the budget is not, by however
//! little.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU64, Ordering};

use takt::prelude::*;
use takt::{TaskHandle, clock, sleep_for};
use takt_execution_time::{execute_for_us, overruns};
use takt_tests::{Gate, Report, report};

takt::tasks! {
    periodic: Task::periodic(periodic).priority(10).period(millis(2)).budget(micros(200), OnBudgetOverrun::Report),
    sporadic: Task::sporadic(sporadic).min_interval(millis(1)).priority(20).budget(micros(100), OnBudgetOverrun::Report),
    postponed: Task::periodic(postponed).priority(30).period(millis(2)).budget(micros(400), OnBudgetOverrun::Report)
        .on_overrun(OverrunPolicy::Postpone),
    reporter: Task::background(reporter).priority(254),
}

static DONE: Gate = Gate::new(2);
static RELEASE: Sporadic<4> = Sporadic::new();
/// What had been counted when a job had executed for three quarters more than its budget, less what had been before.
static WITHIN: AtomicU64 = AtomicU64::new(0);

fn periodic(mut period: Periodic) -> ! {
    execute_for_us(1_000);
    for _ in 0..4 {
        let _ = period.wait();
        execute_for_us(100);
        let _ = period.wait();
        // What is left is for the wait, and for what it takes to begin.
        let budget = 200 * clock::half_ticks_per_us();
        let own = TaskHandle::running();
        while own.and_then(|own| own.job_half_ticks().ok().flatten()).unwrap_or(u64::MAX) < budget - 700 {}
        let _ = period.wait();
        let before = overruns("periodic").unwrap_or(0);
        execute_for_us(350);
        WITHIN.fetch_add(overruns("periodic").unwrap_or(0) - before, Ordering::Relaxed);
        let _ = period.wait();
        // By little more than the budget.
        execute_for_us(201);
    }
    let _ = period.wait();
    DONE.arrive_and_rest()
}

fn sporadic(task: SporadicTask) -> ! {
    execute_for_us(1_000);
    let mut releases = task.released_by(&RELEASE);
    for us in [50, 150, 80, 300].into_iter().cycle() {
        let _ = releases.wait();
        execute_for_us(us);
    }
    takt_tests::rest()
}

/// A release that has passed: the wait returns at once, and the next job has a budget of its own.
fn postponed(mut period: Periodic) -> ! {
    let _ = period.wait();
    execute_for_us(4_500);
    for _ in 0..6 {
        let _ = period.wait();
        execute_for_us(300);
    }
    let _ = period.wait();
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    let mut report = Report::new();
    for _ in 0..3 {
        // Both at once: the second is due when the interval allows it.
        RELEASE.release();
        RELEASE.release();
        sleep_for(millis(5));
    }
    DONE.wait();
    report!(report, "periodic: {:?} jobs beyond their budget", overruns("periodic"));
    report!(report, "  of which {} were counted while they ran", WITHIN.load(Ordering::Relaxed));
    report!(report, "sporadic: {:?}", overruns("sporadic"));
    report!(report, "postponed: {:?}", overruns("postponed"));
    report!(report, "reporter: {:?}", overruns("reporter"));
    report.end()
}
