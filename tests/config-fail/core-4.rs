//! A core that there is not.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10).core(4),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}
