// SPDX-License-Identifier: MIT OR Apache-2.0
//! A square wave of 1 kHz from a periodic task: what it looks like is how good takt's releases are.
//!
//! Wiring: oscilloscope at GPIO17 (pin 11 of the header), its ground at pin 9.
//!
//! On the oscilloscope: 0 V and 3.3 V, 500 µs each. Trigger on the rising edge, look at the one a millisecond later, and
//! let the screen keep what it drew: the width of that edge is the spread from release to release, what `latency` prints as
//! the maximum of `task` less its minimum. The frequency is the oscillator's: it does not drift against it.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::fmt::Write;

use takt::board::{Level, Output, Pin};
use takt::console::Console;
use takt::handover::Handover;
use takt::prelude::*;

takt::tasks! {
    wave: Task::periodic(wave).priority(10).period(micros(500)),
    setup: Task::background(setup).priority(250),
}

/// The pin, from the task that sets it up and may print to the one that drives it.
static PIN: Handover<Option<Output<17>>> = Handover::new(None);

fn wave(mut period: Periodic) -> ! {
    let mut pin = None;
    loop {
        period.wait();
        match &mut pin {
            Some(pin) => Output::toggle(pin),
            None => pin = PIN.take().and_then(|mut place| place.take()),
        }
    }
}

fn setup() -> ! {
    match Pin::take() {
        Ok(pin) => {
            if let Some(mut place) = PIN.take() {
                *place = Some(pin.into_output(Level::Low));
            }
        }
        Err(error) => {
            if let Some(mut console) = Console::take() {
                let _ = writeln!(console, "{error}");
                console.flush();
            }
            takt::exit(1)
        }
    }
    // It has nothing to do any more.
    let never = Event::new();
    loop {
        never.wait();
    }
}
