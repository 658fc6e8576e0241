//! A serial port on pins that lead to none: 4 and 5 are UART3 by alternate 4, not 0.
#![no_std]
#![no_main]

use takt::board::Pin;
use takt::prelude::*;
use takt::serial::{Config, Uart};

takt::tasks! {
    pump: Task::background(body).priority(10),
}

fn body() -> ! {
    if let (Ok(transmit), Ok(receive)) = (Pin::<4>::take(), Pin::<5>::take()) {
        let pins = (transmit.into_alternate::<0>(), receive.into_alternate::<0>());
        let _modbus = Uart::open(pins, &Config::default());
    }
    loop {
        yield_turn();
    }
}
