// run: --status 101

//! A table with two tasks of the timers ends the run with a sentence.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    timers: Task::background(takt::timer::task).priority(20),
    more_timers: Task::background(takt::timer::task).priority(30),
}
