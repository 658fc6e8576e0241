// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is added to the emulated board besides its system timer: interrupt lines of the buses, and devices on them.

use std::fmt;
use std::str::FromStr;

use clap::ValueEnum;

use crate::qmp::{Qmp, QmpError, gic_input};

/// An interrupt line that `raspi4b` leaves unconnected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BusLine {
    /// SPI0, INTID 150.
    Spi0,
    /// The I2C controllers, INTID 149.
    I2c,
}

impl BusLine {
    /// Where the line leaves its device, and the input of QEMU's GIC that it has on the board, 32 below its INTID.
    const fn ends(self) -> (&'static str, &'static str, u32) {
        match self {
            Self::Spi0 => ("/machine/soc/peripherals/bcm2835-spi0", "sysbus-irq[0]", 118),
            Self::I2c => ("/machine/soc/peripherals/orgated-i2c-irq", "unnamed-gpio-out[0]", 117),
        }
    }

    /// Connects the line.
    pub(super) fn connect(self, qmp: &mut Qmp) -> Result<(), QmpError> {
        let (device, output, input) = self.ends();
        qmp.connect_line(device, output, &gic_input(input))
    }
}

/// A pin that selects an SPI device, low while it does: `8=flash` for GPIO8 and the device with `id=flash`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChipSelect {
    /// The pin, 0 to 53.
    pub pin: u8,
    /// The device's identifier.
    pub device: String,
}

impl ChipSelect {
    /// Connects the pin.
    pub(super) fn connect(&self, qmp: &mut Qmp) -> Result<(), QmpError> {
        qmp.connect_pin(self.pin, &format!("/machine/peripheral/{}/ssi-gpio-cs[0]", self.device))
    }
}

/// Text that names no pin and device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoChipSelect(String);

impl fmt::Display for NoChipSelect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' names no pin from 0 to 53 and device; write 8=flash for GPIO8 and --device …,id=flash", self.0)
    }
}

impl std::error::Error for NoChipSelect {}

impl FromStr for ChipSelect {
    type Err = NoChipSelect;

    fn from_str(text: &str) -> Result<Self, NoChipSelect> {
        let parts = text.split_once('=').and_then(|(pin, device)| Some((pin.parse().ok()?, device)));
        match parts {
            Some((pin @ 0..=53, device)) if !device.is_empty() && !device.contains('/') => {
                Ok(Self { pin, device: device.into() })
            }
            _ => Err(NoChipSelect(text.into())),
        }
    }
}

/// A number that an added device is told: `thermometer.temperature=23500` for the device with `id=thermometer`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The device's identifier.
    pub device: String,
    /// The property's name in QEMU.
    pub name: String,
    /// Its value.
    pub value: i64,
}

impl Reading {
    /// Tells the device.
    pub(super) fn set(&self, qmp: &mut Qmp) -> Result<(), QmpError> {
        qmp.set_number(&format!("/machine/peripheral/{}", self.device), &self.name, self.value)
    }
}

/// Text that names no device, property and number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoReading(String);

impl fmt::Display for NoReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' names no device, property and number; write thermometer.temperature=23500 and --device …,id=thermometer",
            self.0
        )
    }
}

impl std::error::Error for NoReading {}

impl FromStr for Reading {
    type Err = NoReading;

    fn from_str(text: &str) -> Result<Self, NoReading> {
        let parts = text.split_once('=').and_then(|(path, value)| Some((path.split_once('.')?, value.parse().ok()?)));
        match parts {
            Some(((device, name), value)) if !device.is_empty() && !device.contains('/') && !name.is_empty() => {
                Ok(Self { device: device.into(), name: name.into(), value })
            }
            _ => Err(NoReading(text.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chip_select_is_a_pin_and_a_device() {
        let select = |pin, device: &str| Ok(ChipSelect { pin, device: device.into() });
        assert_eq!("8=flash".parse(), select(8, "flash"));
        assert_eq!("53=a".parse(), select(53, "a"));
        for text in ["", "8", "8=", "=flash", "54=flash", "-1=flash", "x=flash", "8=../flash"] {
            let error = text.parse::<ChipSelect>().unwrap_err();
            assert!(error.to_string().starts_with(&format!("'{text}' names no pin")), "{error}");
        }
    }

    #[test]
    fn a_reading_is_a_device_a_property_and_a_number() {
        let reading = |value| Ok(Reading { device: "thermometer".into(), name: "temperature".into(), value });
        assert_eq!("thermometer.temperature=23500".parse(), reading(23_500));
        assert_eq!("thermometer.temperature=-4000".parse(), reading(-4_000));
        for text in ["", "a.b", "a=1", ".b=1", "a.=1", "a.b=", "a.b=x", "../a.b=1"] {
            let error = text.parse::<Reading>().unwrap_err();
            assert!(error.to_string().starts_with(&format!("'{text}' names no device")), "{error}");
        }
    }

    #[test]
    fn a_line_goes_to_its_intid() {
        for (line, intid) in [(BusLine::Spi0, 150), (BusLine::I2c, 149)] {
            assert_eq!(line.ends().2 + 32, intid);
        }
    }
}
