//! A way for other cores, of which none runs.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    orders: ORDERS.port(),
    pump: Task::background(body).priority(10),
}

static ORDERS: Lanes<u32, 4, 0> = Lanes::new();

fn body() -> ! {
    loop {
        yield_turn();
    }
}
