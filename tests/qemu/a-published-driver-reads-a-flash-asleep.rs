// run: --wire-bus spi0 --device w25q32,id=flash,bus=spi --chip-select 8=flash

//! The published driver `w25q32jv` writes and reads QEMU's flash on a bus that sleeps, and sees no difference.
#![no_std]
#![no_main]

use embedded_hal_bus::spi::ExclusiveDevice;
use takt::Delay;
use takt::board::spi::Config;
use takt::board::{Level, Pin, Spi0};
use takt::hal::spi::{Operation, SpiDevice as _};
use takt::prelude::*;
use takt_tests::{Report, buses, flash, report};

takt::tasks! {
    spi0: Spi0::interrupt(),
    reporter: Task::background(reporter).priority(254).stack_bytes(32_768),
}

fn reporter() -> ! {
    let mut report = Report::new();
    let (mut bus, core_hz) = buses::sleeping_spi0();
    assert!(bus.enable(&Config { frequency_hz: 20_000_000, ..Config::default() }, core_hz).is_ok());
    let Ok(pin) = Pin::<8>::take() else { panic!("pin 8 was taken before") };
    let Ok(mut device) = ExclusiveDevice::new(bus, pin.into_output(Level::High), Delay);
    flash::identify(&mut report, &mut device);
    report!(report, "interrupts for a command and its answer: {}", device.bus().wait().wakes());
    let mut erased = [0; 200];
    let asked = device.transaction(&mut [Operation::Write(&[0x03, 0, 0x10, 0]), Operation::Read(&mut erased)]);
    report.is("200 bytes read are erased", asked.is_ok() && erased == [0xFF; 200]);
    report!(report, "interrupts for 200 bytes after a command: {}", device.bus().wait().wakes() - 2);
    flash::erase_write_and_read(&mut report, device);
    report.is("nothing is spurious", takt::interrupt_counts().spurious == 0);
    report.end()
}
