// SPDX-License-Identifier: MIT OR Apache-2.0
//! The gate between a task's kernel steps and the kernel's interrupt handlers, on one core.
//!
//! A task closes it for as long as it works on what the handlers share, with interrupts on: direct handlers, which share
//! nothing, come at once. A kernel interrupt that comes meanwhile is acknowledged and stamped, and *held off*: its handler
//! runs when the task opens the gate. Until then the interrupt is not ended, so the interrupt controller's running
//! priority keeps all other kernel interrupts out, and one at most is held off.
//!
//! Everybody who uses a gate runs on its core: loads and stores in program order are enough, and only the compiler has to
//! be kept from moving others across.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, Ordering, compiler_fence};

use takt_kernel::time::Instant;
use takt_rpi4::drivers::gic400::Acknowledged;

use crate::fault;

/// A kernel interrupt whose handler has not run.
pub(crate) struct HeldOff {
    /// The first statement of the interrupt handler.
    pub(crate) stamp: Instant,
    /// To be ended.
    pub(crate) token: Acknowledged,
}

/// Whether a task is in a kernel step, and which interrupt came meanwhile.
pub(crate) struct Gate {
    state: AtomicU32,
    held_off: UnsafeCell<Option<HeldOff>>,
}

/// No task is in a kernel step.
const OPEN: u32 = 0;
/// One is.
const CLOSED: u32 = 1;
/// One is, and an interrupt is held off.
const KNOCKED: u32 = 2;

// SAFETY: used on one core. What is held off is written by a handler while the gate is closed, and nobody reads it before
// the task has found that, masked.
unsafe impl Sync for Gate {}

impl Gate {
    /// An open gate.
    pub(crate) const fn new() -> Self {
        Self { state: AtomicU32::new(OPEN), held_off: UnsafeCell::new(None) }
    }

    /// A task begins a kernel step.
    #[inline(always)]
    pub(crate) fn close(&self) {
        self.state.store(CLOSED, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
    }

    /// Whether a kernel handler has to wait.
    #[inline(always)]
    pub(crate) fn is_closed(&self) -> bool {
        self.state.load(Ordering::Relaxed) != OPEN
    }

    /// A kernel interrupt came, and the gate is closed.
    pub(crate) fn hold_off(&self, stamp: Instant, token: Acknowledged) {
        // SAFETY: the gate is closed, so the task does not look; and the running priority keeps other kernel interrupts out.
        unsafe { *self.held_off.get() = Some(HeldOff { stamp, token }) };
        self.state.store(KNOCKED, Ordering::Relaxed);
    }

    /// The task has ended its kernel step; interrupts are masked. Answers whether the gate is open now; else an interrupt
    /// is held off, and [`Self::open_to_held_off`] is next.
    #[inline(always)]
    #[must_use = "an interrupt that was held off has to be handled"]
    pub(crate) fn open(&self) -> bool {
        let is_quiet = self.state.load(Ordering::Relaxed) == CLOSED;
        if is_quiet {
            self.state.store(OPEN, Ordering::Relaxed);
        }
        is_quiet
    }

    /// Opens the gate and answers what was held off. Interrupts are masked, and [`Self::open`] has found the interrupt.
    pub(crate) fn open_to_held_off(&self) -> HeldOff {
        self.state.store(OPEN, Ordering::Relaxed);
        // SAFETY: interrupts are masked.
        match unsafe { (*self.held_off.get()).take() } {
            Some(held_off) => held_off,
            None => fault::nothing_held_off(),
        }
    }
}
