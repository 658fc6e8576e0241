//! A deadline that is no whole number of microseconds.
#![no_std]
#![no_main]

use core::time::Duration;

use takt::prelude::*;

takt::tasks! {
    pump: Task::periodic(body).priority(10).period(millis(1)).deadline(Duration::from_nanos(500_001)),
}

fn body(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}
