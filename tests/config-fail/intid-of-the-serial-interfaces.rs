//! A handler for the serial interfaces, which have one.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10),
    button: Interrupt::kernel(153, handler),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}

fn handler() {}
