// SPDX-License-Identifier: MIT OR Apache-2.0
//! Masking interrupts, and the barriers of the interrupt path.
//!
//! `aarch64-cpu` writes `DAIF` with `nomem`, which would let the compiler move memory accesses out of a masked section;
//! these do not. No barrier goes with `DAIF` (g): a write to it takes effect in order.

use core::arch::asm;

use aarch64_cpu::asm::barrier;
use aarch64_cpu::registers::{DAIF, SPSel};
use tock_registers::interfaces::Readable;

/// Masks interrupts.
#[inline(always)]
pub fn mask() {
    // SAFETY: masking can only delay a handler.
    unsafe { asm!("msr daifset, #2", options(nostack, preserves_flags)) };
}

/// Unmasks interrupts and SErrors.
///
/// # Safety
/// Nothing that a handler may touch is half changed, and the vectors stand.
#[inline(always)]
pub unsafe fn unmask() {
    // SAFETY: the caller's.
    unsafe { asm!("msr daifclr, #6", options(nostack, preserves_flags)) };
}

/// Which exceptions were masked.
#[derive(Clone, Copy, Debug)]
pub struct Masks(u64);

/// Masks interrupts, and answers what was masked before, for [`restore`].
#[inline(always)]
pub fn save_and_mask() -> Masks {
    let masks: u64;
    // SAFETY: masking can only delay a handler.
    unsafe { asm!("mrs {}, daif", "msr daifset, #2", out(reg) masks, options(nostack, preserves_flags)) };
    Masks(masks)
}

/// Masks what was masked before [`save_and_mask`], and nothing else.
///
/// # Safety
/// If this unmasks interrupts: nothing that a handler may touch is half changed, and the vectors stand.
#[inline(always)]
pub unsafe fn restore(masks: Masks) {
    // SAFETY: the caller's.
    unsafe { asm!("msr daif, {}", in(reg) masks.0, options(nostack, preserves_flags)) };
}

/// Whether interrupts are masked.
#[inline(always)]
pub fn are_masked() -> bool {
    DAIF.is_set(DAIF::I)
}

/// Whether a task runs: tasks have `SP_EL0`, everything else `SP_EL1`.
#[inline(always)]
pub fn is_on_task_stack() -> bool {
    !SPSel.is_set(SPSel::SP)
}

/// Barrier (b): the peripheral has been acknowledged before the interrupt controller hears of the end.
#[inline(always)]
pub fn device_stores_before_end_of_interrupt() {
    barrier::dsb(barrier::ST);
}

/// Barrier (a), the sender's half: what was stored for another core is seen before the interrupt that tells of it.
#[inline(always)]
pub fn inbox_stores_before_interrupt() {
    barrier::dmb(barrier::ISHST);
}

/// Barrier (a), the receiver's half: nothing is loaded that another core stored before the interrupt was acknowledged.
#[inline(always)]
pub fn interrupt_before_inbox_loads() {
    barrier::dmb(barrier::ISHLD);
}

/// Barrier (d): the configuration of the interrupt controller has arrived.
pub fn controller_is_configured() {
    barrier::dsb(barrier::SY);
    barrier::isb(barrier::SY);
}

/// Gives the other emulated cores a turn; a hint without effect on the board.
#[inline(always)]
pub fn yield_hint() {
    // SAFETY: a hint changes nothing.
    unsafe { asm!("yield", options(nomem, nostack, preserves_flags)) };
}
