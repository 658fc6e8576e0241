//! An offset of more than an hour.
#![no_std]
#![no_main]

use core::time::Duration;

use takt::prelude::*;

takt::tasks! {
    pump: Task::periodic(body).priority(10).period(millis(1)).offset(Duration::from_secs(3_601)),
}

fn body(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}
