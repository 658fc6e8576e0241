//! A task that is given priority 0.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(0),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}
