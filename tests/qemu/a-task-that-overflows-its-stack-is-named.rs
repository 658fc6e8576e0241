// run: --status 101

//! A task that overflows its stack hits the guard page below it: the end names the task whose stack it was, and nothing
//! else has been written to.
#![no_std]
#![no_main]

use core::hint::black_box;

use takt::prelude::*;
use takt_tests::rest;

takt::tasks! {
    neighbour: Task::background(rest).priority(10),
    digger: Task::background(digger).priority(20).stack_bytes(4_096),
}

fn digger() -> ! {
    dig(1);
    rest()
}

/// Takes another piece of the stack until there is none.
#[expect(unconditional_recursion, reason = "the overflow is the fact")]
fn dig(depth: u64) -> u64 {
    let piece = black_box([depth; 16]);
    dig(depth + 1) + piece[3]
}
