// run: --status 101

//! The null page is not mapped: a read through a null pointer is a data abort with its address.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::rest;
use takt_tests::wrong::read;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

fn culprit() -> ! {
    read(0x10);
    rest()
}
