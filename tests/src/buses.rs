//! The buses of the board, on their pins.

use takt::board::{I2c1, I2c1Bus, Pin, PinTaken, Spi0, Spi0Bus, core_hz};

/// SPI0, not enabled, and the core clock.
pub fn spi0() -> (Spi0Bus, u32) {
    let bus = |spi: Spi0| {
        let (miso, mosi, sclk) = (Pin::<9>::take()?, Pin::<10>::take()?, Pin::<11>::take()?);
        Ok::<_, PinTaken>(spi.into_bus(miso.into_alternate(), mosi.into_alternate(), sclk.into_alternate()))
    };
    match (Spi0::take().map(bus), core_hz()) {
        (Ok(Ok(bus)), Some(core_hz)) => (bus, core_hz),
        (spi, core_hz) => panic!("SPI0 {:?}, core clock {core_hz:?}", spi.map(|bus| bus.map(drop))),
    }
}

/// I2C1, not enabled, and the core clock.
pub fn i2c1() -> (I2c1Bus, u32) {
    let bus = |i2c: I2c1| {
        let (sda, scl) = (Pin::<2>::take()?, Pin::<3>::take()?);
        Ok::<_, PinTaken>(i2c.into_bus(sda.into_alternate(), scl.into_alternate()))
    };
    match (I2c1::take().map(bus), core_hz()) {
        (Ok(Ok(bus)), Some(core_hz)) => (bus, core_hz),
        (i2c, core_hz) => panic!("I2C1 {:?}, core clock {core_hz:?}", i2c.map(|bus| bus.map(drop))),
    }
}
