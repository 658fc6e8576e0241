// run: --status 101

//! A fault while a fault is reported says so and ends: here a panic whose words cannot be formatted without another.
#![no_std]
#![no_main]

use core::fmt;

use takt::prelude::*;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

/// Words that cannot be printed.
struct Unspeakable;

impl fmt::Display for Unspeakable {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("again")
    }
}

fn culprit() -> ! {
    panic!("{}", Unspeakable)
}
