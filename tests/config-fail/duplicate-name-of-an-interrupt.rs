//! A task and an interrupt of one name.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10),
    pump: Interrupt::kernel(40, handler),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}

fn handler() {}
