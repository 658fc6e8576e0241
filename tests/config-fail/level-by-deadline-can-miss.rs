//! A level that runs the earliest deadline first, and has more to do until one than there is time.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    deadlines: Level::earliest_deadline_first(10),
    short: Task::periodic(body).priority(10).period(millis(5)).wcet(micros(1_800)),
    long: Task::periodic(body).priority(10).period(millis(7)).deadline(micros(5_500)).wcet(micros(3_700)),
}

fn body(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}
