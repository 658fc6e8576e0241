//! A table in which a task can respond after its deadline, since a less urgent one holds what it waits for.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    control: Task::periodic(body).priority(10).period(micros(1_000)).wcet(micros(400)).locks_inherit("bus", micros(50)),
    tuner: Task::periodic(body).priority(20).period(millis(50)).wcet(micros(900)).locks_inherit("bus", micros(800)),
}

fn body(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}
