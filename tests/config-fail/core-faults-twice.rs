//! Two lines say what becomes of the others.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    faults: OnCoreFault::Isolate,
    others: OnCoreFault::Halt,
    pump: Task::background(body).priority(10),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}
