//! What a job takes is what its task executed from one wait to the next: the least, the mean and the most of the jobs are
//! those of their work, however long they were preempted and interrupted.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU64, Ordering};

use takt::execution_time::JobTimes;
use takt::prelude::*;
use takt::{TaskHandle, sleep_for};
use takt_execution_time::{Taken, work};
use takt_tests::{Gate, Report, busy_for_us, raise, report};

takt::tasks! {
    kernel: Interrupt::kernel(3, kernel),
    urgent: Task::periodic(urgent).priority(5).period(micros(500)),
    periodic: Task::periodic(periodic).priority(10).period(millis(10)),
    sporadic: Task::sporadic(sporadic).min_interval(millis(1)).priority(20),
    reporter: Task::background(reporter).priority(254),
}

static DONE: Gate = Gate::new(1);
static RELEASE: Sporadic = Sporadic::new();
const ROUNDS: [u32; 3] = [20_000, 60_000, 40_000];

/// The most that a job of `periodic` had executed when this came.
static HALFWAY: AtomicU64 = AtomicU64::new(0);

fn kernel() {
    let job = TaskHandle::named("periodic").and_then(|task| task.job_half_ticks().ok().flatten()).unwrap_or(0);
    HALFWAY.fetch_max(job, Ordering::Relaxed);
    busy_for_us(50);
}

fn urgent(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        busy_for_us(100);
    }
}

fn periodic(mut period: Periodic) -> ! {
    // No job yet.
    work(100_000);
    for rounds in ROUNDS.into_iter().cycle().take(12) {
        let _ = period.wait();
        work(rounds / 2);
        raise(3);
        work(rounds / 2);
    }
    let _ = period.wait();
    DONE.arrive_and_rest()
}

fn sporadic(task: SporadicTask) -> ! {
    work(100_000);
    let mut releases = task.released_by(&RELEASE);
    for rounds in ROUNDS.into_iter().cycle() {
        let _ = releases.wait();
        work(rounds);
    }
    takt_tests::rest()
}

fn of(report: &mut Report, name: &str, wanted: u64, round: u64) {
    let told = TaskHandle::named(name).and_then(TaskHandle::report).map(|task| task.execution());
    let Some(Ok(told)) = told else { return report.is("there is an execution time", false) };
    let JobTimes { count, min_half_ticks, max_half_ticks, .. } = told.jobs;
    report!(report, "{name}: {count} jobs");
    report.is("  as many as there were", count == wanted);
    // A hundredth is left for the waits and for what the vectors take.
    let is_about = |half_ticks: u64, rounds: u64| half_ticks.abs_diff(rounds * round / 1_000) < half_ticks / 100;
    report.is("  the least that of 20,000 rounds", is_about(min_half_ticks, 20_000));
    report.is("  the most that of 60,000", is_about(max_half_ticks, 60_000));
    let mean = told.jobs.mean_half_ticks().unwrap_or(0);
    report.is("  the mean that of 40,000", is_about(mean, 40_000));
    let in_jobs = told.jobs.sum_half_ticks;
    report.is("  what came before the first is in none", told.executed_half_ticks - in_jobs > 90 * round);
}

fn reporter() -> ! {
    let mut report = Report::new();
    // A thousand rounds, in half ticks: the mean of many.
    let round = Taken::by(|| work(1_000_000)).executed / 1_000;
    for _ in 0..6 {
        RELEASE.release();
        sleep_for(millis(10));
    }
    DONE.wait();
    of(&mut report, "periodic", 12, round);
    let halfway = HALFWAY.load(Ordering::Relaxed).abs_diff(30 * round);
    report.is("a handler that comes halfway finds half of the longest", halfway < round / 4);
    of(&mut report, "sporadic", 6, round);
    report.is("and a background task has none", {
        let own = TaskHandle::running().and_then(TaskHandle::report).map(|task| task.execution());
        matches!(own, Some(Ok(told)) if told.jobs == JobTimes::NONE && told.executed_half_ticks > 0)
    });
    report.end()
}
