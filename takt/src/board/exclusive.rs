// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers that several owners share: a read, a change and a write that nobody comes between.

use takt_rpi4::interrupts;

/// Runs `change` with interrupts masked: for one read and one write of a device, which is what a task's kernel step masks,
/// too. Anyone may call this, handlers included.
#[inline(always)]
pub(super) fn exclusively<R>(change: impl FnOnce() -> R) -> R {
    let were_masked = interrupts::are_masked();
    interrupts::mask();
    let result = change();
    if !were_masked {
        // SAFETY: they were unmasked before, and `change` has ended.
        unsafe { interrupts::unmask() };
    }
    result
}
