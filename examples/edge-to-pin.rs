// SPDX-License-Identifier: MIT OR Apache-2.0
//! From an edge at one pin to an edge at another, through a direct handler: the shortest reaction that software has here.
//!
//! Wiring: a square wave of 3.3 V, or a button to ground, at GPIO17 (pin 11 of the header; its pull-up is on); ground at
//! pin 9. Oscilloscope: channel 1 at GPIO17, channel 2 at GPIO27 (pin 13).
//!
//! On the oscilloscope: channel 2 follows channel 1. Trigger on channel 1 and let the screen keep what it drew: the
//! distance of the edges is the reaction time, and the width of the second edge its spread. It has the way into a direct
//! handler, two reads of the device and two writes. A second edge that comes before the handler has acknowledged the first
//! is not answered by itself; the level after it is what channel 2 ends at.
//!
//! In QEMU, which detects no events, it says so and ends.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::fmt::{Display, Write};

use takt::board::{Detect, GpioLine, Level, Output, Pin, PinNumber, Pull};
use takt::console::Console;
use takt::handover::Handover;
use takt::prelude::*;

takt::tasks! {
    follow: Interrupt::direct(GpioLine::Pins0To27.intid(), follow),
    setup: Task::background(setup).priority(250),
}

const INPUT: PinNumber = PinNumber::at::<17>();

/// The pin that follows: the task puts it here before an edge can come, and from then on it is the handler's.
static FOLLOWER: Handover<Option<Output<27>>> = Handover::new(None);

/// An edge came. Acknowledges in any case, then acts on the level, not on the edge.
fn follow() {
    let events = GpioLine::Pins0To27.take_events();
    if events.pins.contains(INPUT)
        && let Some(mut place) = FOLLOWER.take()
        && let Some(follower) = &mut *place
    {
        follower.set_level(Level::from_is_high(events.high.contains(INPUT)));
    }
}

fn setup() -> ! {
    let (input, follower) = match (Pin::<17>::take(), Pin::take()) {
        (Ok(input), Ok(follower)) => (input, follower),
        (Err(error), _) | (_, Err(error)) => end_with(&error),
    };
    let input = input.into_input(Pull::Up);
    if let Some(mut place) = FOLLOWER.take() {
        *place = Some(follower.into_output(input.level()));
    }
    if let Err(error) = input.into_events(Detect::BothEdges) {
        end_with(&error)
    }
    // It has nothing to do any more: dropping the input leaves its detectors on.
    let never = Event::new();
    loop {
        never.wait();
    }
}

fn end_with(error: &dyn Display) -> ! {
    if let Some(mut console) = Console::take() {
        let _ = writeln!(console, "{error}");
        console.flush();
    }
    takt::exit(1)
}
