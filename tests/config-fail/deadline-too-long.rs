//! A deadline of more than an hour.
#![no_std]
#![no_main]

use core::time::Duration;

use takt::prelude::*;

takt::tasks! {
    pump: Task::periodic(body).priority(10).period(millis(1)).deadline(Duration::from_secs(4_000)),
}

fn body(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}
