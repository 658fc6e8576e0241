//! A bus is given once and goes to the task that uses it. It keeps its pins, which belong to its device, until it ends: SCL
//! of an I2C1 that hangs becomes an output, clocks by hand, and goes back.
#![no_std]
#![no_main]

use takt::Delay;
use takt::board::i2c::{Config, Error};
use takt::board::{I2c1, I2c1Bus, Level, Pin, PinNumber, Pull, Spi0};
use takt::hal::delay::DelayNs as _;
use takt::hal::i2c::I2c as _;
use takt::handover::Handover;
use takt::prelude::*;
use takt::rpi4::devices;
use takt_tests::{Report, buses, report};

takt::tasks! {
    opener: Task::background(opener).priority(10),
    reporter: Task::background(reporter).priority(254).stack_bytes(16_384),
}

static BUS: Handover<Option<I2c1Bus>> = Handover::new(None);
static OPEN: Event = Event::new();
static NEVER: Event = Event::new();

fn opener() -> ! {
    let (mut bus, core_hz) = buses::i2c1();
    assert!(bus.enable(&Config::default(), core_hz).is_ok());
    if let Some(mut place) = BUS.take() {
        *place = Some(bus);
    }
    OPEN.set();
    loop {
        NEVER.wait();
    }
}

/// What the pins are for, and their pulls.
fn say(report: &mut Report, pins: &[u8]) {
    let gpio = devices::gpio();
    for pin in pins.iter().copied().filter_map(PinNumber::new) {
        report!(report, "pin {} is {:?}, pull {:?}", pin.number(), gpio.function(pin), gpio.pull(pin));
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    OPEN.wait();
    let Some(bus) = BUS.take().and_then(|mut place| place.take()) else { panic!("no bus was handed over") };
    say(&mut report, &[2, 3]);
    if let (Err(bus), Err(pin)) = (I2c1::take(), Pin::<3>::take()) {
        report!(report, "{bus}");
        report!(report, "{pin}");
    }

    let (i2c, (sda, scl)) = I2c1::from_bus(bus);
    let mut scl = scl.into_pin().into_output(Level::High);
    for _ in 0..18 {
        Delay.delay_us(5);
        scl.toggle();
    }
    report.is("nine clocks by hand leave SCL high", scl.reads_high());
    let mut bus = i2c.into_bus(sda, scl.into_pin(Pull::None).into_alternate());
    say(&mut report, &[2, 3]);
    report.is("the new bus has to be enabled", bus.write(0x10, &[1]) == Err(Error::NotEnabled));

    let (spi, _) = buses::spi0();
    say(&mut report, &[9, 10, 11]);
    if let Err(bus) = Spi0::take() {
        report!(report, "{bus}");
    }
    let (_spi, (miso, mosi, sclk)) = Spi0::from_bus(spi);
    let _pins = (miso.into_pin(), mosi.into_pin(), sclk.into_pin());
    say(&mut report, &[9, 10, 11]);
    report.end()
}
