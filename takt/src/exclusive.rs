// SPDX-License-Identifier: MIT OR Apache-2.0
//! A few instructions that nobody comes between: a read, a change and a write of a register that several owners share, a
//! look at the core's state.

use takt_rpi4::interrupts;

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
