//! A core's own interrupt line that is asked to trigger on edges.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    own: Interrupt::kernel(27, handler).edge_triggered(),
    pump: Task::background(body).priority(10),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}

fn handler() {}
