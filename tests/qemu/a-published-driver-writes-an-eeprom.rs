// run: --device at24c-eeprom,bus=i2c-bus.1,address=0x50,rom-size=32768

//! The published driver `eeprom24x` writes pages of QEMU's EEPROM on I2C1 and reads back what it wrote.
#![no_std]
#![no_main]

use eeprom24x::{Eeprom24x, SlaveAddr};
use takt::board::i2c::Config;
use takt::prelude::*;
use takt_tests::{Report, buses, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254).stack_bytes(16_384),
}

fn reporter() -> ! {
    let mut report = Report::new();
    let (mut bus, core_hz) = buses::i2c1();
    assert!(bus.enable(&Config { frequency_hz: 400_000, ..Config::default() }, core_hz).is_ok());
    let mut eeprom = Eeprom24x::new_24x256(bus, SlaveAddr::default());
    let mut page = [0; 64];
    for number in 0..16_u32 {
        page.iter_mut().enumerate().for_each(|(index, byte)| *byte = (index as u32 * 7 + number) as u8);
        if let Err(error) = eeprom.write_page(number * 64, &page) {
            report!(report, "page {number}: {error:?}");
        }
    }
    let mut read = [0; 1_024];
    report!(report, "1024 bytes read: {:?}", eeprom.read_data(0, &mut read));
    let is_as_written = |at: usize| read[at] == (at as u32 % 64 * 7 + at as u32 / 64) as u8;
    report.is("they are what was written", (0..read.len()).all(is_as_written));
    report!(report, "byte 65: {:?}", eeprom.read_byte(65));
    report!(report, "beyond the end: {:?}", eeprom.read_byte(32_768));
    report!(report, "starts that followed a stop: {}", eeprom.destroy().bus_releases());
    report.end()
}
