//! A handler for the interrupt by which mailboxes wake their receivers.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10),
    button: Interrupt::kernel(15, handler),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}

fn handler() {}
