//! What another core sends takes a task beyond its deadline.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::periodic(pump).core(1).priority(10).period(micros(50)).wcet(micros(45)),
    flood: Task::periodic(pump).core(0).priority(10).period(micros(100)).wcet(micros(5)).remote_sends(20),
}

fn pump(mut period: Periodic) -> ! {
    loop {
        period.wait();
    }
}
