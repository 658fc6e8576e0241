// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which board this is.

/// The board's revision code `[HW 6]`. It is of the new style: boards with the old one have no core that this runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardRevision(u32);

/// The boards with a BCM2711, and any other by its type number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Raspberry Pi 4 Model B, type 0x11.
    Rpi4B,
    /// Raspberry Pi 400, type 0x13.
    Rpi400,
    /// Compute Module 4, type 0x14.
    Cm4,
    /// Something else.
    Other(u8),
}

impl BoardRevision {
    /// The board with this code.
    #[must_use]
    pub const fn new(code: u32) -> Self {
        Self(code)
    }

    /// The code itself, as printed by the firmware in hexadecimal: 0xB03115 in QEMU `[HW 12]`.
    #[must_use]
    pub const fn code(self) -> u32 {
        self.0
    }

    /// All memory of the board in MiB: bits 22:20, doubling from 256.
    #[must_use]
    pub const fn memory_mib(self) -> u32 {
        256_u32.wrapping_shl(self.0 >> 20 & 0b111)
    }

    /// The model: bits 11:4.
    #[must_use]
    pub const fn model(self) -> Model {
        match (self.0 >> 4 & 0xFF) as u8 {
            0x11 => Model::Rpi4B,
            0x13 => Model::Rpi400,
            0x14 => Model::Cm4,
            other => Model::Other(other),
        }
    }

    /// The revision of the board, 5 for "1.5": bits 3:0.
    #[must_use]
    pub const fn revision(self) -> u8 {
        (self.0 & 0xF) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_the_code() {
        // HARDWARE 6 and 12: QEMU's board, then one of each other kind.
        let qemu = BoardRevision::new(0x00B0_3115);
        assert_eq!((qemu.memory_mib(), qemu.model(), qemu.revision()), (2048, Model::Rpi4B, 5));
        let of = |code| (BoardRevision::new(code).memory_mib(), BoardRevision::new(code).model());
        assert_eq!(of(0x00C0_3130), (4096, Model::Rpi400));
        assert_eq!(of(0x00D0_3141), (8192, Model::Cm4));
        assert_eq!(of(0x00A0_2082), (1024, Model::Other(0x08)));
    }
}
