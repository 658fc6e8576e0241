//! A pin that is two things at a time.
#![no_std]
#![no_main]

use takt::board::{Level, Pin, Pull};
use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10),
}

fn body() -> ! {
    if let Ok(pin) = Pin::<17>::take() {
        let mut valve = pin.into_output(Level::Low);
        let sensor = pin.into_input(Pull::Up);
        valve.set_level(sensor.level());
    }
    loop {
        yield_turn();
    }
}
