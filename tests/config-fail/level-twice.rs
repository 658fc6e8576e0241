//! Two lines for one priority.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    deadlines: Level::earliest_deadline_first(10),
    others: Level::earliest_deadline_first(10),
    pump: Task::periodic(body).priority(10).period(millis(1)),
}

fn body(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}
