// run: --status 101

//! Constants are not executable: a jump into one is an instruction abort.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::rest;
use takt_tests::wrong::execute;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

/// `RET`, among the constants.
static CONSTANT: [u32; 1] = [0xD65F_03C0];

fn culprit() -> ! {
    execute(CONSTANT.as_ptr());
    rest()
}
