// SPDX-License-Identifier: MIT OR Apache-2.0
//! The chip's temperature, without asking the firmware.

use takt_rpi4::devices;
use takt_rpi4::drivers::thermal::NotValid;

use super::peripheral::{Peripheral, TakeError};

/// The thermometer. In QEMU, which does not have it, and wherever milliseconds do not matter, ask
/// [`health`](super::health).
#[derive(Debug)]
pub struct Thermometer(());

impl Thermometer {
    /// The thermometer, once. Called by tasks.
    ///
    /// # Errors
    /// Somebody has it, or it is not there, as in QEMU.
    pub fn take() -> Result<Self, TakeError> {
        Peripheral::Thermometer.claim()?;
        Ok(Self(()))
    }

    /// The chip's temperature in thousandths of a degree Celsius, in steps of 487: one read. Its owner may call this
    /// anywhere, handlers included.
    ///
    /// # Errors
    /// The hardware says that its value is not valid.
    pub fn milli_celsius(&self) -> Result<i32, NotValid> {
        devices::thermal().milli_celsius()
    }
}
