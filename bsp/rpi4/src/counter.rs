// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counter that is clock, deadline and stamp, and the cycle counter.

use core::arch::asm;

use aarch64_cpu::registers::CNTFRQ_EL0;
use takt_drivers::clock::Clock;
use tock_registers::interfaces::Readable;

use crate::interrupts;

/// Reads `CNTPCT_EL0`. The read stays where it is among memory and device accesses; it is not preceded by an `ISB`,
/// so the core may read it a few instructions early, except directly after taking an exception, which synchronises.
#[inline(always)]
pub fn ticks() -> u64 {
    let ticks: u64;
    // SAFETY: reading the counter has no effect. Not `nomem`, so that the compiler moves no access across the stamp.
    unsafe { asm!("mrs {}, cntpct_el0", out(reg) ticks, options(nostack, preserves_flags)) };
    ticks
}

/// The counter's frequency in Hz as the firmware declared it: 54,000,000 on a board [HW 1.3], 62,500,000 in QEMU.
pub fn frequency_hz() -> u64 {
    CNTFRQ_EL0.get()
}

/// The counter, as what bounds the waits of drivers. A look at it gives the other emulated cores a turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counter;

impl Clock for Counter {
    fn ticks(&self) -> u64 {
        interrupts::yield_hint();
        ticks()
    }

    fn rate_hz(&self) -> u64 {
        frequency_hz()
    }
}

/// Lets `PMCCNTR_EL0` count this core's clock cycles at EL1 [HW 4.4]. `aarch64-cpu` does not have these registers.
pub fn enable_cycle_counter() {
    // PMCR_EL0: enable, reset both kinds of counter, 64 bits. PMCCFILTR_EL0: count at EL1.
    // SAFETY: the performance monitors are ours, and touch no memory.
    unsafe {
        asm!(
            "msr pmcr_el0, {control}",
            "msr pmccfiltr_el0, xzr",
            "msr pmcntenset_el0, {cycle_counter}",
            "msr pmuserenr_el0, xzr",
            "isb",
            control = in(reg) 0x47_u64,
            cycle_counter = in(reg) 1_u64 << 31,
            options(nomem, nostack, preserves_flags),
        );
    }
}

/// Clock cycles of this core; in QEMU nanoseconds of virtual time. Starts at 0 at boot.
#[inline(always)]
pub fn cycles() -> u64 {
    let cycles: u64;
    // SAFETY: reading the counter has no effect.
    unsafe { asm!("mrs {}, pmccntr_el0", out(reg) cycles, options(nostack, preserves_flags)) };
    cycles
}
