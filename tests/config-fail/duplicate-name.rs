//! Two tasks of one name.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10),
    valve: Task::background(body).priority(10),
    pump: Task::background(body).priority(11),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}
