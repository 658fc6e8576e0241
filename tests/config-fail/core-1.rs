//! A core that this version does not schedule.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10).core(1),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}
