// run: --status 101

//! A task that overflows its stack hits the guard page below it: the end names the task whose stack it was, and nothing
//! else has been written to.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::rest;
use takt_tests::wrong::overflow_stack;

takt::tasks! {
    neighbour: Task::background(rest).priority(10),
    digger: Task::background(digger).priority(20).stack_bytes(4_096),
}

fn digger() -> ! {
    overflow_stack(1);
    rest()
}
