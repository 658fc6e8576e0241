// run:
// run: --device tmp105,bus=i2c-bus.1,address=0x48

//! An address at which there is no device is an error, in bounded time, and the bus can be used again. A search of all
//! addresses finds the devices that there are.
#![no_std]
#![no_main]

use takt::board::i2c::Config;
use takt::clock;
use takt::hal::i2c::{Error as _, I2c as _, Operation};
use takt::prelude::*;
use takt_tests::{Report, buses, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254).stack_bytes(16_384),
}

fn reporter() -> ! {
    let mut report = Report::new();
    let (mut bus, core_hz) = buses::i2c1();
    if let Err(error) = bus.write(0x10, &[1]) {
        report!(report, "{error}");
    }
    match bus.enable(&Config::default(), core_hz) {
        Ok(timing) => report!(report, "divider {}, {} Hz", timing.div(), timing.frequency_hz()),
        Err(error) => report!(report, "{error}"),
    }
    let start = clock::now();
    for done in [bus.write(0x10, &[1, 2, 3]), bus.read(0x10, &mut [0; 3]), bus.write_read(0x10, &[1], &mut [0; 2])] {
        if let Err(error) = done {
            report!(report, "{error} ({:?})", error.kind());
        }
    }
    let took_us = clock::now().since(start).cast_unsigned() / clock::half_ticks_per_us();
    report.is("three errors within 10 ms", took_us < 10_000);
    for error in [
        bus.write(0x80, &[]).err(),
        bus.read(0x10, &mut []).err(),
        bus.transaction(0x10, &mut [Operation::Read(&mut [0]), Operation::Write(&[0])]).err(),
    ] {
        report!(report, "{}", error.map_or("it was done", |_| "refused"));
    }
    let found = (0x08..0x78).filter(|&address| bus.write(address, &[]).is_ok()).inspect(|address| {
        report!(report, "a device at {address:#04x}");
    });
    let count = found.count();
    report!(report, "{count} devices");
    report.end()
}
