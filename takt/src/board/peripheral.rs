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
}

/// Those that somebody has, a bit each.
static TAKEN: AtomicU32 = AtomicU32::new(0);

impl Peripheral {
    const fn name(self) -> &'static str {
        match self {
            Self::Pwm0 => "PWM block 0",
            Self::Pwm1 => "PWM block 1",
            Self::Watchdog => "the watchdog",
            Self::Rng => "the generator of random numbers",
            Self::Thermometer => "the thermometer",
            Self::PinEvents => "event detection at the pins",
        }
    }

    /// Whether QEMU's `raspi4b` has it [HW 12].
    const fn is_in_qemu(self) -> bool {
        matches!(self, Self::Watchdog)
    }

    /// Refuses what this machine does not have. Where the platform is not clear, it is taken for a board.
    pub(super) fn check_present(self) -> Result<(), Absent> {
        let is_qemu = facts().is_some_and(|facts| facts.platform == Platform::Qemu);
        if is_qemu && !self.is_in_qemu() { Err(Absent { peripheral: self }) } else { Ok(()) }
    }

    /// Gives it to the caller, once.
    pub(super) fn claim(self) -> Result<(), TakeError> {
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
        1_u32.wrapping_shl(self as u32)
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
        write!(formatter, "board: QEMU does not have {}; run this on a board", self.peripheral.name())
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
                "board: {} is taken already; take it once, and hand it to the task that uses it",
                peripheral.name()
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
