// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tasks that `bench` measures with: one that keeps the processor busy, two that hand it to each other.
//!
//! They sleep until `bench` needs them. In a task table they stand as background tasks, less urgent than the measuring
//! slots and more urgent than the console task; the two that yield have the same priority.

use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use takt::handover::Handover;
use takt::kernel::time::Instant;
use takt::rpi4::{counter, interrupts};
use takt::{Event, clock, yield_turn};

use crate::slots;
use crate::spread::Spread;

static BUSY: Event = Event::new();
static BUSY_IS_PRESENT: AtomicBool = AtomicBool::new(false);

static FIRST: Event = Event::new();
static SECOND: Event = Event::new();
static YIELDS_ARE_DONE: Event = Event::new();
static FIRST_IS_PRESENT: AtomicBool = AtomicBool::new(false);
static SECOND_IS_PRESENT: AtomicBool = AtomicBool::new(false);
/// How often the first yields to the second.
static YIELDS: AtomicU32 = AtomicU32::new(0);
/// Whether the cycle counter takes the stamps, and not the clock.
static BY_CYCLES: AtomicBool = AtomicBool::new(false);
/// When the first yielded, in half ticks or half cycles.
static STAMP: AtomicU64 = AtomicU64::new(0);
static SPREAD: Handover<Spread> = Handover::new(Spread::NONE);

/// How often the busy task looks whether it may stop before it gives QEMU's other cores a turn. A look takes a few
/// instructions, and no loop may run for more than 32 without a turn; each turn costs the emulator much time.
const LOOKS_PER_TURN: usize = 4;

/// The body of the task that keeps the processor busy while the slots run.
pub fn busy() -> ! {
    BUSY_IS_PRESENT.store(true, Ordering::Relaxed);
    loop {
        BUSY.wait();
        while (0..LOOKS_PER_TURN).all(|_| slots::are_running()) {
            interrupts::yield_hint();
        }
    }
}

/// The body of the task that takes a stamp and yields.
///
/// `#[inline]` here and below has the application compile it, and with it takt's part of the way that is measured: as
/// fast as any task's, where this crate is compiled for size.
#[inline]
pub fn yield_first() -> ! {
    FIRST_IS_PRESENT.store(true, Ordering::Relaxed);
    loop {
        FIRST.wait();
        if BY_CYCLES.load(Ordering::Relaxed) { yield_after(cycles_now) } else { yield_after(clock::now) }
    }
}

/// Takes a stamp with `now` and yields, again and again.
#[inline(always)]
fn yield_after(now: impl Fn() -> Instant) {
    for _ in 0..YIELDS.load(Ordering::Relaxed) {
        STAMP.store(now().half_ticks(), Ordering::Relaxed);
        yield_turn();
    }
}

/// The cycle counter as if it were the clock.
#[inline(always)]
fn cycles_now() -> Instant {
    Instant::from_counter(counter::cycles())
}

/// The body of the task that is yielded to.
#[inline]
pub fn yield_second() -> ! {
    SECOND_IS_PRESENT.store(true, Ordering::Relaxed);
    loop {
        SECOND.wait();
        if let Some(mut spread) = SPREAD.take() {
            *spread = Spread::NONE;
            // Ready, but not running: it is no more urgent than this task.
            FIRST.set();
            if BY_CYCLES.load(Ordering::Relaxed) {
                await_yields(&mut spread, |_| cycles_now());
            } else {
                await_yields(&mut spread, |now| now);
            }
        }
        YIELDS_ARE_DONE.set();
    }
}

/// Is yielded to, again and again; `stamp` makes one of the instant at which it runs again.
#[inline(always)]
fn await_yields(spread: &mut Spread, stamp: impl Fn(Instant) -> Instant) {
    for _ in 0..YIELDS.load(Ordering::Relaxed) {
        let now = stamp(yield_turn());
        add_yield(spread, now);
    }
}

/// Not inlined, so that the stamp of the next turn does not wait for what this needs.
#[inline(never)]
fn add_yield(spread: &mut Spread, now: Instant) {
    spread.add(now.since(Instant::from_half_ticks(STAMP.load(Ordering::Relaxed))));
}

/// Keeps the processor busy until no slot runs any more. False where the table has no such task.
#[must_use]
pub(crate) fn keep_busy() -> bool {
    let is_present = BUSY_IS_PRESENT.load(Ordering::Relaxed);
    if is_present {
        BUSY.set();
    }
    is_present
}

/// How long it took from the first's stamp, through its yield, to the second's first statement, so many times: by the clock,
/// or by the cycle counter. `None` where the table has no such tasks.
pub(crate) fn yields(count: u32, by_cycles: bool) -> Option<Spread> {
    if !(FIRST_IS_PRESENT.load(Ordering::Relaxed) && SECOND_IS_PRESENT.load(Ordering::Relaxed)) {
        return None;
    }
    YIELDS.store(count, Ordering::Relaxed);
    BY_CYCLES.store(by_cycles, Ordering::Relaxed);
    SECOND.set();
    YIELDS_ARE_DONE.wait();
    SPREAD.take().map(|spread| *spread)
}
