//! A periodic task that is given no period.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::periodic(body).priority(10),
}

fn body(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}
