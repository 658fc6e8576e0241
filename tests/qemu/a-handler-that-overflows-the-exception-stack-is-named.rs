// run: --status 101

//! A kernel handler that overflows the exception stack hits its guard page: the end says so, on the emergency stack, and
//! names the task that was interrupted.
#![no_std]
#![no_main]

use core::hint::black_box;

use takt::prelude::*;
use takt_tests::{raise, rest};

takt::tasks! {
    digger: Interrupt::kernel(1, digger),
    interrupted: Task::background(interrupted).priority(20),
}

fn digger() {
    dig(1);
}

/// Takes another piece of the stack until there is none.
#[expect(unconditional_recursion, reason = "the overflow is the fact")]
fn dig(depth: u64) -> u64 {
    let piece = black_box([depth; 16]);
    dig(depth + 1) + piece[3]
}

fn interrupted() -> ! {
    raise(1);
    rest()
}
