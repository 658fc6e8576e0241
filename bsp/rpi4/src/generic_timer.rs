//! The generic timer of this core: the EL1 physical timer, INTID 30.
//!
//! Its condition is `CNTP_CVAL_EL0 <= CNTPCT_EL0`, not equality, so a compare value in the past asserts at once
//! [ARM D11.2.4]: nobody has to look at the clock after arming. The interrupt is a level that goes away when the
//! compare value moves into the future.

use core::arch::asm;

/// Arms the timer for the counter value `ticks`. Barrier (c), an `ISB`, makes the new value effective before an end of
/// interrupt that follows.
#[inline(always)]
pub fn arm(ticks: u64) {
    // SAFETY: the timer touches no memory.
    unsafe { asm!("msr cntp_cval_el0, {}", "isb", in(reg) ticks, options(nostack, preserves_flags)) };
}

/// Lets the timer raise its interrupt; arm it first.
pub fn enable() {
    // SAFETY: as above.
    unsafe { asm!("msr cntp_ctl_el0, {}", "isb", in(reg) 1_u64, options(nostack, preserves_flags)) };
}

/// Keeps the timer from raising its interrupt.
pub fn disable() {
    // SAFETY: as above.
    unsafe { asm!("msr cntp_ctl_el0, xzr", "isb", options(nostack, preserves_flags)) };
}
