// run: --status 101
//! An access to a device that is not there is answered at the one place where takt asks, and nowhere else: a driver that is
//! used without having been taken ends the run, also after the question.
#![no_std]
#![no_main]

use takt::board::Thermometer;
use takt::prelude::*;
use takt::rpi4::devices;
use takt_tests::rest;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

fn culprit() -> ! {
    if Thermometer::take().is_err() {
        let _ = devices::thermal().milli_celsius();
    }
    rest()
}
