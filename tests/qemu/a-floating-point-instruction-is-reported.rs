// run: --status 101

//! A floating-point instruction is trapped: the executive has no such registers.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::rest;
use takt_tests::wrong::execute;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

/// `FMOV D0, XZR; RET`.
#[unsafe(link_section = ".text.floating_point")]
static FLOATING_POINT: [u32; 2] = [0x9E67_03E0, 0xD65F_03C0];

fn culprit() -> ! {
    execute(FLOATING_POINT.as_ptr());
    rest()
}
