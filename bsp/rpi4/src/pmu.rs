// SPDX-License-Identifier: MIT OR Apache-2.0
//! The event counters of this core's performance monitors [ARM D7]. `aarch64-cpu` does not have these registers.

use core::arch::asm;

/// How many events are counted at a time: a Cortex-A72 has six counters [A72 11.2].
pub const COUNTERS: usize = 6;

/// What a counter counts, by the architecture's number [ARM D7.10].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Event {
    /// A level-1 instruction cache refill.
    L1InstructionCacheRefill = 0x01,
    /// A level-1 data cache refill.
    L1DataCacheRefill = 0x03,
    /// A level-1 data TLB refill.
    L1DataTlbRefill = 0x05,
    /// An instruction was executed to its end.
    InstructionRetired = 0x08,
    /// A level-2 data cache refill.
    L2DataCacheRefill = 0x17,
    /// An access to the bus.
    BusAccess = 0x19,
}

impl Event {
    /// Those that are counted, in the order of [`counts`].
    pub const ALL: [Self; COUNTERS] = [
        Self::InstructionRetired,
        Self::L1InstructionCacheRefill,
        Self::L1DataCacheRefill,
        Self::L2DataCacheRefill,
        Self::L1DataTlbRefill,
        Self::BusAccess,
    ];

    /// Whether this core counts it: `PMCEID0_EL0`.
    #[must_use]
    pub fn is_counted(self) -> bool {
        let counted: u64;
        // SAFETY: reading the register has no effect.
        unsafe { asm!("mrs {}, pmceid0_el0", out(reg) counted, options(nomem, nostack, preserves_flags)) };
        counted.wrapping_shr(u32::from(self as u8)) & 1 == 1
    }
}

/// Lets the counters count [`Event::ALL`] at EL1, from whatever they hold. Those of this core.
pub fn enable() {
    let [first, second, third, fourth, fifth, sixth] = Event::ALL.map(|event| u64::from(event as u8));
    // SAFETY: the performance monitors are ours, and touch no memory. The cycle counter goes on.
    unsafe {
        asm!(
            "msr pmevtyper0_el0, {first}",
            "msr pmevtyper1_el0, {second}",
            "msr pmevtyper2_el0, {third}",
            "msr pmevtyper3_el0, {fourth}",
            "msr pmevtyper4_el0, {fifth}",
            "msr pmevtyper5_el0, {sixth}",
            "msr pmcntenset_el0, {all}",
            "isb",
            first = in(reg) first,
            second = in(reg) second,
            third = in(reg) third,
            fourth = in(reg) fourth,
            fifth = in(reg) fifth,
            sixth = in(reg) sixth,
            all = in(reg) 0x3F_u64,
            options(nomem, nostack, preserves_flags),
        );
    }
}

/// What the counters hold. Each has 32 bits and goes round: subtract with wrapping.
#[must_use]
pub fn counts() -> [u32; COUNTERS] {
    let (first, second, third): (u64, u64, u64);
    let (fourth, fifth, sixth): (u64, u64, u64);
    // SAFETY: reading the counters has no effect.
    unsafe {
        asm!(
            "isb",
            "mrs {first}, pmevcntr0_el0",
            "mrs {second}, pmevcntr1_el0",
            "mrs {third}, pmevcntr2_el0",
            "mrs {fourth}, pmevcntr3_el0",
            "mrs {fifth}, pmevcntr4_el0",
            "mrs {sixth}, pmevcntr5_el0",
            first = out(reg) first,
            second = out(reg) second,
            third = out(reg) third,
            fourth = out(reg) fourth,
            fifth = out(reg) fifth,
            sixth = out(reg) sixth,
            options(nostack, preserves_flags),
        );
    }
    #[expect(clippy::cast_possible_truncation, reason = "the upper half is zero: the counters have 32 bits")]
    [first, second, third, fourth, fifth, sixth].map(|count| count as u32)
}
