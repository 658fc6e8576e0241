//! A mutex that another core is to lock.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    limits: LIMITS_FROM_AFAR.port(),
    filter: Task::background(body).core(1).priority(20).locks(&LIMITS, micros(2)),
    pump: Task::background(body).core(2).priority(20),
}

static LIMITS: Mutex<u32, 10> = Mutex::new(0);
static LIMITS_FROM_AFAR: Remote<Mutex<u32, 10>, 1> = Remote::to(&LIMITS);

fn body() -> ! {
    loop {
        yield_turn();
    }
}
