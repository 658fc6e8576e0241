//! A chip select of the controller's on a pin that is none of its lines: 8 and 7 are, 25 is not.
#![no_std]
#![no_main]

use takt::board::spi::Device;
use takt::board::{Pin, Spi0Bus};
use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10),
}

fn select(bus: Spi0Bus) {
    if let Ok(pin) = Pin::<25>::take() {
        let _device = Device::new(bus, pin.into_alternate::<0>());
    }
}

fn body() -> ! {
    let _ = select;
    loop {
        yield_turn();
    }
}
