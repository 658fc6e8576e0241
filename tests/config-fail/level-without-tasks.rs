//! A level of a priority that no task has.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    deadlines: Level::earliest_deadline_first(20),
    pump: Task::periodic(body).priority(10).period(millis(1)),
}

fn body(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}
