// SPDX-License-Identifier: MIT OR Apache-2.0
//! A model servo that sweeps from one end to the other and back in four seconds. The PWM block makes the pulses, so they do
//! not depend on any task; a task only says how long they are.
//!
//! Wiring: the servo's signal at GPIO18 (pin 12 of the header), its supply from 5 V of its own, all grounds together.
//! Oscilloscope at GPIO18.
//!
//! On the oscilloscope: a pulse each 20 ms, whose length goes from 1 ms to 2 ms and back in steps of 10 µs. Within a step all
//! pulses are alike to 37 ns, a cycle of the PWM clock, whatever the tasks do.
//!
//! In QEMU, which has no PWM block, it says so and ends.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::fmt::{Display, Write};

use takt::board::{Pin, Polarity, Pwm0, PwmPeriod};
use takt::console::Console;
use takt::prelude::*;

takt::tasks! {
    sweep: Task::periodic(sweep).priority(250).period(millis(20)),
}

/// Pulses a second, as model servos want them.
const FREQUENCY_HZ: u32 = 50;
/// How long a pulse is at one end and at the other.
const ENDS_US: [u64; 2] = [1_000, 2_000];
/// How much it changes from one to the next.
const STEP_US: usize = 10;

fn sweep(mut period: Periodic) -> ! {
    let pulses = match PwmPeriod::of_frequency_hz(FREQUENCY_HZ) {
        Ok(pulses) => pulses,
        Err(error) => end_with(&error),
    };
    let channel = match Pwm0::take() {
        Ok(block) => block.one,
        Err(error) => end_with(&error),
    };
    let pin = match Pin::<18>::take() {
        Ok(pin) => pin,
        Err(error) => end_with(&error),
    };
    let mut servo = channel.enable(pin.into_alternate::<5>(), pulses, Polarity::Normal);
    let [one_end, other_end] = ENDS_US;
    loop {
        for us in (one_end..other_end).step_by(STEP_US).chain((one_end..=other_end).rev().step_by(STEP_US)) {
            period.wait();
            // Shorter than the period: never refused.
            let _ = servo.set_high_time(micros(us));
        }
    }
}

fn end_with(error: &dyn Display) -> ! {
    // The least urgent task may print.
    if let Some(mut console) = Console::take() {
        let _ = writeln!(console, "{error}");
        console.flush();
    }
    takt::exit(1)
}
