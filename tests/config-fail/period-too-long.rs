//! A period of more than an hour.
#![no_std]
#![no_main]

use core::time::Duration;

use takt::prelude::*;

takt::tasks! {
    pump: Task::periodic(body).priority(10).period(Duration::from_micros(3_600_000_001)),
}

fn body(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}
