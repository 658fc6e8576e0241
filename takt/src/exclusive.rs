// SPDX-License-Identifier: MIT OR Apache-2.0
//! A few instructions that nobody comes between: a read, a change and a write of a register that several owners share, a
//! look at the core's state.

use takt_rpi4::interrupts;

use crate::home;

/// Runs `change` with interrupts masked, and leaves them as they were. Anyone may call this, handlers included.
#[inline(always)]
pub(crate) fn exclusively<R>(change: impl FnOnce() -> R) -> R {
    let were_masked = interrupts::are_masked();
    interrupts::mask();
    let result = change();
    if !were_masked {
        // SAFETY: they were unmasked before, and `change` has ended.
        unsafe { interrupts::unmask() };
    }
    result
}

/// As [`exclusively`], for a register of a device, which another core could change at the same time: on core 0 alone. `what`
/// is for the sentence with which the run ends elsewhere: "a pin is set up".
#[inline(always)]
pub(crate) fn device_exclusively<R>(what: &str, change: impl FnOnce() -> R) -> R {
    home::only_on_core_0(what);
    exclusively(change)
}
