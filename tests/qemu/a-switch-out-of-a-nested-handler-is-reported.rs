// SPDX-License-Identifier: MIT OR Apache-2.0
// run: --status 101

//! Kernel handlers do not nest, since the interrupt controller gives them all one priority. A program that gives one another
//! priority breaks that: where the nested one wakes a task that is to run, the end says so.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt::rpi4::devices;
use takt::rpi4::drivers::gic400::{Intid, Priority};
use takt_tests::{busy_for_us, raise, rest};

takt::tasks! {
    outer: Interrupt::kernel(1, outer),
    inner: Interrupt::kernel(2, inner),
    urgent: Task::background(urgent).priority(10),
    interrupted: Task::background(interrupted).priority(20),
}

static WOKEN: Event = Event::new();

fn outer() {
    raise(2);
    busy_for_us(20);
}

fn inner() {
    WOKEN.set_from_handler();
}

fn urgent() -> ! {
    WOKEN.wait();
    panic!("a nested handler switched tasks");
}

fn interrupted() -> ! {
    assert!(devices::distributor().set_priority(Intid::sgi(2), Priority::MOST_URGENT).is_ok(), "the line exists");
    raise(1);
    rest()
}
