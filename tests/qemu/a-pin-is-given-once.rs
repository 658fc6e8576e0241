//! Each pin and each peripheral is given once; who asks again is told so, and who asks for the console's pins is told whose
//! they are.
#![no_std]
#![no_main]

use takt::board::{ActLed, Level, Pin, Pull, Watchdog};
use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

fn reporter() -> ! {
    let mut report = Report::new();
    let pin = Pin::<17>::take();
    report.is("pin 17 is given", pin.is_ok());
    if let Err(error) = Pin::<17>::take() {
        report!(report, "{error}");
    }
    drop(pin);
    report.is("a pin that was dropped is not given again", Pin::<17>::take().is_err());
    for error in [Pin::<14>::take().err(), Pin::<15>::take().err()].into_iter().flatten() {
        report!(report, "{error}");
    }
    report.is("the last pin is given", Pin::<57>::take().is_ok());
    match ActLed::take() {
        Ok(mut led) => {
            report.is("the LED is dark", !led.is_lit());
            led.toggle();
            report.is("and lit", led.is_lit());
        }
        Err(error) => report!(report, "{error}"),
    }
    if let Err(error) = ActLed::take() {
        report!(report, "{error}");
    }
    report.is("so is its pin", Pin::<42>::take().is_err());
    let watchdog = Watchdog::take();
    report.is("the watchdog is given", watchdog.as_ref().is_ok_and(|watchdog| !watchdog.is_running()));
    if let Err(error) = Watchdog::take() {
        report!(report, "{error}");
    }
    // What a pin is for is changed by its owner; nobody takes it anew.
    if let Ok(pin) = Pin::<22>::take() {
        let output = pin.into_output(Level::High);
        report.is("an output is high from the start", output.level() == Level::High && output.reads_high());
        let input = output.into_pin(Pull::Down).into_input(Pull::Up);
        let mut output = input.into_pin().into_output(Level::Low);
        report.is("and low when it becomes one again", !output.reads_high());
        output.toggle();
    }
    report.end()
}
