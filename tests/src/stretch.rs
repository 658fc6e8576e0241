//! A measured stretch: from a read of the counter to another one, which may be another task's.

use core::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::Range;
use takt::rpi4::{counter, virtual_timer};

/// How often each is measured, behind a first time that is not.
const SAMPLES: u32 = 1_000;

/// How far ahead an interrupt is made due, in ticks.
pub const AHEAD: u64 = 500;

/// When the measured stretch began.
static BEGUN: AtomicU64 = AtomicU64::new(0);
/// How long it was, once it has ended.
static TAKEN: AtomicI64 = AtomicI64::new(-1);

/// From `begun` to `now`, less the read itself.
pub const fn taken(begun: u64, now: u64) -> i64 {
    now.wrapping_sub(begun).cast_signed().wrapping_sub(1)
}

/// What `call` takes; negative where it answers that it is not as expected.
#[inline(always)]
pub fn timed(call: impl FnOnce() -> bool) -> i64 {
    let begun = counter::ticks();
    let is_so = call();
    let now = counter::ticks();
    if is_so { taken(begun, now) } else { -1 }
}

/// Begins it at this tick.
#[inline(always)]
pub fn begin_at(ticks: u64) {
    BEGUN.store(ticks, Ordering::Relaxed);
}

/// Begins it now.
#[inline(always)]
pub fn begin() {
    begin_at(counter::ticks());
}

/// Ends the stretch. Apart, so that a waiter has nothing of it to prepare when it is woken.
#[inline(never)]
pub fn note(now: u64) {
    TAKEN.store(taken(BEGUN.load(Ordering::Relaxed), now), Ordering::Relaxed);
}

/// From the tick at which an interrupt is due, a while ahead, to wherever what it starts ends the stretch.
pub fn from_interrupt() -> i64 {
    let due = counter::ticks().wrapping_add(AHEAD);
    begin_at(due);
    virtual_timer::arm(due);
    wait_until(due.wrapping_add(2 * AHEAD));
    length()
}

/// Waits, busy.
pub fn wait_until(ticks: u64) {
    while counter::ticks() < ticks {}
}

/// How long it was; negative where it has not ended.
pub fn length() -> i64 {
    TAKEN.swap(-1, Ordering::Relaxed)
}

/// The least and the most of many.
pub fn measure(once: fn() -> i64) -> Range {
    let mut range = Range::EMPTY;
    let _ = once();
    for _ in 0..SAMPLES {
        range.add(once());
    }
    range
}
