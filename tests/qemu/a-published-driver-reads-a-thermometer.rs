// run: --device tmp105,id=thermometer,bus=i2c-bus.1,address=0x48 --reading thermometer.temperature=23500
// run: --device tmp105,id=thermometer,bus=i2c-bus.1,address=0x48 --reading thermometer.temperature=-10500

//! The published driver `lm75` reads QEMU's thermometer on I2C1 and sets its limits.
#![no_std]
#![no_main]

use lm75::{Address, Lm75};
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
    let mut thermometer = Lm75::new(bus, Address::default());
    report!(report, "temperature {:?}", thermometer.read_temperature());
    report!(report, "limit {:?}", thermometer.set_os_temperature(75.5));
    report!(report, "hysteresis {:?}", thermometer.set_hysteresis_temperature(70.0));
    report!(report, "off {:?}, on {:?}", thermometer.disable(), thermometer.enable());
    let mut elsewhere = Lm75::new(thermometer.destroy(), Address::from(0x4F));
    report!(report, "elsewhere {:?}", elsewhere.read_temperature());
    report.end()
}
