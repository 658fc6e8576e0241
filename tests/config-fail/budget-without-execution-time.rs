//! A budget in an image that accounts no execution time.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    filter: Task::periodic(body).priority(10).period(millis(1)).budget(micros(200), OnBudgetOverrun::Demote),
}

fn body(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}
