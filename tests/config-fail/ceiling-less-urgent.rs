//! A mutex whose ceiling is less urgent than a task that locks it.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10).locks(&LIMITS, micros(5)),
}

static LIMITS: Mutex<u32, 11> = Mutex::new(0);

fn body() -> ! {
    loop {
        yield_turn();
    }
}
