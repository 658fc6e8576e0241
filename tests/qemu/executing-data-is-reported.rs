// run: --status 101

//! What is writable is not executable: a jump into a static is an instruction abort.
#![no_std]
#![no_main]

use core::sync::atomic::AtomicU32;

use takt::prelude::*;
use takt_tests::rest;
use takt_tests::wrong::execute;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

/// `RET`, in writable memory.
static DATA: AtomicU32 = AtomicU32::new(0xD65F_03C0);

fn culprit() -> ! {
    execute(DATA.as_ptr());
    rest()
}
