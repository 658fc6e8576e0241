// run: --status 101
// run: --status 101 --append "idle=spin"

//! A panic in a handler that the idle task called says that the core was idle. The interrupt is the system timer's
//! channel 3, on INTID 99, which is free for the application.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt::rpi4::devices;
use takt::rpi4::drivers::system_timer::{Armed, Channel};
use takt_tests::rest;

takt::tasks! {
    alarm: Interrupt::kernel(99, alarm),
    sleeper: Task::background(sleeper).priority(20),
}

fn alarm() {
    panic!("nobody is there");
}

fn sleeper() -> ! {
    let mut timer = devices::system_timer();
    let due_us = timer.now_us() + 1_000;
    assert!(timer.arm(Channel::Three, due_us) == Armed::Ahead, "a millisecond passed");
    rest()
}
