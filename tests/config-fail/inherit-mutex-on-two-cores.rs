//! A mutex with inheritance that tasks of two cores lock.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10).core(1).locks_inherit("log", micros(1)),
    valve: Task::background(body).priority(20).core(3).locks_inherit("log", micros(1)),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}
