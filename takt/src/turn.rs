// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a task lets others run: the kernel decides, the board switches, once in and once out.

use takt_kernel::executive::{Executive, Switch};
use takt_kernel::time::Instant;
use takt_rpi4::context::switch_voluntarily;
use takt_rpi4::interrupts;

use crate::clock;
use crate::core_state::{self, CoreState};

/// A kernel step of the running task: `decide` with interrupts masked, then switch where it says so. Returns when the
/// task runs again, with the instant at which it does.
#[inline(always)]
pub(crate) fn step(decide: impl FnOnce(&mut CoreState) -> Option<Switch>) -> Instant {
    interrupts::mask();
    // SAFETY: masked; the reference is not used after the switch.
    let core = unsafe { core_state::get() };
    let Some(switch) = decide(core) else {
        // SAFETY: the kernel's state is whole, and the vectors stand.
        unsafe { interrupts::unmask() };
        return clock::now();
    };
    let next = core.context(switch.to);
    // SAFETY:
    // - Interrupts are masked, and a task calls this.
    // - Every task's context was prepared before the first task ran, in a static.
    // - The kernel's state is whole.
    Instant::from_counter(unsafe { switch_voluntarily(next) })
}

/// Lets the next ready task of the same priority run, if there is one. Called by tasks.
#[inline(always)]
pub fn yield_turn() {
    step(|core| Executive::yield_turn(&mut core.executive));
}
