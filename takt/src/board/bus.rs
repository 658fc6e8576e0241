// SPDX-License-Identifier: MIT OR Apache-2.0
//! The buses of the board, SPI0 and I2C1, with the pins that they are on [BCM2711 5.3].
//!
//! A bus polls, or it sleeps until its interrupt, which then stands in the table; whoever uses it sees no difference:
//!
//! ```no_run
//! use takt::board::{I2c1, Pin};
//! use takt::prelude::*;
//!
//! takt::tasks! {
//!     i2c1: I2c1::interrupt(),
//!     sampler: Task::background(sampler).priority(10),
//! }
//! # fn sampler() -> ! { loop {} }
//! ```

use takt_rpi4::counter::Counter;
use takt_rpi4::drivers::gpio::Pull;
use takt_rpi4::drivers::i2c::I2c;
use takt_rpi4::drivers::spi::{Device, Line, SelectPin, Spi};
use takt_rpi4::drivers::wait::{Polling, Wait};
use takt_rpi4::{devices, map};

use super::facts;
use super::peripheral::{Peripheral, TakeError};
use super::pin::Alternate;
use super::sleeping::{self, Sleeping};
use crate::interrupt::Interrupt;

/// The pins of SPI0: MISO, MOSI, SCLK.
pub type Spi0Pins = (Alternate<9, 0>, Alternate<10, 0>, Alternate<11, 0>);

/// SPI0 as `embedded-hal`'s `SpiBus`, polling or [`Sleeping`].
pub type Spi0Bus<W = Polling> = Spi<devices::Spi0, Counter, Spi0Pins, W>;

/// The one device on SPI0 as `embedded-hal`'s `SpiDevice`, on the chip select line of the pin `S`: [`Alternate<8, 0>`] for
/// CE0, [`Alternate<7, 0>`] for CE1.
pub type Spi0Device<S, W = Polling> = Device<devices::Spi0, Counter, Spi0Pins, S, W>;

/// The pins of I2C1: SDA, SCL.
pub type I2c1Pins = (Alternate<2, 0>, Alternate<3, 0>);

/// I2C1 as `embedded-hal`'s `I2c`, polling or [`Sleeping`].
pub type I2c1Bus<W = Polling> = I2c<devices::I2c1, Counter, I2c1Pins, W>;

/// The core clock in Hz, from which SPI and I2C derive theirs, as the firmware had it set at boot; `None` where it did not
/// say. Called by tasks.
pub fn core_hz() -> Option<u32> {
    facts()?.machine.ok()?.core_hz.filter(|&hz| hz != 0)
}

/// SPI0.
#[derive(Debug)]
pub struct Spi0(());

impl Spi0 {
    /// The line of the table that a sleeping bus needs; without it the first sleep ends the run. Others on this interrupt,
    /// SPI3 to SPI6, would not be heard: it is held back between sleeps.
    pub const fn interrupt() -> Interrupt {
        Interrupt::kernel(map::SPI0_INTID.number(), sleeping::wake_spi0)
    }

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

    /// The same, and it sleeps until its interrupt, once a FIFO of 64 bytes, however few bytes there are. The table has
    /// [`Self::interrupt`].
    pub fn into_sleeping_bus(
        self,
        miso: Alternate<9, 0>,
        mosi: Alternate<10, 0>,
        sclk: Alternate<11, 0>,
    ) -> Spi0Bus<Sleeping> {
        Spi::waiting_by(devices::Spi0, Counter, (miso, mosi, sclk), Sleeping::on_spi0())
    }

    /// Ends the bus, and gives back what it was made of.
    pub fn from_bus<W: Wait>(bus: Spi0Bus<W>) -> (Self, Spi0Pins) {
        (Self(()), bus.release())
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
    /// The line of the table that a sleeping bus needs; without it the first sleep ends the run. Others on this interrupt,
    /// I2C0 and I2C3 to I2C6, would not be heard: it is held back between sleeps.
    pub const fn interrupt() -> Interrupt {
        Interrupt::kernel(map::I2C1_INTID.number(), sleeping::wake_i2c1)
    }

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
        I2c::new(devices::I2c1, Counter, Self::pulled_up(sda, scl))
    }

    /// The same, and it sleeps until its interrupt, once a dozen bytes and at the end. The table has [`Self::interrupt`].
    pub fn into_sleeping_bus(self, sda: Alternate<2, 0>, scl: Alternate<3, 0>) -> I2c1Bus<Sleeping> {
        I2c::waiting_by(devices::I2c1, Counter, Self::pulled_up(sda, scl), Sleeping::on_i2c1())
    }

    fn pulled_up(sda: Alternate<2, 0>, scl: Alternate<3, 0>) -> I2c1Pins {
        (sda.with_pull(Pull::Up), scl.with_pull(Pull::Up))
    }

    /// Ends the bus, and gives back what it was made of.
    pub fn from_bus<W: Wait>(bus: I2c1Bus<W>) -> (Self, I2c1Pins) {
        (Self(()), bus.release())
    }
}
