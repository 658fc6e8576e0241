// run: --status 101

//! An instruction that is none ends the run with its place and the task.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::rest;
use takt_tests::wrong::execute;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

/// `UDF #0`.
#[unsafe(link_section = ".text.undefined")]
static UNDEFINED: [u32; 1] = [0x0000_0000];

fn culprit() -> ! {
    execute(UNDEFINED.as_ptr());
    rest()
}
