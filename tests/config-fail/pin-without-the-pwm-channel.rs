//! A pin that is not wired to the channel: 18 is by alternate 5, not 0.
#![no_std]
#![no_main]

use takt::board::{Pin, Polarity, Pwm0, PwmPeriod};
use takt::prelude::*;

takt::tasks! {
    pump: Task::background(body).priority(10),
}

fn body() -> ! {
    if let (Ok(pin), Ok(pwm), Ok(period)) = (Pin::<18>::take(), Pwm0::take(), PwmPeriod::of_frequency_hz(50)) {
        let _servo = pwm.one.enable(pin.into_alternate::<0>(), period, Polarity::Normal);
    }
    loop {
        yield_turn();
    }
}
