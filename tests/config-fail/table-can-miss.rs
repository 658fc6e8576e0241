//! A table in which a task can respond after its deadline.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    control: Task::periodic(body).priority(10).period(micros(1_000)).wcet(micros(400)).locks(&LIMITS, micros(50)),
    logger: Task::periodic(body).priority(5).period(micros(2_000)).wcet(micros(310)),
    tuner: Task::periodic(body).priority(20).period(millis(50)).wcet(micros(600)).locks(&LIMITS, micros(280)),
    can: Interrupt::kernel(145, handler).wcet(micros(250)).min_interarrival(micros(2_000)),
}

static LIMITS: Mutex<u32, 10> = Mutex::new(0);

fn body(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}

fn handler() {}
