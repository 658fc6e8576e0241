//! The interrupt that is fired at a chosen tick, and what its handler, and the task that it may wake, saw.

use core::arch::asm;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use takt::Event;
use takt::rpi4::{counter, interrupts, map, virtual_timer};

use crate::WAKES;

/// The virtual timer's.
pub(crate) const INTID: u16 = map::VIRTUAL_TIMER_INTID.number();

/// An offset for a path that is to run undisturbed.
pub(crate) const NEVER: u64 = 1 << 40;

/// How far behind the start of the trial's clock a path begins that a task starts: instructions that anyone may
/// interrupt, so that the first offsets find the timer armed and the path not begun.
const LEAD_NOPS: usize = 32;

/// How long behind the due tick a second interrupt would have come.
const SETTLED: u64 = 1_000;
/// How long behind the due tick nothing is waited for any more: longer than any step of a task.
const LOST: u64 = 100_000;

static OFFSET: AtomicU64 = AtomicU64::new(NEVER);
static STARTED: AtomicU64 = AtomicU64::new(0);
static ENDED: AtomicU64 = AtomicU64::new(0);
static DUE: AtomicU64 = AtomicU64::new(0);
static CAME: AtomicU64 = AtomicU64::new(0);
static INTERRUPTED: AtomicU64 = AtomicU64::new(0);
static TIMES: AtomicU32 = AtomicU32::new(0);
static RAN: AtomicU64 = AtomicU64::new(0);
static TIMES_RUN: AtomicU32 = AtomicU32::new(0);

/// What the most urgent task waits for.
pub(crate) static WAKE: Event = Event::new();

/// What was seen of a trial.
pub(crate) struct Trial {
    /// The handler's first statement less the due tick.
    pub(crate) latency: u64,
    /// The instruction before which it came; 0 for the idle task, which calls the handler itself.
    pub(crate) interrupted: u64,
    /// The woken task's first statement less the due tick.
    pub(crate) task: u64,
    /// How often the handler came.
    pub(crate) times: u32,
    /// How often the woken task ran.
    pub(crate) times_run: u32,
}

/// What the handler does in any case.
#[inline(always)]
pub(crate) fn fired() {
    let now = counter::ticks();
    let interrupted: u64;
    // SAFETY: reading the register has no effect. Nobody was interrupted since the vector, or what it did for this
    // interrupt has restored what it found; a direct handler runs masked.
    unsafe { asm!("mrs {}, elr_el1", out(reg) interrupted, options(nomem, nostack, preserves_flags)) };
    virtual_timer::withdraw();
    CAME.store(now, Ordering::Relaxed);
    INTERRUPTED.store(interrupted, Ordering::Relaxed);
    TIMES.fetch_add(1, Ordering::Relaxed);
}

/// The most urgent task: notes when it came, and leaves no other trace.
pub(crate) fn woken() -> ! {
    loop {
        WAKE.wait();
        RAN.store(counter::ticks(), Ordering::Relaxed);
        TIMES_RUN.fetch_add(1, Ordering::Relaxed);
    }
}

/// Before a trial: the interrupt shall be due `offset` ticks after its start.
pub(crate) fn prepare(offset: u64) {
    OFFSET.store(offset, Ordering::Relaxed);
    TIMES.store(0, Ordering::Relaxed);
    TIMES_RUN.store(0, Ordering::Relaxed);
}

/// Whether nobody disturbs this run of a path.
pub(crate) fn is_undisturbed() -> bool {
    OFFSET.load(Ordering::Relaxed) == NEVER
}

/// Starts the trial's clock now, for a path that follows directly.
#[inline(always)]
pub(crate) fn start() {
    start_at(counter::ticks());
    // SAFETY: `nop` does nothing.
    unsafe { asm!(".rept {nops}", "nop", ".endr", nops = const LEAD_NOPS, options(nostack, preserves_flags)) };
}

/// Starts the trial's clock at the counter value `start`.
#[inline(always)]
pub(crate) fn start_at(start: u64) {
    let due = start + OFFSET.load(Ordering::Relaxed);
    STARTED.store(start, Ordering::Relaxed);
    DUE.store(due, Ordering::Relaxed);
    // For the idle task, whose interrupts are no exceptions and leave the register alone.
    // SAFETY: a task calls this, and the vector that interrupts it writes the register itself.
    unsafe { asm!("msr elr_el1, xzr", options(nomem, nostack, preserves_flags)) };
    virtual_timer::arm(due);
}

/// Ends the path here, or `extra` ticks further on.
#[inline(always)]
pub(crate) fn end(extra: u64) {
    end_at(counter::ticks() + extra);
}

/// Ends the path at the counter value `end`.
#[inline(always)]
pub(crate) fn end_at(end: u64) {
    ENDED.store(end, Ordering::Relaxed);
}

/// How long the path was, from the trial's start.
pub(crate) fn length() -> u64 {
    ENDED.load(Ordering::Relaxed).saturating_sub(STARTED.load(Ordering::Relaxed))
}

/// What was seen, once all of it can have come.
pub(crate) fn result() -> Trial {
    let due = DUE.load(Ordering::Relaxed);
    let is_missing = || TIMES.load(Ordering::Relaxed) == 0 || (WAKES && TIMES_RUN.load(Ordering::Relaxed) == 0);
    while counter::ticks() < due + SETTLED || (is_missing() && counter::ticks() < due + LOST) {
        interrupts::yield_hint();
    }
    Trial {
        latency: CAME.load(Ordering::Relaxed).wrapping_sub(due),
        interrupted: INTERRUPTED.load(Ordering::Relaxed),
        task: RAN.load(Ordering::Relaxed).wrapping_sub(due),
        times: TIMES.load(Ordering::Relaxed),
        times_run: TIMES_RUN.load(Ordering::Relaxed),
    }
}

/// A path of which the end alone is walked: how long it took when nobody disturbed it.
pub(crate) struct Tail(AtomicU64);

impl Tail {
    /// Of unknown length.
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// The path begins: starts the trial's clock `ticks` before its end. Answers when it began.
    pub(crate) fn start(&self, ticks: u64) -> u64 {
        let begun = counter::ticks();
        start_at(begun + self.0.load(Ordering::Relaxed).saturating_sub(ticks));
        begun
    }

    /// The path that began at `begun` ends.
    pub(crate) fn end(&self, begun: u64) {
        end(0);
        if is_undisturbed() {
            self.0.store(ENDED.load(Ordering::Relaxed) - begun, Ordering::Relaxed);
        }
    }
}
