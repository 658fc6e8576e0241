// SPDX-License-Identifier: MIT OR Apache-2.0
//! The buses of the board, SPI0 and I2C1, with the pins that they are on [BCM2711 5.3].

use takt_rpi4::counter::Counter;
use takt_rpi4::drivers::gpio::Pull;
use takt_rpi4::drivers::i2c::I2c;
use takt_rpi4::drivers::spi::{self, Device, Line, SelectPin, Spi};
use takt_rpi4::{devices, map};

use super::facts;
use super::peripheral::{Peripheral, TakeError};
use super::pin::Alternate;

/// The pins of SPI0: MISO, MOSI, SCLK.
pub type Spi0Pins = (Alternate<9, 0>, Alternate<10, 0>, Alternate<11, 0>);

/// SPI0 as `embedded-hal`'s `SpiBus`.
pub type Spi0Bus = Spi<devices::Spi0, Counter, Spi0Pins>;

/// The one device on SPI0 as `embedded-hal`'s `SpiDevice`, on the chip select line of the pin `S`: [`Alternate<8, 0>`] for
/// CE0, [`Alternate<7, 0>`] for CE1.
pub type Spi0Device<S> = Device<devices::Spi0, Counter, Spi0Pins, S>;

/// The pins of I2C1: SDA, SCL.
pub type I2c1Pins = (Alternate<2, 0>, Alternate<3, 0>);

/// I2C1 as `embedded-hal`'s `I2c`.
pub type I2c1Bus = I2c<devices::I2c1, Counter, I2c1Pins>;

/// The core clock in Hz, from which SPI and I2C derive theirs, as the firmware had it set at boot; `None` where it did not
/// say. Called by tasks.
pub fn core_hz() -> Option<u32> {
    facts()?.machine.ok()?.core_hz.filter(|&hz| hz != 0)
}

/// SPI0.
#[derive(Debug)]
pub struct Spi0(());

impl Spi0 {
    /// Its interrupt, for the table: only a transfer that sleeps needs it.
    pub const INTID: u16 = map::SPI0_INTID.number();

    /// SPI0, once. Called by tasks.
    ///
    /// # Errors
    /// Somebody has it.
    pub fn take() -> Result<Self, TakeError> {
        Peripheral::Spi0.claim()?;
        Ok(Self(()))
    }

    /// The bus on its pins, which has to be enabled before it is used. Their pulls stay as they are.
    pub fn into_bus(self, miso: Alternate<9, 0>, mosi: Alternate<10, 0>, sclk: Alternate<11, 0>) -> Spi0Bus {
        Spi::new(devices::Spi0, Counter, (miso, mosi, sclk))
    }

    /// Ends the bus, and gives back what it was made of.
    pub fn from_bus(bus: Spi0Bus) -> (Self, Spi0Pins) {
        (Self(()), bus.release())
    }

    /// Takes the interrupt request back. Called by the handler of [`Self::INTID`], which then sets the event that
    /// [`Spi::transfer_waiting`] waits for.
    pub fn silence() {
        spi::silence(&mut devices::Spi0);
    }
}

/// CE0.
impl SelectPin for Alternate<8, 0> {
    fn line(&self) -> Line {
        Line::Zero
    }
}

/// CE1.
impl SelectPin for Alternate<7, 0> {
    fn line(&self) -> Line {
        Line::One
    }
}

/// I2C1.
#[derive(Debug)]
pub struct I2c1(());

impl I2c1 {
    /// I2C1, once. Called by tasks.
    ///
    /// # Errors
    /// Somebody has it.
    pub fn take() -> Result<Self, TakeError> {
        Peripheral::I2c1.claim()?;
        Ok(Self(()))
    }

    /// The bus on its pins, which has to be enabled before it is used. They are pulled up, beside the 1.8 kΩ that the board
    /// has on them [HW 8.4].
    pub fn into_bus(self, sda: Alternate<2, 0>, scl: Alternate<3, 0>) -> I2c1Bus {
        I2c::new(devices::I2c1, Counter, (sda.with_pull(Pull::Up), scl.with_pull(Pull::Up)))
    }

    /// Ends the bus, and gives back what it was made of.
    pub fn from_bus(bus: I2c1Bus) -> (Self, I2c1Pins) {
        (Self(()), bus.release())
    }
}
