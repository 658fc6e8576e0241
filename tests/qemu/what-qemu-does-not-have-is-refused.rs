// run: --allow-guest-error "not implemented for 4c"
//! A peripheral that this machine does not have is refused with a sentence, after a question to which nobody answers; and
//! again the next time, since it was not given away. Event detection, of which QEMU's registers keep nothing, is too: the
//! allowed error is the one register of the pins that is asked.
#![no_std]
#![no_main]

use takt::board::{Detect, GpioLine, Pin, Pull, Pwm0, Pwm1, PwmPeriod, Rng, Thermometer};
use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

fn reporter() -> ! {
    let mut report = Report::new();
    for _ in 0..2 {
        let refusals = [Pwm0::take().err(), Pwm1::take().err(), Rng::take().err(), Thermometer::take().err()];
        for refusal in refusals {
            match refusal {
                Some(refusal) => report!(report, "{refusal}"),
                None => panic!("it was given"),
            }
        }
    }
    if let Ok(pin) = Pin::<17>::take()
        && let Err(absent) = pin.into_input(Pull::Up).into_events(Detect::BothEdges)
    {
        report!(report, "{absent}");
    }
    report.is("and no event is ever taken", GpioLine::AllPins.take_events().pins.is_empty());
    match PwmPeriod::of_frequency_hz(700_000) {
        Err(error) => report!(report, "{error}"),
        Ok(_) => panic!("700 kHz is off by more than a percent"),
    }
    match takt::board::health() {
        Ok((Some(milli_celsius), _)) => report!(report, "the firmware says {milli_celsius} thousandths of a degree"),
        _ => panic!("the firmware does not answer"),
    }
    report.end()
}
