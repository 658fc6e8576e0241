//! A deadline of nothing.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::periodic(body).priority(10).period(millis(1)).deadline(micros(0)),
}

fn body(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}
