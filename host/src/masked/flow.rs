// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where an instruction leads, and which registers it may change [ARM C4.1].

/// Where an instruction leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// To the one behind it.
    Next,
    /// To another place: `B`.
    Jump(u64),
    /// To another place or the one behind it: `B.cond`, `CBZ`, `CBNZ`.
    Branch(u64),
    /// The same by one bit of a register: `TBZ`, `TBNZ`.
    BitTest {
        /// The register's number.
        register: u32,
        /// Which bit, 0 to 63.
        bit: u32,
        /// Whether it leads to the target when the bit is 1.
        when_set: bool,
        /// Where to.
        target: u64,
    },
    /// To another place, which returns behind it: `BL`.
    Call(u64),
    /// The same with the place in a register: `BLR`.
    CallThroughPointer,
    /// To the place in a register: `BR`.
    JumpThroughPointer,
    /// Behind the call: `RET`.
    Return,
    /// Back from an exception: `ERET`.
    ExceptionReturn,
    /// To a fault: `BRK`, `UDF`.
    Fault,
}

impl Flow {
    /// Where the instruction at `address` leads.
    #[must_use]
    pub fn of(address: u64, word: u32) -> Self {
        let to = |low, width| address.wrapping_add_signed(signed(word, low, width) * 4);
        match word {
            _ if word & 0xFC00_0000 == 0x1400_0000 => Self::Jump(to(0, 26)),
            _ if word & 0xFC00_0000 == 0x9400_0000 => Self::Call(to(0, 26)),
            _ if word & 0xFF00_0000 == 0x5400_0000 || word & 0x7E00_0000 == 0x3400_0000 => Self::Branch(to(5, 19)),
            _ if word & 0x7E00_0000 == 0x3600_0000 => Self::BitTest {
                register: word & 0x1F,
                bit: (word >> 26 & 0x20) | (word >> 19 & 0x1F),
                when_set: word & 0x0100_0000 != 0,
                target: to(5, 14),
            },
            _ if word & 0xFFFF_FC1F == 0xD61F_0000 => Self::JumpThroughPointer,
            _ if word & 0xFFFF_FC1F == 0xD63F_0000 => Self::CallThroughPointer,
            _ if word & 0xFFFF_FC1F == 0xD65F_0000 => Self::Return,
            0xD69F_03E0 => Self::ExceptionReturn,
            _ if word & 0xFFE0_001F == 0xD420_0000 || word & 0xFFFF_0000 == 0 => Self::Fault,
            _ => Self::Next,
        }
    }
}

/// What `ADR` puts into which register: the place and the register's number.
#[must_use]
pub fn place_taken(address: u64, word: u32) -> Option<(u64, u32)> {
    let offset = signed(word, 5, 19) * 4 + i64::from(word >> 29 & 3);
    (word & 0x9F00_0000 == 0x1000_0000).then(|| (address.wrapping_add_signed(offset), word & 0x1F))
}

/// The same for `ADRP` and the `ADD` behind it, which add the page and the place within it.
#[must_use]
pub fn place_taken_by_page(address: u64, adrp: u32, add: u32) -> Option<u64> {
    let pages = signed(adrp, 5, 19) * 4 + i64::from(adrp >> 29 & 3);
    let is_pair =
        adrp & 0x9F00_0000 == 0x9000_0000 && add & 0xFFC0_0000 == 0x9100_0000 && add >> 5 & 0x1F == adrp & 0x1F;
    let page = (address & !0xFFF).wrapping_add_signed(pages << 12);
    is_pair.then(|| page + u64::from(add >> 10 & 0xFFF))
}

/// Whether this stores `register`: `STR` or `STP`.
#[must_use]
pub fn stores(word: u32, register: u32) -> bool {
    let is_pair = word & 0xFE40_0000 == 0xA800_0000;
    let is_single = word & 0xFFC0_0000 == 0xF900_0000 || word & 0xFFE0_0000 == 0xF800_0000;
    (is_pair || is_single) && word & 0x1F == register || is_pair && word >> 10 & 0x1F == register
}

/// Whether this may change `register`. It says so too often rather than too seldom; a call changes what it may besides.
#[must_use]
pub fn may_change(word: u32, register: u32) -> bool {
    // What is loaded, the base where it moves, the second of a pair, the status of an exclusive store.
    let fields: &[u32] = match (word >> 25 & 0xF, word >> 27 & 0b111) {
        (kind, 0b111) if kind & 0b0101 == 0b0100 && word & 0x0100_0000 != 0 => &[0],
        (kind, 0b111) if kind & 0b0101 == 0b0100 => &[0, 5],
        (kind, 0b101) if kind & 0b0101 == 0b0100 && word & 0x0080_0000 == 0 => &[0, 10],
        (kind, 0b101) if kind & 0b0101 == 0b0100 => &[0, 5, 10],
        (kind, _) if kind & 0b0101 == 0b0100 => &[0, 5, 10, 16],
        _ => &[0],
    };
    fields.iter().any(|low| word >> low & 0x1F == register)
}

