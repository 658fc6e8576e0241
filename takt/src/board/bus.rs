// SPDX-License-Identifier: MIT OR Apache-2.0
//! The buses of the board: SPI0 and I2C1, each given once.

use takt_rpi4::counter::Counter;
use takt_rpi4::drivers::i2c::{I2c, I2cRegisters};
use takt_rpi4::drivers::spi::{self, Spi, SpiRegisters};
use takt_rpi4::{devices, map};

use super::{Once, facts};

/// SPI0 as `embedded-hal`'s `SpiBus`; see [`takt_rpi4::drivers::spi`].
pub type SpiBus = Spi<&'static SpiRegisters, Counter>;

/// I2C1 as `embedded-hal`'s `I2c`; see [`takt_rpi4::drivers::i2c`].
pub type I2cBus = I2c<&'static I2cRegisters, Counter>;

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

    /// SPI0, for the first who asks.
    pub fn take() -> Option<Self> {
        static ONCE: Once = Once::new();
        ONCE.take().then_some(Self(()))
    }

    /// Its driver, which still has to be enabled. The pins, GPIO 7 to 11 in their alternate function 0, are set up by the
    /// caller.
    pub fn into_bus(self, pins: ()) -> SpiBus {
        Spi::new(devices::spi0(), Counter, pins)
    }

    /// Takes the interrupt request back. Called by the handler of [`Self::INTID`], which then sets the event that
    /// [`Spi::transfer_waiting`] waits for.
    pub fn silence() {
        spi::silence(&mut devices::spi0());
    }
}

/// I2C1.
#[derive(Debug)]
pub struct I2c1(());

impl I2c1 {
    /// I2C1, for the first who asks.
    pub fn take() -> Option<Self> {
        static ONCE: Once = Once::new();
        ONCE.take().then_some(Self(()))
    }

    /// Its driver, which still has to be enabled. The pins, GPIO 2 and 3 in their alternate function 0, are set up by the
    /// caller.
    pub fn into_bus(self, pins: ()) -> I2cBus {
        I2c::new(devices::i2c1(), Counter, pins)
    }
}
