// run: --status 101

//! A kernel handler that overflows the exception stack hits its guard page: the end says so, on the emergency stack, and
//! names the task that was interrupted.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::wrong::overflow_stack;
use takt_tests::{raise, rest};

takt::tasks! {
    digger: Interrupt::kernel(1, digger),
    interrupted: Task::background(interrupted).priority(20),
}

fn digger() {
    overflow_stack(1);
}

fn interrupted() -> ! {
    raise(1);
    rest()
}
