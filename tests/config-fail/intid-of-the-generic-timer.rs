//! A handler for the generic timer, which may have to release the tasks.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10),
    button: Interrupt::direct(30, handler),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}

fn handler() {}
