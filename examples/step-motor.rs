// SPDX-License-Identifier: MIT OR Apache-2.0
//! A step motor that turns by 200 steps each second: it speeds up, runs, and slows down. The whole train of pulses lies in
//! memory; a DMA channel brings it to the PWM block, so no step depends on a task.
//!
//! Time is divided into slots of 50 µs, a word each: 5 µs high is a step, 0 is none. The first steps are 40 slots apart, then
//! one slot less each, down to 10.
//!
//! Wiring: GPIO18 (pin 12 of the header) to the step input of the motor's driver, ground to ground.
//!
//! What a logic analyser should show at GPIO18, each second: 200 pulses of 5.0 µs in 146.0 ms; the first two are 2.00 ms
//! apart, the fastest 0.50 ms, the last two 2.00 ms; every distance is a multiple of 50.0 µs to 37 ns. Low in between.
//!
//! In QEMU, which has no PWM block, it says so and ends.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::fmt::{Display, Write};

use takt::board::{Pin, Polarity, Pwm0, PwmPeriod};
use takt::clock;
use takt::console::Console;
use takt::dma::{Buffer, Channel};
use takt::prelude::*;

takt::tasks! {
    sent: Interrupt::kernel(Channel::<5>::INTID, sent),
    turn: Task::periodic(turn).priority(250).period(millis(1_000)).stack_bytes(8_192),
}

/// Slots a second.
const SLOT_HZ: u32 = 20_000;
/// How long a step is high.
const STEP_US: u64 = 5;
/// The steps of a turn.
const STEPS: u32 = 200;
/// How many slots apart steps are, at first and at the fastest.
const SLOWEST: u32 = 40;
const FASTEST: u32 = 10;
/// A slot is a word: 2,920 up to the last step, and that one.
static TRAIN: Buffer<{ 2_921 * 4 }> = Buffer::new();

static SENT: Event = Event::new();

fn sent() {
    Channel::<5>::acknowledge();
    SENT.set_from_handler();
}

/// How many slots after step `index` the next one comes: as many at the end as at the beginning.
fn slots_after(index: u32) -> u32 {
    let from_an_end = index.min(STEPS.saturating_sub(2).saturating_sub(index));
    SLOWEST.saturating_sub(from_an_end).max(FASTEST)
}

/// The words of a turn: a step, the slots up to the next one, and so on.
fn words(step: u32) -> impl Iterator<Item = u32> {
    (0..STEPS).flat_map(move |index| {
        let pause = if index < STEPS.saturating_sub(1) { slots_after(index).saturating_sub(1) } else { 0 };
        core::iter::once(step).chain((0..pause).map(|_| 0))
    })
}

fn turn(mut period: Periodic) -> ! {
    let slot = PwmPeriod::of_frequency_hz(SLOT_HZ).unwrap_or_else(|error| end_with(&error));
    let block = Pwm0::take().unwrap_or_else(|error| end_with(&error));
    let pin = Pin::<18>::take().unwrap_or_else(|error| end_with(&error));
    let mut channel = Channel::<5>::take().unwrap_or_else(|error| end_with(&error));
    let mut source = TRAIN.take().unwrap_or_else(|error| end_with(&error));
    let mut motor = block.one.enable_train(pin.into_alternate::<5>(), slot, Polarity::Normal);
    let step = motor.word(micros(STEP_US)).unwrap_or_else(|error| end_with(&error));
    let bytes = source.put_words(words(step));
    loop {
        period.wait();
        let transfer = channel.send(source, motor, bytes).unwrap_or_else(|refused| end_with(&refused));
        match transfer.wait_until(&SENT, clock::from_now(millis(500))) {
            Ok((back, lent)) => (channel, source, motor) = (back, lent.source, lent.device),
            Err(unfinished) => end_with(&unfinished),
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
