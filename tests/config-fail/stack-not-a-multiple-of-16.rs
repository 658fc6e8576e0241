//! A stack whose size the procedure call standard does not allow.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10).stack_bytes(4_100),
}

fn body() -> ! {
    loop {
        yield_turn();
    }
}
