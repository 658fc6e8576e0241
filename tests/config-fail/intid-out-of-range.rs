//! An interrupt that the interrupt controller does not have.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10),
    button: Interrupt::kernel(224, handler),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}

fn handler() {}
