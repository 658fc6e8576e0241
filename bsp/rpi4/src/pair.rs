// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two words stored at once.

use core::arch::asm;

/// Stores `first` and `second` at `place` and answers the address behind them: one instruction, where the compiler often
/// takes two.
///
/// # Safety
/// `place` points at two words that are the caller's to write.
#[inline(always)]
pub unsafe fn store<T>(mut place: *mut T, first: u64, second: u64) -> *mut T {
    // SAFETY: the caller's.
    unsafe {
        asm!(
            "stp {first}, {second}, [{place}], #16",
            first = in(reg) first,
            second = in(reg) second,
            place = inout(reg) place,
            options(nostack, preserves_flags),
        );
    }
    place
}
