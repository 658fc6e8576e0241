//! A serial port whose pins are exchanged: 4 is TX of UART3, 5 is RX.
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
        let pins = (receive.into_alternate::<4>(), transmit.into_alternate::<4>());
        let _modbus = Uart::open(pins, &Config::default());
    }
    loop {
        yield_turn();
    }
}
