//! The direct handler that is fired at a chosen tick, and what it saw.

use core::arch::asm;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use takt::rpi4::{counter, interrupts, virtual_timer};

/// An offset for a path that is to run undisturbed.
pub(crate) const NEVER: u64 = 1 << 40;

/// How far behind the start of the trial's clock a path begins that a task starts: instructions that anyone may
/// interrupt, so that the first offsets find the timer armed and the path not begun.
const LEAD_NOPS: usize = 32;

static OFFSET: AtomicU64 = AtomicU64::new(NEVER);
static STARTED: AtomicU64 = AtomicU64::new(0);
static ENDED: AtomicU64 = AtomicU64::new(0);
static DUE: AtomicU64 = AtomicU64::new(0);
static CAME: AtomicU64 = AtomicU64::new(0);
static INTERRUPTED: AtomicU64 = AtomicU64::new(0);
static TIMES: AtomicU32 = AtomicU32::new(0);

/// What the direct handler saw.
pub(crate) struct Trial {
    /// Its first statement less the due tick.
    pub(crate) latency: u64,
    /// The instruction before which it came; 0 for the idle task, which calls the handler itself.
    pub(crate) interrupted: u64,
}

/// The direct handler.
pub(crate) fn fired() {
    let now = counter::ticks();
    let interrupted: u64;
    // SAFETY: reading the register has no effect. The handler runs masked, so it holds what the vector found.
    unsafe { asm!("mrs {}, elr_el1", out(reg) interrupted, options(nomem, nostack, preserves_flags)) };
    virtual_timer::withdraw();
    CAME.store(now, Ordering::Relaxed);
    INTERRUPTED.store(interrupted, Ordering::Relaxed);
    TIMES.fetch_add(1, Ordering::Relaxed);
}

/// Before a trial: the direct handler shall come `offset` ticks after its start.
pub(crate) fn prepare(offset: u64) {
    OFFSET.store(offset, Ordering::Relaxed);
    TIMES.store(0, Ordering::Relaxed);
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
    ENDED.store(counter::ticks() + extra, Ordering::Relaxed);
}

/// How long the path was, from the trial's start.
pub(crate) fn length() -> u64 {
    ENDED.load(Ordering::Relaxed).saturating_sub(STARTED.load(Ordering::Relaxed))
}

/// What the direct handler saw, once it came; `None` where it did not come exactly once.
pub(crate) fn result() -> Option<Trial> {
    let due = DUE.load(Ordering::Relaxed);
    while counter::ticks() < due + 1_000 {
        interrupts::yield_hint();
    }
    let latency = CAME.load(Ordering::Relaxed).wrapping_sub(due);
    let interrupted = INTERRUPTED.load(Ordering::Relaxed);
    (TIMES.load(Ordering::Relaxed) == 1).then_some(Trial { latency, interrupted })
}
