// SPDX-License-Identifier: MIT OR Apache-2.0
//! The chip's thermometer, in the AVS block `[HW 8.6]`. The firmware answers the same question, by mailbox, more slowly.

use core::fmt;

use tock_registers::interfaces::Readable;
use tock_registers::registers::ReadOnly;
use tock_registers::{register_bitfields, register_structs};

register_bitfields![u32,
    AVS_RO_TEMP_STATUS [
        /// One of the two bits by which the value is valid.
        VALID_16 OFFSET(16) NUMBITS(1) [],
        /// The other.
        VALID_10 OFFSET(10) NUMBITS(1) [],
        /// The code: the warmer, the smaller.
        DATA OFFSET(0) NUMBITS(10) []
    ]
];

register_structs! {
    /// The one register that is used `[HW 8.6]`, by the name that Linux gives it.
    #[allow(non_snake_case, reason = "the register's name is that of Linux")]
    pub ThermalRegisters {
        /// The ring oscillator's temperature.
        (0x00 => AVS_RO_TEMP_STATUS: ReadOnly<u32, AVS_RO_TEMP_STATUS::Register>),
        (0x04 => @END),
    }
}

/// Temperature at code 0, in thousandths of a degree Celsius `[HW 8.6]`.
const AT_CODE_0: i32 = 410_040;
/// How much colder each further step of the code is, in thousandths of a degree Celsius `[HW 8.6]`.
const PER_CODE: i32 = 487;

/// The thermometer has no valid value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotValid {
    /// The register as read.
    pub status: u32,
}

impl fmt::Display for NotValid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "thermometer: the value is not valid (AVS_RO_TEMP_STATUS {:#x} has neither bit 16 nor bit 10); read it again, \
             or ask the firmware",
            self.status
        )
    }
}

impl core::error::Error for NotValid {}

/// The thermometer. It is only read, so there may be several.
pub struct Thermal<'a> {
    registers: &'a ThermalRegisters,
}

impl<'a> Thermal<'a> {
    /// A driver for this register.
    #[must_use]
    pub const fn new(registers: &'a ThermalRegisters) -> Self {
        Self { registers }
    }

    /// The chip's temperature in thousandths of a degree Celsius, in steps of 487: one read.
    pub fn milli_celsius(&self) -> Result<i32, NotValid> {
        let status = self.registers.AVS_RO_TEMP_STATUS.extract();
        if !status.any_matching_bits_set(AVS_RO_TEMP_STATUS::VALID_16::SET)
            && !status.any_matching_bits_set(AVS_RO_TEMP_STATUS::VALID_10::SET)
        {
            return Err(NotValid { status: status.get() });
        }
        let code = i32::try_from(status.read(AVS_RO_TEMP_STATUS::DATA)).unwrap_or(0);
        Ok(AT_CODE_0.wrapping_sub(PER_CODE.wrapping_mul(code)))
    }
}
