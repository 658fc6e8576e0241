// SPDX-License-Identifier: MIT OR Apache-2.0
//! A heartbeat: the board's green LED, half a second lit and half a second dark.
//!
//! The task is the least urgent there is. The core's idle loop runs no code of an application's, so this is the nearest to
//! "the core has time to spare": an LED that stops or stumbles says that something more urgent takes all of it.
//!
//! Wiring: none. The LED is on the board, at GPIO42 of the Raspberry Pi 4 Model B.
//!
//! On an oscilloscope (there is a pad at the LED): 1 Hz, high for 500 ms. The period does not drift, and does not depend on
//! how long a toggle takes.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::fmt::Write;

use takt::board::ActLed;
use takt::console::Console;
use takt::prelude::*;

takt::tasks! {
    heartbeat: Task::periodic(heartbeat).priority(254).period(millis(500)),
}

fn heartbeat(mut period: Periodic) -> ! {
    match ActLed::take() {
        Ok(mut led) => loop {
            period.wait();
            led.toggle();
        },
        Err(error) => {
            // The least urgent task may print.
            if let Some(mut console) = Console::take() {
                let _ = writeln!(console, "{error}");
                console.flush();
            }
            takt::exit(1)
        }
    }
}
