//! A stream's side that is to be handed to another task.
#![no_std]
#![no_main]

use takt::Producer;
use takt::prelude::*;

takt::tasks! {
    items: ITEMS.port(),
    producer: Task::background(body).core(1).priority(20),
    consumer: Task::background(body).core(2).priority(20),
}

static ITEMS: Stream<u32, 16, 1, 2> = Stream::new();
static SIDE: Signal<Option<Producer<u32, 16, 1, 2>>> = Signal::new();

fn body() -> ! {
    SIDE.signal(ITEMS.producer());
    loop {
        yield_turn();
    }
}
