//! A sporadic task that is given no minimum interval.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    pump: Task::sporadic(body).priority(10),
}

static PUMP: Sporadic = Sporadic::new();

fn body(task: SporadicTask) -> ! {
    let mut releases = task.released_by(&PUMP);
    loop {
        let _ = releases.wait();
    }
}
