// run: --wire-bus i2c --device tmp105,id=t,bus=i2c-bus.1,address=0x48 --reading t.temperature=23500 --device at24c-eeprom,bus=i2c-bus.1,address=0x50,rom-size=32768

//! The published drivers `lm75` and `eeprom24x` on an I2C1 that sleeps until its interrupt. A device that is not there does
//! not acknowledge, and the bus goes on.
#![no_std]
#![no_main]

use eeprom24x::{Eeprom24x, SlaveAddr};
use lm75::{Address, Lm75};
use takt::board::I2c1;
use takt::board::i2c::Config;
use takt::clock;
use takt::hal::i2c::I2c as _;
use takt::prelude::*;
use takt_tests::{Report, buses, report};

takt::tasks! {
    i2c1: I2c1::interrupt(),
    reporter: Task::background(reporter).priority(254).stack_bytes(16_384),
}

fn reporter() -> ! {
    let mut report = Report::new();
    let (mut bus, core_hz) = buses::sleeping_i2c1();
    assert!(bus.enable(&Config { frequency_hz: 400_000, ..Config::default() }, core_hz).is_ok());
    let mut thermometer = Lm75::new(bus, Address::default());
    report!(report, "temperature {:?}", thermometer.read_temperature());
    let bus = thermometer.destroy();
    report!(report, "interrupts for a read of a register: {}", bus.wait().wakes());
    let mut thermometer = Lm75::new(bus, Address::default());
    report!(report, "limit {:?}", thermometer.set_os_temperature(75.5));
    let mut bus = thermometer.destroy();
    report!(report, "interrupts for a write of one: {}", bus.wait().wakes() - 1);

    let start = clock::now();
    for done in [bus.write(0x10, &[1, 2, 3]), bus.read(0x10, &mut [0; 3]), bus.write_read(0x10, &[1], &mut [0; 2])] {
        if let Err(error) = done {
            report!(report, "{error}");
        }
    }
    let took_us = clock::now().since(start).cast_unsigned() / clock::half_ticks_per_us();
    report.is("three errors within 10 ms", took_us < 10_000);
    let found = (0x08..0x78).filter(|&address| bus.write(address, &[]).is_ok()).inspect(|address| {
        report!(report, "a device at {address:#04x}");
    });
    let count = found.count();
    report!(report, "{count} devices");

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
    report.is("nothing is spurious", takt::interrupt_counts().spurious == 0);
    report.end()
}
