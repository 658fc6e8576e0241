//! Two handlers for one interrupt.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10),
    button: Interrupt::kernel(40, handler),
    lever: Interrupt::direct(40, handler),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}

fn handler() {}
