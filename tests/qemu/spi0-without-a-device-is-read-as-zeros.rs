//! SPI0 with nobody on it: every transfer ends, and what is read are zeros. A clock that cannot be made is refused, and so is
//! a transfer before the bus is enabled.
#![no_std]
#![no_main]

use takt::board::Pin;
use takt::board::spi::{Config, Device, Error};
use takt::hal::spi::{MODE_3, Operation, SpiBus as _, SpiDevice as _};
use takt::prelude::*;
use takt_tests::{Report, buses, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254).stack_bytes(32_768),
}

fn reporter() -> ! {
    let mut report = Report::new();
    let (mut bus, core_hz) = buses::spi0();
    report.is("a bus that was not enabled says so", bus.write(&[1]) == Err(Error::NotEnabled));
    if let Err(error) = bus.enable(&Config { frequency_hz: 200_000_000, ..Config::default() }, core_hz) {
        report!(report, "{error}");
    }
    match bus.enable(&Config { frequency_hz: 10_000_000, mode: MODE_3 }, core_hz) {
        Ok(divider) => report!(report, "divider {}, {} Hz", divider.register(), divider.frequency_hz()),
        Err(error) => report!(report, "{error}"),
    }
    let mut bytes = [0xEE; 4_096];
    for length in [0, 1, 15, 16, 17, 63, 64, 65, 4_096] {
        bytes.fill(0xEE);
        let is_read = bus.read(&mut bytes[..length]) == Ok(());
        let are_zeros =
            bytes[..length].iter().all(|&byte| byte == 0) && bytes[length..].iter().all(|&byte| byte == 0xEE);
        let is_written = bus.write(&bytes) == Ok(());
        let is_replaced = bus.transfer_in_place(&mut bytes[..length]) == Ok(());
        report.is(format_args!("{length} bytes"), is_read && are_zeros && is_written && is_replaced);
    }
    let Ok(pin) = Pin::<8>::take() else { panic!("pin 8 was taken before") };
    let mut device = Device::new(bus, pin.into_alternate::<0>());
    let mut id = [0xEE; 3];
    let done =
        device.transaction(&mut [Operation::Write(&[0x9F]), Operation::DelayNs(1_000), Operation::Read(&mut id)]);
    report.is("a transaction of a device", done == Ok(()) && id == [0; 3]);
    report.end()
}
