// SPDX-License-Identifier: MIT OR Apache-2.0
//! The virtual timer of this core: INTID 27. The executive leaves it to measurements.
//!
//! It is the generic timer's twin (see [`generic_timer`](crate::generic_timer)), with the same counter, since the boot
//! code sets the offset between the two to 0: it can raise an interrupt at any tick, whatever releases the tasks.

use aarch64_cpu::asm::barrier;
use aarch64_cpu::registers::{CNTV_CTL_EL0, CNTV_CVAL_EL0};
use tock_registers::interfaces::Writeable;

/// Arms the timer for the counter value `ticks`; one that has passed raises the interrupt at once.
#[inline(always)]
pub fn arm(ticks: u64) {
    CNTV_CVAL_EL0.set(ticks);
    barrier::isb(barrier::SY);
}

/// Withdraws the interrupt. Barrier (c), an `ISB`, makes that effective before an end of interrupt that follows.
#[inline(always)]
pub fn withdraw() {
    arm(u64::MAX);
}

/// Lets the timer raise its interrupt; arm or withdraw it first.
pub fn enable() {
    CNTV_CTL_EL0.write(CNTV_CTL_EL0::ENABLE::SET);
    barrier::isb(barrier::SY);
}
