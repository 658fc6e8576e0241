// SPDX-License-Identifier: MIT OR Apache-2.0
//! The few A64 instructions that matter on the way of a release and in a masked section [ARM C6.2].

/// A barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Barrier {
    /// `DSB`, of any kind.
    Dsb,
    /// `DMB`, of any kind.
    Dmb,
    /// `ISB`.
    Isb,
}

impl Barrier {
    /// The barrier that this instruction is.
    #[must_use]
    pub fn of(word: u32) -> Option<Self> {
        // Bits 11 to 8, CRm, say which accesses it is about.
        match word & 0xFFFF_F0FF {
            0xD503_309F => Some(Self::Dsb),
            0xD503_30BF => Some(Self::Dmb),
            0xD503_30DF => Some(Self::Isb),
            _ => None,
        }
    }

    /// Its name in the manual, in small letters.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Dsb => "dsb",
            Self::Dmb => "dmb",
            Self::Isb => "isb",
        }
    }
}

/// `ERET`: the end of an interrupt that goes back.
#[must_use]
pub fn is_exception_return(word: u32) -> bool {
    word == 0xD69F_03E0
}

/// `WFI`: the idle task again.
#[must_use]
pub fn is_wait_for_interrupt(word: u32) -> bool {
    word == 0xD503_207F
}

/// `MSR SPSel, #0`: to a task's own stack.
#[must_use]
pub fn selects_the_task_stack(word: u32) -> bool {
    word == 0xD500_40BF
}

/// `MSR DAIFClr, #…` with the bit for interrupts (2).
#[must_use]
pub fn unmasks_interrupts(word: u32) -> bool {
    word & 0xFFFF_F0FF == 0xD503_40FF && word & 0x200 != 0
}

/// `MSR DAIFSet, #…` with the bit for interrupts (2).
#[must_use]
pub fn masks_interrupts(word: u32) -> bool {
    word & 0xFFFF_F0FF == 0xD503_40DF && word & 0x200 != 0
}

/// The register into which `MRS Xt, DAIF` reads whether interrupts are masked, in its bit 7.
#[must_use]
pub fn reads_the_mask(word: u32) -> Option<u32> {
    (word & 0xFFFF_FFE0 == 0xD53B_4220).then_some(word & 0x1F)
}

/// `MRS Xt, ISR_EL1`: is an interrupt pending?
#[must_use]
pub fn asks_for_interrupts(word: u32) -> bool {
    word & 0xFFFF_FFE0 == 0xD538_C100
}

/// `MRS Xt, CNTPCT_EL0`.
#[must_use]
pub fn reads_the_counter(word: u32) -> bool {
    word & 0xFFFF_FFE0 == 0xD53B_E020
}

#[cfg(test)]
mod tests {
    use super::*;

    // Encodings as GNU as makes them.
    const DSB_SY: u32 = 0xD503_3F9F;
    const DSB_ST: u32 = 0xD503_3E9F;
    const DMB_ISHST: u32 = 0xD503_3ABF;
    const DMB_ISHLD: u32 = 0xD503_39BF;
    const ISB: u32 = 0xD503_3FDF;
    const NOP: u32 = 0xD503_201F;
    const DAIFCLR_2: u32 = 0xD503_42FF;
    const DAIFCLR_6: u32 = 0xD503_46FF;
    const DAIFCLR_4: u32 = 0xD503_44FF;
    const DAIFSET_2: u32 = 0xD503_42DF;
    const DAIFSET_15: u32 = 0xD503_4FDF;
    const DAIFSET_4: u32 = 0xD503_44DF;
    const MRS_X8_DAIF: u32 = 0xD53B_4228;
    const MRS_X0_ISR: u32 = 0xD538_C100;
    const SPSEL_0: u32 = 0xD500_40BF;
    const SPSEL_1: u32 = 0xD500_41BF;
    const MRS_X0_CNTPCT: u32 = 0xD53B_E020;
    const MRS_X9_CNTPCT: u32 = 0xD53B_E029;
    const MRS_X0_CNTVCT: u32 = 0xD53B_E040;

    #[test]
    fn barriers_are_told_apart() {
        assert_eq!([DSB_SY, DSB_ST].map(Barrier::of), [Some(Barrier::Dsb); 2]);
        assert_eq!([DMB_ISHST, DMB_ISHLD].map(Barrier::of), [Some(Barrier::Dmb); 2]);
        assert_eq!(Barrier::of(ISB), Some(Barrier::Isb));
        assert_eq!([NOP, DAIFSET_2, MRS_X0_CNTPCT].map(Barrier::of), [None; 3]);
    }

    #[test]
    fn the_marks_of_a_release_are_known_from_their_like() {
        assert!(is_exception_return(0xD69F_03E0) && !is_exception_return(0xD65F_03C0));
        assert!(is_wait_for_interrupt(0xD503_207F) && !is_wait_for_interrupt(NOP));
        assert!(selects_the_task_stack(SPSEL_0) && !selects_the_task_stack(SPSEL_1));
        assert!([DAIFCLR_2, DAIFCLR_6].into_iter().all(unmasks_interrupts));
        assert!(![DAIFCLR_4, DAIFSET_2].into_iter().any(unmasks_interrupts));
        assert!([MRS_X0_CNTPCT, MRS_X9_CNTPCT].into_iter().all(reads_the_counter));
        assert!(!reads_the_counter(MRS_X0_CNTVCT));
    }

    #[test]
    fn the_marks_of_a_masked_section_are_known_from_their_like() {
        assert!([DAIFSET_2, DAIFSET_15].into_iter().all(masks_interrupts));
        assert!(![DAIFSET_4, DAIFCLR_2, DAIFCLR_6].into_iter().any(masks_interrupts));
        assert_eq!([MRS_X8_DAIF, MRS_X0_ISR, DAIFSET_2].map(reads_the_mask), [Some(8), None, None]);
        assert!(asks_for_interrupts(MRS_X0_ISR) && !asks_for_interrupts(MRS_X8_DAIF));
    }
}
