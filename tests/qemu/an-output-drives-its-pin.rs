//! What an application says about a pin stands in the device: function, pull and level; by takt's own methods and by those
//! of `embedded-hal`.
#![no_std]
#![no_main]

use takt::board::{Level, Pin, PinNumber, Pull};
use takt::hal::digital::{InputPin, OutputPin, StatefulOutputPin};
use takt::prelude::*;
use takt::rpi4::devices;
use takt::rpi4::drivers::gpio::Function;
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

const PIN: PinNumber = PinNumber::at::<21>();
const OTHER: PinNumber = PinNumber::at::<33>();

/// A driver of somebody else's.
fn pulse(pin: &mut impl StatefulOutputPin) -> [bool; 3] {
    let mut level = || pin.is_set_high().unwrap_or_default();
    let before = level();
    let _ = pin.set_high();
    let high = pin.is_set_high().unwrap_or_default();
    let _ = OutputPin::set_low(pin);
    [before, high, pin.is_set_high().unwrap_or(true)]
}

fn level_of(pin: &mut impl InputPin) -> Option<bool> {
    pin.is_high().ok()
}

fn reporter() -> ! {
    let mut report = Report::new();
    let (Ok(pin), Ok(other)) = (Pin::<21>::take(), Pin::<33>::take()) else { panic!("a pin is taken") };
    let gpio = devices::gpio();
    report!(report, "at first pin 21 is {:?}, pull {:?}", gpio.function(PIN), gpio.pull(PIN));

    let mut output = pin.into_output(Level::Low);
    report!(report, "then {:?}, {:?}", gpio.function(PIN), output.level());
    output.set_high();
    report.is("driven high, it reads high", output.reads_high() && gpio.is_high(PIN));
    report.is("and no other pin does", !gpio.is_high(PinNumber::at::<20>()) && !gpio.is_high(OTHER));
    output.toggle();
    report.is("toggled, it reads low", !output.reads_high() && output.level() == Level::Low);
    report.is("embedded-hal drives it", pulse(&mut output) == [false, true, false]);
    output.set_level(Level::High);

    let mut input = output.into_pin(Pull::None).into_input(Pull::Up);
    report!(report, "as an input it is {:?}, pull {:?}", gpio.function(PIN), gpio.pull(PIN));
    // QEMU keeps the level that was driven, which no board does [HW 12]: what is shown is that both read the same bit.
    report.is("embedded-hal reads what the device has", level_of(&mut input) == Some(gpio.is_high(PIN)));

    // Pins above 31 have registers of their own.
    let mut other = other.into_output(Level::High);
    report.is("pin 33 reads high", other.reads_high());
    other.set_low();
    report.is("and low", !other.reads_high() && gpio.function(OTHER) == Function::Output);
    let alternate = other.into_pin(Pull::Down).with_pull(Pull::None).into_alternate::<3>();
    report!(report, "given to its device it is {:?}, pull {:?}", gpio.function(OTHER), gpio.pull(OTHER));
    let _pin = alternate.into_pin();
    report!(report, "and taken back {:?}", gpio.function(OTHER));
    report.end()
}
