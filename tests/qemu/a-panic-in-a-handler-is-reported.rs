// run: --status 101

//! A panic in a kernel handler ends the run, too, and names the task that was interrupted.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{raise, rest};

takt::tasks! {
    handler: Interrupt::kernel(1, handler),
    interrupted: Task::background(interrupted).priority(20),
}

fn handler() {
    panic!("nobody expects this");
}

fn interrupted() -> ! {
    raise(1);
    rest()
}
