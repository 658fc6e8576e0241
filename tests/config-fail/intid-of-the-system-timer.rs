//! A handler for the system timer's channel that releases the tasks.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10),
    button: Interrupt::kernel(97, handler),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}

fn handler() {}
