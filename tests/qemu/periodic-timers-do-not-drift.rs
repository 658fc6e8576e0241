//! A periodic timer fires at a multiple of its period behind its first instant, a thousand times. Where its task is kept from
//! it, the periods that passed are counted, and it stays in phase. It may cancel itself.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use takt::clock;
use takt::kernel::time::Instant;
use takt::prelude::*;
use takt_tests::{Report, busy_for_us, report, ticks};

takt::tasks! {
    timers: Task::background(takt::timer::task).priority(10),
    driver: Task::background(driver).priority(100).locks_preemption(millis(5)),
}

static BEAT: Timer = Timer::new(beat);
static FIVE: Timer = Timer::new(five_times);
const PERIOD_US: u64 = 100;

static FIRST: AtomicU64 = AtomicU64::new(0);
/// The latest, in ticks behind a multiple of the period.
static LATEST: AtomicI64 = AtomicI64::new(0);

fn beat() {
    let first = Instant::from_half_ticks(FIRST.load(Ordering::Relaxed));
    let late = clock::now().since(first) % (PERIOD_US * clock::half_ticks_per_us()).cast_signed();
    LATEST.fetch_max(ticks(late), Ordering::Relaxed);
}

fn five_times() {
    if FIVE.counts().fired == 5 {
        let _ = FIVE.cancel();
    }
}

fn driver() -> ! {
    let mut report = Report::new();
    let us = clock::half_ticks_per_us();
    report.flush();
    let first = clock::next_edge(clock::from_now(millis(1)));
    FIRST.store(first.half_ticks(), Ordering::Relaxed);
    BEAT.every(first, micros(PERIOD_US));
    takt::sleep_until(first.after(999 * PERIOD_US * us + PERIOD_US * us / 2));
    let (counts, due) = (BEAT.counts(), BEAT.due());
    report!(report, "fired {}, missed {}", counts.fired, counts.missed);
    report.is("each at its tick, 300 later at the most", LATEST.load(Ordering::Relaxed) <= 300);
    report.is("the next is the thousandth", due == Some(first.after(1_000 * PERIOD_US * us)));
    // In the middle of a period again.
    let now = takt::sleep_until(first.after(1_999 * PERIOD_US * us + PERIOD_US * us / 2));
    let before = BEAT.counts();
    preemption_lock(|| busy_for_us(4 * PERIOD_US));
    let after = BEAT.counts();
    report!(
        report,
        "after four periods in which its task could not run: fired {}, missed {} more",
        after.fired - before.fired,
        after.missed - before.missed
    );
    let is_in_phase = BEAT.due().is_some_and(|due| due.since(first) % (PERIOD_US * us).cast_signed() == 0);
    report.is("it is in phase", is_in_phase && now.is_before(clock::now()));
    let _ = BEAT.cancel();
    FIVE.every(clock::from_now(micros(20)), micros(50));
    takt::sleep_for(millis(1));
    let (fired, is_over) = (FIVE.counts().fired, FIVE.due().is_none());
    let is_reset = FIVE.reset();
    takt::sleep_for(micros(120));
    let _ = FIVE.cancel();
    report!(report, "one that cancels itself fired {fired} times");
    report.is("and is not started", is_over);
    report.is("it can be reset", is_reset);
    report!(report, "and fired {} times until it was cancelled", FIVE.counts().fired);
    report.end()
}
