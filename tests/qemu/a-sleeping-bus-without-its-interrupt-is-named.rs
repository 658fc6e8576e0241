// run: --wire-bus spi0 --status 101

//! A bus that sleeps, and whose interrupt does not stand in the table: its first sleep ends the run, and the interrupt is
//! named.
#![no_std]
#![no_main]

use takt::board::spi::Config;
use takt::hal::spi::SpiBus as _;
use takt::prelude::*;
use takt_tests::buses;

takt::tasks! {
    sampler: Task::background(sampler).priority(10),
}

fn sampler() -> ! {
    let (mut bus, core_hz) = buses::sleeping_spi0();
    assert!(bus.enable(&Config::default(), core_hz).is_ok());
    panic!("the transfer ended: {:?}", bus.write(&[1]));
}
