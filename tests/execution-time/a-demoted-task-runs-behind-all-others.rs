//! A job beyond its budget runs only when no other task can, and the next one has its task's priority again. What it holds
//! counts as ever.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU64, Ordering};

use takt::prelude::*;
use takt::{InheritMutex, TaskHandle, clock, sleep_until};
use takt_execution_time::{execute_for_us, overruns};
use takt_tests::{Report, report};

static SHARED: InheritMutex<()> = InheritMutex::new("shared", ());

takt::tasks! {
    top: Task::background(top).priority(5).locks_inherit("shared", millis(1)),
    hog: Task::periodic(hog).priority(10).period(millis(10)).budget(micros(200), OnBudgetOverrun::Demote)
        .locks_inherit("shared", millis(1)),
    middle: Task::background(middle).priority(100),
    least: Task::background(least).priority(200),
}

static BEGIN: [Event; 3] = [const { Event::new() }; 3];
static HAD: AtomicU64 = AtomicU64::new(u64::MAX);

fn executed(name: &str) -> u64 {
    let half_ticks = TaskHandle::named(name).and_then(|task| task.executed_half_ticks().ok()).unwrap_or(0);
    half_ticks / clock::half_ticks_per_us()
}

/// Wants the mutex.
fn top() -> ! {
    BEGIN[0].wait();
    // When the holder has been demoted.
    sleep_until(clock::from_now(micros(400)));
    let asked = executed("middle");
    SHARED.lock(|()| HAD.store(executed("middle") - asked, Ordering::Relaxed));
    takt_tests::rest()
}

/// Has work to do while the holder is demoted.
fn middle() -> ! {
    BEGIN[1].wait();
    execute_for_us(1_000);
    takt_tests::rest()
}

/// Has work to do in the first two jobs.
fn least() -> ! {
    BEGIN[2].wait();
    execute_for_us(3_000);
    takt_tests::rest()
}

fn hog(mut period: Periodic) -> ! {
    let mut report = Report::new();
    let _ = period.wait();
    BEGIN[2].set();
    execute_for_us(190);
    report.is("within the budget nobody less urgent runs", executed("least") < 10);
    execute_for_us(100);
    report.is("beyond it the least urgent has run to its end", executed("least") > 2_990);
    let _ = period.wait();
    BEGIN[0].set();
    BEGIN[1].set();
    report.is("the next job is as urgent as ever", executed("middle") < 10);
    SHARED.lock(|()| execute_for_us(600));
    report.is("and is demoted again", executed("middle") > 990);
    let _ = period.wait();
    report!(report, "jobs beyond their budget: {:?}", overruns("hog"));
    report.is("middle did not run while top waited for what the demoted one held", HAD.load(Ordering::Relaxed) < 10);
    report.end()
}
