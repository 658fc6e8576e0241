// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who has which peripheral, and which are there at all. Each is given once; one that is not there is refused.
//!
//! What a machine may lack is asked for by a register: a guarded read of it, where nobody may answer; a flag or a bit that
//! cannot be as it is, where QEMU answers for a device that it does not have. The platform found at boot decides nothing
//! here.

use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};

use takt_rpi4::devices;
use takt_rpi4::drivers::clock_manager::ClockError;
use takt_rpi4::drivers::gpio::PinNumber;

use crate::exclusive::device_exclusively;

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
    /// The detection of events at a pin. The pins are given by themselves.
    PinEvents(PinNumber),
    /// The serial bus SPI0.
    Spi0,
    /// The two-wire bus I2C1.
    I2c1,
    /// A DMA channel, 0 to 10.
    DmaChannel(u8),
    /// UART2 to UART5, by number.
    Uart(u8),
    /// The mini UART.
    MiniUart,
}

/// Those that somebody has, a bit each.
static TAKEN: AtomicU32 = AtomicU32::new(0);

impl Peripheral {
    /// Whether this machine has it: a read of the device, for which interrupts are masked, and of the pins a few accesses.
    fn is_present(self) -> bool {
        match self {
            Self::Pwm0 => devices::has_pwm0(),
            Self::Pwm1 => devices::has_pwm1(),
            Self::Rng => devices::has_rng200(),
            Self::Thermometer => devices::has_thermal(),
            Self::Uart(number) => devices::has_uart(usize::from(number)),
            Self::PinEvents(pin) => device_exclusively("a peripheral is taken", || {
                let has_detectors = devices::gpio().has_detectors(pin);
                if has_detectors {
                    devices::gpio().acknowledge(pin);
                }
                has_detectors
            }),
            // Every BCM2711 has these, and QEMU has them, too.
            Self::Watchdog | Self::Spi0 | Self::I2c1 | Self::DmaChannel(_) | Self::MiniUart => true,
        }
    }

    /// Refuses what this machine does not have. Called by tasks.
    pub(super) fn check_present(self) -> Result<(), Absent> {
        if self.is_present() { Ok(()) } else { Err(Absent { peripheral: self }) }
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
    pub(crate) fn give_back(self) {
        TAKEN.fetch_and(!self.bit(), Ordering::Release);
    }

    const fn bit(self) -> u32 {
        let place = match self {
            Self::Pwm0 => 0,
            Self::Pwm1 => 1,
            Self::Watchdog => 2,
            Self::Rng => 3,
            Self::Thermometer => 4,
            Self::PinEvents(_) => 5,
            Self::Spi0 => 6,
            Self::I2c1 => 7,
            // 8 to 18.
            Self::DmaChannel(number) => (number as u32).wrapping_add(8),
            // 21 to 24.
            Self::Uart(number) => (number as u32).wrapping_add(19),
            Self::MiniUart => 25,
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
            Self::PinEvents(pin) => return write!(formatter, "event detection at pin {}", pin.number()),
            Self::Spi0 => "SPI0",
            Self::I2c1 => "I2C1",
            Self::DmaChannel(number) => return write!(formatter, "DMA channel {number}"),
            Self::Uart(number) => return write!(formatter, "UART{number}"),
            Self::MiniUart => "the mini UART",
        })
    }
}

/// This machine does not have a peripheral: nothing answered, or something else did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absent {
    /// Which.
    pub peripheral: Peripheral,
}

impl fmt::Display for Absent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "board: {} is not there; a Raspberry Pi 4 has it, QEMU does not: run this on a board",
            self.peripheral
        )
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
