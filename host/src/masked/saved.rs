// SPDX-License-Identifier: MIT OR Apache-2.0
//! What registers are known to hold of `DAIF`, where a section was masked by somebody who first asked whether it was
//! masked already.
//!
//! Such code reads `DAIF`, masks, and unmasks only if the bit read was 0. Where its section begins, it was: a section that
//! is masked already began elsewhere. Where a section reads `DAIF` again, the bit is 1.

use super::flow::{Flow, may_change};
use crate::bench::instruction::reads_the_mask;

/// The bit for interrupts in `DAIF`.
const INTERRUPTS: u32 = 7;
/// x0 to x18 and x30: what a call may change [AAPCS64 6.1.1].
const CHANGED_BY_CALLS: u32 = 0x4007_FFFF;
/// How far before the masking `DAIF` may have been read.
const LOOKBACK: u64 = 8;

/// The registers that hold `DAIF`, a bit each: read while masked, read while not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Saved {
    masked: u32,
    unmasked: u32,
}

impl Saved {
    /// What is known behind an instruction that masks, at `masking`: whatever was read shortly before it.
    pub fn at_start(masking: u64, word: impl Fn(u64) -> Option<u32>) -> Self {
        let mut saved = Self::default();
        for address in (masking.saturating_sub(4 * LOOKBACK)..masking).step_by(4) {
            match word(address) {
                Some(word) if Flow::of(address, word) == Flow::Next => {
                    saved = saved.after(word);
                    saved.unmasked |= std::mem::take(&mut saved.masked);
                }
                _ => saved = Self::default(),
            }
        }
        saved
    }

    /// What is known behind an instruction of a masked section.
    #[must_use]
    pub fn after(self, word: u32) -> Self {
        let changed = (0..31).filter(|register| may_change(word, *register)).fold(0, |all, one| all | 1 << one);
        let read = reads_the_mask(word).map_or(0, |register| 1 << register);
        Self { masked: self.masked & !changed | read, unmasked: self.unmasked & !changed }
    }

    /// What is known behind a call.
    #[must_use]
    pub fn after_call(self) -> Self {
        Self { masked: self.masked & !CHANGED_BY_CALLS, unmasked: self.unmasked & !CHANGED_BY_CALLS }
    }

    /// What a bit of a register is known to be.
    #[must_use]
    pub fn bit(self, register: u32, bit: u32) -> Option<bool> {
        let is_in = |set: u32| bit == INTERRUPTS && set.checked_shr(register).unwrap_or(0) & 1 != 0;
        match (is_in(self.masked), is_in(self.unmasked)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MRS_X8_DAIF: u32 = 0xD53B_4228;
    const MOV_X8_X1: u32 = 0xAA01_03E8;
    const NOP: u32 = 0xD503_201F;

    #[test]
    fn a_read_before_the_section_says_unmasked_and_one_in_it_masked() {
        let words = [NOP, MRS_X8_DAIF, NOP];
        let at = |address: u64| words.get(usize::try_from(address / 4).unwrap()).copied();
        assert_eq!(Saved::at_start(12, at).bit(8, 7), Some(false));
        assert_eq!(Saved::at_start(12, at).bit(8, 6), None);
        assert_eq!(Saved::at_start(4, at).bit(8, 7), None);
        assert_eq!(Saved::default().after(MRS_X8_DAIF).bit(8, 7), Some(true));
    }

    #[test]
    fn what_changes_the_register_and_a_call_end_it() {
        let saved = Saved::default().after(MRS_X8_DAIF);
        assert_eq!(saved.after(MOV_X8_X1).bit(8, 7), None);
        assert_eq!(saved.after_call().bit(8, 7), None);
        assert_eq!(Saved::default().after(MRS_X8_DAIF | 26).after_call().bit(26, 7), Some(true));
    }
}
