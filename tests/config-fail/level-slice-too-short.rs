//! A turn that is too short.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    workers: Level::round_robin(10, micros(99)),
    pump: Task::background(body).priority(10),
}

fn body() -> ! {
    loop {}
}
