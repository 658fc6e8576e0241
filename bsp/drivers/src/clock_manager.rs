// SPDX-License-Identifier: MIT OR Apache-2.0
//! A clock generator of the clock manager: which source, divided by what `[BCM2711 5.4]`, `[HW 8.1]`.
//!
//! Each write carries a password, or is ignored. Source and divisor are changed while the generator stands still, and it
//! stops only at the end of a cycle: that is awaited, with a bound of the caller's. The fraction of the divisor is left at
//! zero, since it works by making some cycles longer than others.

mod divisor;

pub use divisor::{Divisor, RateError};

use core::fmt;

use tock_registers::interfaces::{Readable, Writeable};
use tock_registers::registers::ReadWrite;
use tock_registers::{register_bitfields, register_structs};

register_bitfields![u32,
    /// [HW 8.1]
    CTL [
        /// What a write needs to be heeded.
        PASSWD OFFSET(24) NUMBITS(8) [
            Password = 0x5A
        ],
        /// How the fraction is spread over cycles.
        MASH OFFSET(9) NUMBITS(2) [
            Whole = 0
        ],
        /// The generator runs.
        BUSY OFFSET(7) NUMBITS(1) [],
        /// Stops the generator at once.
        KILL OFFSET(5) NUMBITS(1) [],
        /// Lets the generator run.
        ENAB OFFSET(4) NUMBITS(1) [],
        /// The source.
        SRC OFFSET(0) NUMBITS(4) [
            Ground = 0,
            Oscillator = 1
        ]
    ],
    /// [HW 8.1]
    DIV [
        /// What a write needs to be heeded.
        PASSWD OFFSET(24) NUMBITS(8) [
            Password = 0x5A
        ],
        /// The whole part of the divisor.
        DIVI OFFSET(12) NUMBITS(12) [],
        /// Its fraction, in 4096ths.
        DIVF OFFSET(0) NUMBITS(12) []
    ]
];

register_structs! {
    /// The two registers of one generator `[HW 8.1]`.
    #[allow(non_snake_case, reason = "the register names are the manual's")]
    pub ClockGeneratorRegisters {
        /// Clock Manager Control.
        (0x00 => CTL: ReadWrite<u32, CTL::Register>),
        /// Clock Manager Divisor.
        (0x04 => DIV: ReadWrite<u32, DIV::Register>),
        (0x08 => @END),
    }
}

/// The oscillator, in Hz: it keeps its rate whatever the firmware does to the other clocks `[HW 8.1]`.
pub const OSCILLATOR_HZ: u32 = 54_000_000;

/// Why a generator does not run as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockError {
    /// The time was up before the generator had stopped. It has been told to, and keeps source and divisor.
    StillBusy,
    /// The time was up before the generator ran. It is set up and enabled.
    NotBusy,
}

impl fmt::Display for ClockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::StillBusy => {
                "clock manager: the generator still runs though it was told to stop, and one cycle ends within \
                 microseconds; check that its source runs, or wait longer"
            }
            Self::NotBusy => {
                "clock manager: the generator does not run though it is enabled; check that its source runs, or wait \
                 longer"
            }
        })
    }
}

impl core::error::Error for ClockError {}

/// A clock generator. It has one owner.
pub struct ClockGenerator<'a> {
    registers: &'a ClockGeneratorRegisters,
}

impl<'a> ClockGenerator<'a> {
    /// A driver for these registers.
    #[must_use]
    pub const fn new(registers: &'a ClockGeneratorRegisters) -> Self {
        Self { registers }
    }

    /// Whether the generator runs.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.registers.CTL.is_set(CTL::BUSY)
    }

    /// Stops the generator, sets it to the oscillator divided by `divisor`, lets it run, and waits until it does. The
    /// order is the manual's: stop, wait, divisor, source, and enable in a write of its own `[HW 8.1]`.
    ///
    /// `timed_out` is asked once in each round of waiting and ends the call when it says yes.
    #[allow(clippy::arithmetic_side_effects, reason = "the + of field values joins bits")]
    pub fn enable(&mut self, divisor: Divisor, mut timed_out: impl FnMut() -> bool) -> Result<(), ClockError> {
        self.disable(&mut timed_out)?;
        let registers = self.registers;
        registers.DIV.write(DIV::PASSWD::Password + DIV::DIVI.val(u32::from(divisor.whole())));
        let source = CTL::PASSWD::Password + CTL::MASH::Whole + CTL::SRC::Oscillator;
        registers.CTL.write(source);
        registers.CTL.write(source + CTL::ENAB::SET);
        while !self.is_busy() {
            if timed_out() {
                return Err(ClockError::NotBusy);
            }
        }
        Ok(())
    }

    /// Stops the generator and waits until it has. `timed_out` as for [`ClockGenerator::enable`].
    #[allow(clippy::arithmetic_side_effects, reason = "the + of field values joins bits")]
    pub fn disable(&mut self, mut timed_out: impl FnMut() -> bool) -> Result<(), ClockError> {
        let control = &self.registers.CTL;
        // Not `modify`: the password reads as something else. The source stays, so that the cycle can end.
        let others = control.extract();
        let others = CTL::ENAB.val(0).modify(CTL::KILL.val(0).modify(others.get()));
        control.set(CTL::PASSWD::Password.modify(others));
        while self.is_busy() {
            if timed_out() {
                return Err(ClockError::StillBusy);
            }
        }
        Ok(())
    }
}
