//! A task without a deadline where the earliest deadline runs first.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    deadlines: Level::earliest_deadline_first(10),
    pump: Task::background(body).priority(10),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}
