//! Timers fire at their ticks, in the order in which they are due and, at one instant, in which they were started; one that
//! is started later and due sooner comes first; one that is cancelled does not fire; one that is reset fires as long after.
//! Tasks and kernel handlers start, cancel and reset them, and there are as many as there are statics.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use takt::clock;
use takt::kernel::time::Instant;
use takt::prelude::*;
use takt_tests::{Log, Report, busy_until, raise, report, soon, ticks};

takt::tasks! {
    handler: Interrupt::kernel(3, handler),
    timers: Task::background(takt::timer::task).priority(10),
    driver: Task::background(driver).priority(100),
}

static LOG: Log<30> = Log::new();
static FIRST: Timer = Timer::new(first);
static SECOND: Timer = Timer::new(second);
static THIRD: Timer = Timer::new(third);
/// When the first fired, in half ticks.
static FIRED: AtomicU64 = AtomicU64::new(0);

fn first() {
    FIRED.store(clock::now().half_ticks(), Ordering::Relaxed);
    LOG.note(&"  first");
}

fn second() {
    LOG.note(&"  second");
}

fn third() {
    LOG.note(&"  third");
}

/// What the handler does when it comes next.
static HANDLER: AtomicU32 = AtomicU32::new(0);

fn handler() {
    match HANDLER.fetch_add(1, Ordering::Relaxed) {
        0 => FIRST.fire_after_from_handler(micros(100)),
        1 => LOG.note(if FIRST.reset_from_handler() { &"  reset" } else { &"  NOT reset" }),
        2 => LOG.note(if FIRST.cancel_from_handler() { &"  cancelled" } else { &"  NOT cancelled" }),
        3 => SECOND.fire_at_from_handler(clock::from_now(micros(100))),
        _ => THIRD.every_from_handler(clock::from_now(micros(100)), micros(200)),
    }
}

/// Whether the first fired at the tick of `due`, or up to 250 later.
fn fired_at(due: Instant) -> bool {
    let fired = Instant::from_half_ticks(FIRED.load(Ordering::Relaxed));
    (0..=250).contains(&ticks(fired.since(due)))
}

/// An instant `us` microseconds ahead.
fn ahead(us: u64) -> Instant {
    clock::next_edge(clock::from_now(micros(us)))
}

fn driver() -> ! {
    let mut report = Report::new();
    one(&mut report);
    several(&mut report);
    from_the_handler(&mut report);
    many(&mut report);
    report.end()
}

fn one(report: &mut Report) {
    report.is("none is started", FIRST.due().is_none() && !FIRST.cancel() && !FIRST.reset());
    report.flush();
    let due = ahead(200);
    FIRST.fire_at(due);
    let is_due = FIRST.due() == Some(due);
    busy_until(due.after(clock::half_ticks_per_us() * 50));
    report.is("one fires at its tick", is_due && fired_at(due));
    report.is("and once", FIRST.due().is_none() && FIRST.counts().fired == 1 && !FIRST.reset());
    report.flush();
    FIRST.fire_at(clock::now().before(1_000));
    report.is("one for an instant that has passed fires at once", soon(|| FIRST.counts().fired == 2));
    let begun = clock::now();
    FIRST.fire_after(micros(150));
    let due = FIRST.due();
    busy_until(begun.after(clock::half_ticks_per_us() * 100));
    report.is("it can be reset", FIRST.reset() && FIRST.due() != due);
    let due = FIRST.due().unwrap_or(begun);
    report.is("and is due as long after", due.since(begun) >= 250 * clock::half_ticks_per_us().cast_signed());
    report.flush();
    busy_until(due.after(clock::half_ticks_per_us() * 50));
    report.is("and fires then", fired_at(due) && FIRST.counts().fired == 3);
    FIRST.fire_after(micros(100));
    report.is("it can be cancelled, once", FIRST.cancel() && !FIRST.cancel());
    takt::sleep_for(micros(300));
    report.is("and does not fire", FIRST.counts().fired == 3);
    LOG.print(report);
}

fn several(report: &mut Report) {
    report!(report, "the last to start is due first, and two at once:");
    let at = ahead(500);
    FIRST.fire_at(at);
    SECOND.fire_at(at);
    THIRD.fire_at(at.before(100 * clock::half_ticks_per_us()));
    takt::sleep_until(at.after(1_000 * clock::half_ticks_per_us()));
    LOG.print(report);
    report!(report, "one of them is started anew, for later:");
    let at = ahead(500);
    FIRST.fire_at(at);
    SECOND.fire_at(at);
    FIRST.fire_at(at);
    takt::sleep_until(at.after(1_000 * clock::half_ticks_per_us()));
    LOG.print(report);
    report!(report, "the middle one is cancelled:");
    let at = ahead(500);
    FIRST.fire_at(at);
    SECOND.fire_at(at);
    THIRD.fire_at(at);
    let _ = SECOND.cancel();
    takt::sleep_until(at.after(1_000 * clock::half_ticks_per_us()));
    LOG.print(report);
}

fn from_the_handler(report: &mut Report) {
    report!(report, "a handler starts, resets and cancels:");
    let before = FIRST.counts().fired;
    raise(3);
    takt::sleep_for(micros(300));
    report.is("the first fired", FIRST.counts().fired == before.wrapping_add(1));
    raise(3);
    raise(3);
    raise(3);
    takt::sleep_for(micros(300));
    raise(3);
    takt::sleep_for(micros(600));
    let _ = THIRD.cancel();
    LOG.print(report);
}

const MANY: usize = 100;
static EACH: [Timer; MANY] = [const { Timer::new(count) }; MANY];
static CAME: AtomicU32 = AtomicU32::new(0);
static LATEST: AtomicU64 = AtomicU64::new(0);
static ARE_LATE: AtomicU32 = AtomicU32::new(0);

fn count() {
    CAME.fetch_add(1, Ordering::Relaxed);
    let now = clock::now().half_ticks();
    // Each at least 10 us behind the one before: nothing is bunched together.
    let before = LATEST.swap(now, Ordering::Relaxed);
    if now.wrapping_sub(before) < 9 * clock::half_ticks_per_us() {
        ARE_LATE.fetch_add(1, Ordering::Relaxed);
    }
}

fn many(report: &mut Report) {
    let first = ahead(2_000);
    for (place, timer) in EACH.iter().enumerate() {
        // 37 and 100 have no common divisor: each place comes once, in no order.
        let us = (place as u64 * 37) % MANY as u64 * 10;
        timer.fire_at(first.after(us * clock::half_ticks_per_us()));
    }
    takt::sleep_until(first.after(2_000 * clock::half_ticks_per_us()));
    report!(report, "{} of a hundred came", CAME.load(Ordering::Relaxed));
    report.is("each in its turn", ARE_LATE.load(Ordering::Relaxed) == 0);
}
