// SPDX-License-Identifier: MIT OR Apache-2.0
//! A pointer of each core's own, in `TPIDRRO_EL0`, which nothing else uses: takt keeps the core's state there.

use core::arch::asm;

/// What was [`set`] on this core; 0 before.
#[inline(always)]
pub fn get() -> *mut () {
    let pointer: *mut ();
    // SAFETY: reading the register has no effect. It changes once, before anybody reads it: `pure` and `nomem` hold.
    unsafe { asm!("mrs {}, tpidrro_el0", out(reg) pointer, options(pure, nomem, nostack, preserves_flags)) };
    pointer
}

/// Sets this core's pointer.
///
/// # Safety
/// Called once on each core, before [`get`].
pub unsafe fn set(pointer: *mut ()) {
    // SAFETY: nobody else uses the register.
    unsafe { asm!("msr tpidrro_el0, {}", in(reg) pointer, options(nostack, preserves_flags)) };
}
