//! A task that is given no priority.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}
