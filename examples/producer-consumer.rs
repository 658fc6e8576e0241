// SPDX-License-Identifier: MIT OR Apache-2.0
//! A producer takes 64 samples, one every 250 µs, and sends them as a block; a less urgent consumer works on it while the
//! producer fills the other block. What is sent is the right to use the block: the samples are not copied, and the producer
//! never waits. A block that the consumer has not given back in time is counted as lost.
//!
//! Wiring: oscilloscope at GPIO17 (pin 11 of the header) and GPIO27 (pin 13), its ground at pin 9.
//!
//! On the oscilloscope: GPIO17 changes its level at each sample, a square wave of 2 kHz that does not change when the
//! consumer works. GPIO27 is high while the consumer works, once in 16 ms.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::fmt::Write;
use core::sync::atomic::{AtomicU32, Ordering};

use takt::board::{Level, Output, Pin, PinTaken};
use takt::clock;
use takt::console::Console;
use takt::handover::{Handover, Taken};
use takt::prelude::*;

takt::tasks! {
    producer: Task::periodic(producer).priority(10).period(micros(250)),
    consumer: Task::background(consumer).priority(100).stack_bytes(16_384),
}

/// How many samples a block has.
const SAMPLES: usize = 64;

/// How late a sample was taken, in half ticks: what stands in for a reading of a converter.
type Block = [u32; SAMPLES];

/// One is filled while the other is worked on.
static BLOCKS: [Handover<Block>; 2] = [const { Handover::new([0; SAMPLES]) }; 2];
/// Full blocks, of which each belongs to whoever has it.
static FULL: MessageQueue<Taken<'static, Block>, 2> = MessageQueue::new();
/// Blocks for which there was no room.
static LOST: AtomicU32 = AtomicU32::new(0);
/// The pin that shows the samples, from the task that may print to the one that drives it.
static SAMPLE_PIN: Handover<Option<Output<17>>> = Handover::new(None);

fn producer(mut period: Periodic) -> ! {
    let mut pin = None;
    for block in BLOCKS.iter().cycle() {
        let mut room = block.take();
        for sample in 0..SAMPLES {
            let release = period.wait();
            let late = release.start().since(release.due());
            if let Some(place) = room.as_mut().and_then(|block| block.get_mut(sample)) {
                *place = u32::try_from(late).unwrap_or(0);
            }
            match &mut pin {
                Some(pin) => Output::toggle(pin),
                None => pin = SAMPLE_PIN.take().and_then(|mut place| place.take()),
            }
        }
        // There is a place for each block, so what was filled is sent.
        if room.is_none_or(|block| FULL.try_send(block).is_err()) {
            LOST.fetch_add(1, Ordering::Relaxed);
        }
    }
    takt::exit(0)
}

fn consumer() -> ! {
    let Some(mut console) = Console::take() else { takt::exit(1) };
    let mut pin = match set_up() {
        Ok(pin) => pin,
        Err(error) => {
            let _ = writeln!(console, "{error}");
            console.flush();
            takt::exit(1)
        }
    };
    for number in 0_u32.. {
        // Twice the time that a block takes: the producer has stopped if it is not there by then.
        let block = match FULL.receive_until(clock::from_now(millis(32))) {
            Ok(block) => block,
            Err(error) => {
                let _ = writeln!(console, "no block came: {error}");
                continue;
            }
        };
        pin.set_high();
        let worst = block.iter().max().copied().unwrap_or(0);
        drop(block);
        let lost = LOST.load(Ordering::Relaxed);
        let _ = writeln!(console, "block {number}: latest sample {worst} half ticks late, {lost} blocks lost");
        pin.set_low();
    }
    takt::exit(0)
}

/// Gives the producer its pin, and answers the consumer's.
fn set_up() -> Result<Output<27>, PinTaken> {
    let sample_pin = Pin::<17>::take()?.into_output(Level::Low);
    if let Some(mut place) = SAMPLE_PIN.take() {
        *place = Some(sample_pin);
    }
    Ok(Pin::<27>::take()?.into_output(Level::Low))
}
