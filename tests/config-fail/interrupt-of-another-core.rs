//! An interrupt of a core, to be taken on another.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    button: Interrupt::kernel(3, handler).core(1),
    pump: Task::background(body).priority(10),
}

fn handler() {}

fn body() -> ! {
    loop {
        yield_turn();
    }
}
