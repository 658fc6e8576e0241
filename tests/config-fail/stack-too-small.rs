//! A stack that is too small to format a line on.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10).stack_bytes(2_032),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}
