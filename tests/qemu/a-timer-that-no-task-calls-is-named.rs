// run: --status 101

//! A table without the task of the timers: the first timer that is started ends the run with a sentence.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

static TIMER: Timer = Timer::new(|| {});

fn culprit() -> ! {
    TIMER.fire_after(millis(1));
    takt_tests::rest()
}
