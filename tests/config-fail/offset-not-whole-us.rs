//! An offset that the system timer cannot represent.
#![no_std]
#![no_main]

use core::time::Duration;

use takt::prelude::*;

takt::tasks! {
    pump: Task::periodic(body).priority(10).period(millis(1)).offset(Duration::from_nanos(999)),
}

fn body(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}
