// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a task lets others run: the kernel decides, the board switches, once in and once out.

use takt_kernel::TaskId;
use takt_kernel::executive::Executive;
use takt_kernel::release::ReleaseCounts;
use takt_kernel::time::Instant;
use takt_rpi4::context::switch_voluntarily;
use takt_rpi4::interrupts;

use crate::core_state::{self, CoreState};
use crate::{clock, trace};

/// A kernel step of the running task: `decide`, then let the most urgent task run. Returns when this one runs again,
/// with the instant at which it does.
///
/// The gate keeps kernel handlers out until the step has ended; direct handlers come at once, except while the registers
/// change hands. A handler that was held off runs then, on the exception stack, and may choose anew.
#[inline(always)]
pub(crate) fn step(decide: impl FnOnce(&mut CoreState)) -> Instant {
    let gate = core_state::gate();
    gate.close();
    // SAFETY: the gate is closed; the reference is not used after it opens.
    let core = unsafe { core_state::get() };
    decide(core);
    let from = core.executive.running();
    let chosen = core.executive.choose();
    let next = chosen.map(|switch| core.context(switch.to));
    interrupts::mask();
    // SAFETY: masked.
    unsafe { trace::record_switch(from, chosen) };
    let next = match (gate.open(), next) {
        (true, Some(next)) => next,
        (true, None) => {
            // SAFETY: the kernel's state is whole, and the vectors stand.
            unsafe { interrupts::unmask() };
            return clock::now();
        }
        (false, _) => core_state::held_off_context(),
    };
    // SAFETY:
    // - Interrupts are masked, and a task calls this.
    // - Every task's context was prepared before the first task ran, in a static.
    // - The kernel's state is whole.
    Instant::from_counter(unsafe { switch_voluntarily(next) })
}

/// What happened to the releases of `task`. Called by tasks.
pub(crate) fn release_counts(task: TaskId) -> ReleaseCounts {
    let mut counts = ReleaseCounts::default();
    // More than is copied with interrupts masked.
    step(|core| counts = core.control_block(task).releases.counts());
    counts
}

/// Lets the next ready task of the same priority run, if there is one. Called by tasks. Returns when this one runs again,
/// with the instant at which it does.
#[inline(always)]
pub fn yield_turn() -> Instant {
    // Shorter than the gate's own instructions, so not behind it.
    interrupts::mask();
    // SAFETY: masked; the reference is not used after the switch.
    let core = unsafe { core_state::get() };
    let from = core.executive.running();
    let Some(switch) = Executive::yield_turn(&mut core.executive) else {
        // SAFETY: nothing has changed.
        unsafe { interrupts::unmask() };
        return clock::now();
    };
    let next = core.context(switch.to);
    // SAFETY: masked.
    unsafe { trace::record_switch(from, Some(switch)) };
    // SAFETY: as in `step`.
    Instant::from_counter(unsafe { switch_voluntarily(next) })
}
