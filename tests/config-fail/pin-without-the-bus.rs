//! A bus on a pin that its device is not wired to: MISO of SPI0 is pin 9, not 8.
#![no_std]
#![no_main]

use takt::board::{Pin, Spi0};
use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10),
}

fn body() -> ! {
    if let (Ok(spi), Ok(miso), Ok(mosi), Ok(sclk)) =
        (Spi0::take(), Pin::<8>::take(), Pin::<10>::take(), Pin::<11>::take())
    {
        let _bus = spi.into_bus(miso.into_alternate(), mosi.into_alternate(), sclk.into_alternate());
    }
    loop {
        yield_turn();
    }
}
