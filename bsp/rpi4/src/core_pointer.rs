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

/// As [`get`], read once more: for behind a call, over which the compiler would keep what it read before in a register that
/// it has to save for that.
#[inline(always)]
pub fn get_again() -> *mut () {
    let pointer: *mut ();
    // SAFETY: as in `get`.
    unsafe { asm!("mrs {}, tpidrro_el0", out(reg) pointer, options(nomem, nostack, preserves_flags)) };
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

/// The same pointer, of which the compiler knows no more than that it is in a register: it then reaches the fields of what
/// it points to from there, where of a static it would make the address of each anew. No instruction of its own.
#[inline(always)]
#[must_use]
#[expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read or written")]
pub fn keep_in_register<T>(pointer: *mut T) -> *mut T {
    let mut kept = pointer;
    // SAFETY: there is no instruction.
    unsafe { asm!("/* {} */", inout(reg) kept, options(pure, nomem, nostack, preserves_flags)) };
    kept
}