/// The register in which an exclusive store says whether it failed: `STXR`, `STLXR`.
#[must_use]
pub fn failure_of_exclusive_store(word: u32) -> Option<u32> {
    (word & 0x3FE0_0000 == 0x0800_0000).then_some(word >> 16 & 0x1F)
}

/// A field of an instruction as a number with a sign.
fn signed(word: u32, low: u32, width: u32) -> i64 {
    i64::from(word) << (64 - low - width) >> (64 - width)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Encodings as GNU as makes them, at 0x1000.
    #[test]
    fn branches_lead_where_the_assembler_meant() {
        let flow = |word| Flow::of(0x1000, word);
        assert_eq!(flow(0x1400_0002), Flow::Jump(0x1008));
        assert_eq!(flow(0x17FF_FFFF), Flow::Jump(0xFFC));
        assert_eq!(flow(0x9400_0004), Flow::Call(0x1010));
        assert_eq!(flow(0x54FF_FFE0), Flow::Branch(0xFFC)); // b.eq
        assert_eq!(flow(0xB400_0040), Flow::Branch(0x1008)); // cbz x0
        assert_eq!(flow(0x3500_0041), Flow::Branch(0x1008)); // cbnz w1
        assert_eq!(flow(0x3738_0048), Flow::BitTest { register: 8, bit: 7, when_set: true, target: 0x1008 }); // tbnz w8, #7
        assert_eq!(flow(0xB600_0041), Flow::BitTest { register: 1, bit: 32, when_set: false, target: 0x1008 });
    }

    #[test]
    fn the_other_ways_are_told_apart() {
        let flow = |word| Flow::of(0x1000, word);
        assert_eq!(flow(0xD61F_0120), Flow::JumpThroughPointer);
        assert_eq!(flow(0xD63F_0100), Flow::CallThroughPointer);
        assert_eq!(flow(0xD65F_03C0), Flow::Return);
        assert_eq!(flow(0xD69F_03E0), Flow::ExceptionReturn);
        assert_eq!([flow(0xD420_0020), flow(0x0000_0000)], [Flow::Fault; 2]); // brk #1, udf #0
        assert_eq!([flow(0xD503_201F), flow(0xF940_0001), flow(0xD503_42DF)], [Flow::Next; 3]);
    }

    #[test]
    fn places_are_taken_by_one_instruction_or_two() {
        assert_eq!(place_taken(0x1000, 0x1000_0049), Some((0x1008, 9))); // adr x9, 0x1008
        assert_eq!(place_taken(0x1000, 0x30FF_FFE3), Some((0xFFD, 3))); // adr x3, 0xffd
        assert_eq!(place_taken(0x1000, 0x9000_0009), None);
        assert_eq!(place_taken_by_page(0x1234, 0xB000_0009, 0x9100_4129), Some(0x2010)); // adrp x9, 0x2000; add x9, x9, #16
        assert_eq!(place_taken_by_page(0x1234, 0xB000_0009, 0x9100_4108), None); // another register
    }

    #[test]
    fn stores_and_changes_are_seen() {
        assert!(stores(0xA90B_27EA, 9) && stores(0xA90B_27EA, 10) && !stores(0xA90B_27EA, 8)); // stp x10, x9, [sp, #176]
        assert!(stores(0xF900_0509, 9) && !stores(0xF940_0509, 9)); // str, ldr x9, [x8, #8]
        assert!(may_change(0xF940_0509, 9) && may_change(0xAA01_03E8, 8) && !may_change(0xAA01_03E8, 1)); // mov x8, x1
        assert!(!may_change(0xF940_B16B, 12)); // ldr x11, [x11, #352]: 12 is in the offset
        assert!(may_change(0xA8C1_4FFE, 30) && may_change(0xA8C1_4FFE, 19)); // ldp x30, x19, [sp], #16
        assert_eq!(failure_of_exclusive_store(0xC80A_7D09), Some(10)); // stxr w10, x9, [x8]
        assert_eq!([0xC85F_7D09, 0xF900_0509].map(failure_of_exclusive_store), [None, None]); // ldxr, str
    }
}
