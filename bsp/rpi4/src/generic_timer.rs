// SPDX-License-Identifier: MIT OR Apache-2.0
//! The generic timer of this core: the EL1 physical timer, INTID 30.
//!
//! Its condition is `CNTP_CVAL_EL0 <= CNTPCT_EL0`, not equality, so a compare value in the past asserts at once
//! [ARM D11.2.4]: nobody has to look at the clock after arming. The interrupt is a level that goes away when the
//! compare value moves into the future.

use aarch64_cpu::asm::barrier;
use aarch64_cpu::registers::{CNTP_CTL_EL0, CNTP_CVAL_EL0};
use tock_registers::interfaces::Writeable;

/// Arms the timer for the counter value `ticks`. Barrier (c), an `ISB`, makes the new value effective before an end of
/// interrupt that follows.
#[inline(always)]
pub fn arm(ticks: u64) {
    CNTP_CVAL_EL0.set(ticks);
    barrier::isb(barrier::SY);
}

/// Lets the timer raise its interrupt; arm it first.
pub fn enable() {
    CNTP_CTL_EL0.write(CNTP_CTL_EL0::ENABLE::SET);
    barrier::isb(barrier::SY);
}

/// Lets the timer raise no interrupt.
pub fn disable() {
    CNTP_CTL_EL0.write(CNTP_CTL_EL0::ENABLE::CLEAR);
    barrier::isb(barrier::SY);
}
