//! A task that is given the idle task's priority.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(255),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}
