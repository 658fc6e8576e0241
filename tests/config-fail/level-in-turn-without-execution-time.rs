//! Turns where no execution time is accounted.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    workers: Level::round_robin(10, millis(1)),
    pump: Task::background(body).priority(10),
}

fn body() -> ! {
    loop {}
}
