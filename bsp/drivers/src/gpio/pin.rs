// SPDX-License-Identifier: MIT OR Apache-2.0
//! A pin by its number, and what it can be set to.

/// How many pins the chip has.
const PINS: u8 = 58;

/// The number of a pin, 0..=57: GPIO17 is 17. Pins 0 to 27 are on the board's header; the others are wired on the board,
/// some of them by and for the firmware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinNumber(u8);

impl PinNumber {
    /// How many pins there are.
    pub const COUNT: usize = PINS as usize;

    /// The pin of a number known when the program is built; the build stops if it is not 0..=57.
    #[must_use]
    #[inline(always)]
    pub const fn at<const NUMBER: u8>() -> Self {
        const { assert!(NUMBER < PINS, "takt: the BCM2711 has pins 0 to 57; choose one of these") };
        Self(NUMBER)
    }

    /// The pin of a number; `None` if it is not 0..=57.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < PINS { Some(Self(number)) } else { None }
    }

    /// The number, 0..=57.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The pin's bit in the registers of one bit a pin.
    #[inline(always)]
    pub(super) const fn bit(self) -> u32 {
        1_u32.wrapping_shl(self.0 as u32)
    }

    /// The one of two registers of one bit a pin that has this pin.
    #[inline(always)]
    pub(super) const fn of<R>(self, [first, second]: &[R; 2]) -> &R {
        if self.0 < 32 { first } else { second }
    }

    /// Where the pin's field is in registers of so many fields of so many bits: the register, and by how much the field is
    /// shifted.
    pub(super) const fn place(self, fields: u8, bits: u8) -> (usize, u32) {
        match (self.0.checked_div(fields), self.0.checked_rem(fields)) {
            (Some(register), Some(field)) => (register as usize, (field as u32).wrapping_mul(bits as u32)),
            _ => (0, 0),
        }
    }
}

/// What a pin is for `[HW 5.3]`. Which device an alternate connects depends on the pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// Its level is read.
    Input,
    /// Its level is driven by `GPSET` and `GPCLR`.
    Output,
    /// Belongs to the pin's device 0.
    Alternate0,
    /// Belongs to the pin's device 1.
    Alternate1,
    /// Belongs to the pin's device 2.
    Alternate2,
    /// Belongs to the pin's device 3.
    Alternate3,
    /// Belongs to the pin's device 4.
    Alternate4,
    /// Belongs to the pin's device 5.
    Alternate5,
}

impl Function {
    /// Alternate `n`, 0..=5; `None` beyond.
    #[must_use]
    pub const fn alternate(n: u8) -> Option<Self> {
        match n {
            0 => Some(Self::Alternate0),
            1 => Some(Self::Alternate1),
            2 => Some(Self::Alternate2),
            3 => Some(Self::Alternate3),
            4 => Some(Self::Alternate4),
            5 => Some(Self::Alternate5),
            _ => None,
        }
    }

    /// The three bits in `GPFSEL`; the alternates are not in their order.
    pub(super) const fn bits(self) -> u32 {
        match self {
            Self::Input => 0b000,
            Self::Output => 0b001,
            Self::Alternate0 => 0b100,
            Self::Alternate1 => 0b101,
            Self::Alternate2 => 0b110,
            Self::Alternate3 => 0b111,
            Self::Alternate4 => 0b011,
            Self::Alternate5 => 0b010,
        }
    }

    /// What bits 2:0 mean; higher ones are somebody else's.
    pub(super) const fn from_bits(bits: u32) -> Self {
        match bits & 0b111 {
            0b000 => Self::Input,
            0b001 => Self::Output,
            0b010 => Self::Alternate5,
            0b011 => Self::Alternate4,
            0b100 => Self::Alternate0,
            0b101 => Self::Alternate1,
            0b110 => Self::Alternate2,
            _ => Self::Alternate3,
        }
    }
}

/// What holds a pin that nobody drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pull {
    /// Nothing.
    None,
    /// About 50 kΩ to 3.3 V.
    Up,
    /// About 50 kΩ to ground.
    Down,
}

impl Pull {
    /// The two bits in `GPIO_PUP_PDN_CNTRL_REG`.
    pub(super) const fn bits(self) -> u32 {
        match self {
            Self::None => 0b00,
            Self::Up => 0b01,
            Self::Down => 0b10,
        }
    }

    /// What bits 1:0 mean; higher ones are somebody else's.
    pub(super) const fn from_bits(bits: u32) -> Option<Self> {
        match bits & 0b11 {
            0b00 => Some(Self::None),
            0b01 => Some(Self::Up),
            0b10 => Some(Self::Down),
            _ => None,
        }
    }
}
