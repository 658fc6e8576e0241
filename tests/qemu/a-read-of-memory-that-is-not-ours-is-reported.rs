// run: --status 101

//! Memory that is not takt's is not mapped: a read of RAM behind the image, below 1 GiB, is a data abort.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::rest;
use takt_tests::wrong::read;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

fn culprit() -> ! {
    read(0x3000_0000);
    rest()
}
