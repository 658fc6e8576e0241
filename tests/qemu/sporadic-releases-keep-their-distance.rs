//! A sporadic task is released by handlers and tasks, at once where its minimum interval has passed, and at the tick at which
//! it has otherwise. While it works, as many releases are kept as its handle says, also those from before its first wait;
//! the others are dropped and counted. Each job knows when it was due.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use takt::clock;
use takt::kernel::time::Instant;
use takt::prelude::*;
use takt::task_reports;
use takt_tests::{Report, busy_for_us, raise, report, ticks};

takt::tasks! {
    burst: Interrupt::kernel(3, burst),
    early: Task::background(early).priority(5),
    worker: Task::sporadic(worker).min_interval(micros(500)).deadline(micros(300)).priority(10),
    driver: Task::background(driver).priority(100),
}

const MOST_JOBS: usize = 16;

static WORK: Sporadic<2> = Sporadic::new();
/// When each job was due and started, in half ticks, and how many releases were dropped before.
static JOBS: [[AtomicU64; 3]; MOST_JOBS] = [const { [const { AtomicU64::new(0) }; 3] }; MOST_JOBS];
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// How long the next job takes.
static JOB_US: AtomicU64 = AtomicU64::new(0);
static BURST: AtomicU32 = AtomicU32::new(0);

static MEANWHILE: Event = Event::new();

/// Releases before the task has come, and while it works.
fn early() -> ! {
    let _ = WORK.release();
    MEANWHILE.wait();
    takt::sleep_for(micros(400));
    for _ in 0..3 {
        let _ = WORK.release();
    }
    takt_tests::rest()
}

fn burst() {
    for _ in 0..BURST.load(Ordering::Relaxed) {
        let _ = WORK.release_from_handler();
    }
}

fn worker(task: SporadicTask) -> ! {
    let mut releases = task.released_by(&WORK);
    loop {
        let release = releases.wait();
        let [due, start, dropped] = &JOBS[COUNT.load(Ordering::Relaxed) % MOST_JOBS];
        due.store(release.due().half_ticks(), Ordering::Relaxed);
        start.store(release.start().half_ticks(), Ordering::Relaxed);
        dropped.store(release.skipped(), Ordering::Relaxed);
        COUNT.fetch_add(1, Ordering::Relaxed);
        busy_for_us(JOB_US.swap(0, Ordering::Relaxed));
    }
}

/// When job `number`, from 0, was due and started.
fn job(number: usize) -> (Instant, Instant) {
    let [due, start, _] = &JOBS[number];
    let instant = |value: &AtomicU64| Instant::from_half_ticks(value.load(Ordering::Relaxed));
    (instant(due), instant(start))
}

/// Whether job `number` was due half a millisecond behind the one before and started at that tick, 150 later at the most.
fn keeps_its_distance(number: usize) -> bool {
    let (before, _) = job(number - 1);
    let (due, start) = job(number);
    due.since(before) == 500 * clock::half_ticks_per_us().cast_signed() && (0..=150).contains(&ticks(start.since(due)))
}

/// Whether job `number` was due when it came, about `came`, and started at once, or as soon as the handler had ended.
fn is_at_once(number: usize, came: Instant) -> bool {
    let (due, start) = job(number);
    (0..=250).contains(&ticks(due.since(came))) && (0..=500).contains(&ticks(start.since(due)))
}

fn jobs() -> usize {
    COUNT.load(Ordering::Relaxed)
}

fn driver() -> ! {
    let mut report = Report::new();
    report.is("a release from before the first wait had its job", jobs() == 1);
    report.flush();
    takt::sleep_for(millis(1));
    let came = clock::now();
    report.is("a task releases it", WORK.release() && jobs() == 2 && is_at_once(1, came));
    report.flush();
    takt::sleep_for(millis(1));
    BURST.store(5, Ordering::Relaxed);
    let came = clock::now();
    raise(3);
    busy_for_us(100);
    report.is("of five by a handler the first is at once", jobs() == 3 && is_at_once(2, came));
    takt::sleep_for(millis(3));
    report!(report, "jobs in all: {}", jobs());
    report.is("the second keeps its distance", keeps_its_distance(3));
    let counts = WORK.counts();
    report!(report, "kept at the most {}, dropped {}", counts.highest_kept, counts.releases.skipped);
    while_it_works(&mut report);
    let counts = WORK.counts().releases;
    report!(
        report,
        "jobs {}, late {}, overrun {}, postponed {}, dropped {}",
        counts.count,
        counts.late,
        counts.overrun,
        counts.postponed,
        counts.skipped
    );
    let told = task_reports().find(|task| task.name == "worker").map(|task| task.counts);
    report.is("the report on tasks says the same", told == Some(counts));
    report.end()
}

/// A job that takes three intervals, while which more releases come.
fn while_it_works(report: &mut Report) {
    report!(report, "while it works for 1.5 ms, three more come, with one kept before:");
    report.flush();
    let before = jobs();
    BURST.store(2, Ordering::Relaxed);
    JOB_US.store(1_500, Ordering::Relaxed);
    MEANWHILE.set();
    let came = clock::now();
    raise(3);
    takt::sleep_for(millis(3));
    report!(report, "  jobs: {}", jobs() - before);
    report.is("  the first was at once", is_at_once(before, came));
    let us = clock::half_ticks_per_us().cast_signed();
    let [(due, _), (second_due, second_start), (third_due, third_start)] = [0, 1, 2].map(|number| job(before + number));
    let dues = [second_due.since(due), third_due.since(second_due)];
    report.is("  the second and the third were due as soon as they could be", dues == [500 * us, 500 * us]);
    let starts = [second_start, third_start].map(|start| start.since(came) / us);
    report
        .is("  and started when the first had ended", starts.into_iter().all(|after| (1_500..1_530).contains(&after)));
    report!(report, "  dropped before the second: {}", JOBS[before + 1][2].load(Ordering::Relaxed));
}
