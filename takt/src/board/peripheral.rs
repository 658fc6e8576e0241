// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who has which peripheral. Each is given once, and one that is not there is refused before it is touched.

use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};

use takt_rpi4::drivers::clock_manager::ClockError;

use super::{Platform, facts};

/// A peripheral that an application can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peripheral {
    /// PWM block 0.
    Pwm0,
    /// PWM block 1.
    Pwm1,
    /// The watchdog.
    Watchdog,
    /// The generator of random numbers.
    Rng,
    /// The thermometer.
    Thermometer,
    /// The detection of events at the pins.
    PinEvents,
    /// The serial bus SPI0.
    Spi0,
    /// The two-wire bus I2C1.
    I2c1,
    /// A DMA channel, 0 to 10.
    DmaChannel(u8),
}

/// Those that somebody has, a bit each.
static TAKEN: AtomicU32 = AtomicU32::new(0);

impl Peripheral {
    /// Whether QEMU's `raspi4b` has it [HW 12].
    const fn is_in_qemu(self) -> bool {
        matches!(self, Self::Watchdog | Self::Spi0 | Self::I2c1 | Self::DmaChannel(_))
    }

    /// Refuses what this machine does not have. Where the platform is not clear, it is taken for a board.
    pub(super) fn check_present(self) -> Result<(), Absent> {
        let is_qemu = facts().is_some_and(|facts| facts.platform == Platform::Qemu);
        if is_qemu && !self.is_in_qemu() { Err(Absent { peripheral: self }) } else { Ok(()) }
    }

    /// Gives it to the caller, once.
    pub(crate) fn claim(self) -> Result<(), TakeError> {
        self.check_present().map_err(TakeError::Absent)?;
        let bit = self.bit();
        if TAKEN.fetch_or(bit, Ordering::Acquire) & bit == 0 {
            Ok(())
        } else {
            Err(TakeError::Taken { peripheral: self })
        }
    }

    /// Takes it back from a caller that could not use it.
    pub(super) fn give_back(self) {
        TAKEN.fetch_and(!self.bit(), Ordering::Release);
    }

    const fn bit(self) -> u32 {
        let place = match self {
            Self::Pwm0 => 0,
            Self::Pwm1 => 1,
            Self::Watchdog => 2,
            Self::Rng => 3,
            Self::Thermometer => 4,
            Self::PinEvents => 5,
            Self::Spi0 => 6,
            Self::I2c1 => 7,
            // The last, since there are several.
            Self::DmaChannel(number) => (number as u32).wrapping_add(8),
        };
        1_u32.wrapping_shl(place)
    }
}

impl fmt::Display for Peripheral {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Pwm0 => "PWM block 0",
            Self::Pwm1 => "PWM block 1",
            Self::Watchdog => "the watchdog",
            Self::Rng => "the generator of random numbers",
            Self::Thermometer => "the thermometer",
            Self::PinEvents => "event detection at the pins",
            Self::Spi0 => "SPI0",
            Self::I2c1 => "I2C1",
            Self::DmaChannel(number) => return write!(formatter, "DMA channel {number}"),
        })
    }
}

/// QEMU does not have a peripheral: an access would end the run, or be answered with zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absent {
    /// Which.
    pub peripheral: Peripheral,
}

impl fmt::Display for Absent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "board: QEMU does not have {}; run this on a board", self.peripheral)
    }
}

impl core::error::Error for Absent {}

/// Why a peripheral was not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakeError {
    /// Somebody has it.
    Taken {
        /// Which.
        peripheral: Peripheral,
    },
    /// It is not there.
    Absent(Absent),
    /// Its clock does not run. It can be taken again.
    Clock(ClockError),
    /// Another task, which took the other PWM block, is starting the clock of both. It can be taken again.
    ClockStarts,
}

impl fmt::Display for TakeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken { peripheral } => write!(
                formatter,
                "board: {peripheral} is taken already; take it once, and hand it to the task that uses it"
            ),
            Self::Absent(absent) => absent.fmt(formatter),
            Self::Clock(error) => error.fmt(formatter),
            Self::ClockStarts => {
                formatter.write_str("board: another task is starting the PWM clock; take both blocks in one task")
            }
        }
    }
}

impl core::error::Error for TakeError {}
