// run: --device w25q32,id=flash,bus=spi --chip-select 8=flash

//! The published driver `w25q32jv` erases, writes and reads QEMU's flash on SPI0, selected by pin 8 as an output through
//! `embedded-hal-bus`'s `ExclusiveDevice`.
#![no_std]
#![no_main]

use embedded_hal_bus::spi::ExclusiveDevice;
use takt::Delay;
use takt::board::spi::Config;
use takt::board::{Level, Pin};
use takt::prelude::*;
use takt_tests::{Report, buses, flash};

takt::tasks! {
    reporter: Task::background(reporter).priority(254).stack_bytes(32_768),
}

fn reporter() -> ! {
    let mut report = Report::new();
    let (mut bus, core_hz) = buses::spi0();
    assert!(bus.enable(&Config { frequency_hz: 20_000_000, ..Config::default() }, core_hz).is_ok());
    let Ok(pin) = Pin::<8>::take() else { panic!("pin 8 was taken before") };
    let Ok(mut device) = ExclusiveDevice::new(bus, pin.into_output(Level::High), Delay);
    flash::identify(&mut report, &mut device);
    flash::erase_write_and_read(&mut report, device);
    report.end()
}
