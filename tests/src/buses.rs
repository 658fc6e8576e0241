//! The buses of the board, on their pins.

use takt::board::{Alternate, I2c1, I2c1Bus, Pin, PinTaken, Sleeping, Spi0, Spi0Bus, Spi0Pins, core_hz};

/// SPI0, not enabled, and the core clock.
pub fn spi0() -> (Spi0Bus, u32) {
    let (spi, (miso, mosi, sclk)) = take_spi0();
    (spi.into_bus(miso, mosi, sclk), known_core_hz())
}

/// The same, which sleeps.
pub fn sleeping_spi0() -> (Spi0Bus<Sleeping>, u32) {
    let (spi, (miso, mosi, sclk)) = take_spi0();
    (spi.into_sleeping_bus(miso, mosi, sclk), known_core_hz())
}

/// I2C1, not enabled, and the core clock.
pub fn i2c1() -> (I2c1Bus, u32) {
    let (i2c, sda, scl) = take_i2c1();
    (i2c.into_bus(sda, scl), known_core_hz())
}

/// The same, which sleeps.
pub fn sleeping_i2c1() -> (I2c1Bus<Sleeping>, u32) {
    let (i2c, sda, scl) = take_i2c1();
    (i2c.into_sleeping_bus(sda, scl), known_core_hz())
}

fn take_spi0() -> (Spi0, Spi0Pins) {
    let pins = || {
        let (miso, mosi, sclk) = (Pin::<9>::take()?, Pin::<10>::take()?, Pin::<11>::take()?);
        Ok::<_, PinTaken>((miso.into_alternate(), mosi.into_alternate(), sclk.into_alternate()))
    };
    match (Spi0::take(), pins()) {
        (Ok(spi), Ok(pins)) => (spi, pins),
        (spi, pins) => panic!("SPI0 {:?}, pins {:?}", spi.map(drop), pins.map(drop)),
    }
}

fn take_i2c1() -> (I2c1, Alternate<2, 0>, Alternate<3, 0>) {
    let pins = || Ok::<_, PinTaken>((Pin::<2>::take()?.into_alternate(), Pin::<3>::take()?.into_alternate()));
    match (I2c1::take(), pins()) {
        (Ok(i2c), Ok((sda, scl))) => (i2c, sda, scl),
        (i2c, pins) => panic!("I2C1 {:?}, pins {:?}", i2c.map(drop), pins.map(drop)),
    }
}

fn known_core_hz() -> u32 {
    match core_hz() {
        Some(core_hz) => core_hz,
        None => panic!("the firmware does not tell the core clock"),
    }
}
