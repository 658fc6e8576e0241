// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bench irq`: from what raises an interrupt to its handler and to the task that this wakes, by three ways.
//!
//! | way | raised by |
//! |---|---|
//! | `sgi` | a software generated interrupt that the core sends to itself |
//! | `pended` | the line of the pins, pended in the interrupt controller |
//! | `pin` | an edge: GPIO17 (header pin 11) goes high, a jumper leads to GPIO27 (pin 13), and its event raises the line |
//!
//! The handler lowers GPIO17 by its first statement behind the stamp, so the width of the pulse is the latency that an oscilloscope
//! sees. In QEMU, which detects no events, `takt run --wire-pin 17` leads the level to the line.

use core::fmt::Write;
use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};

use takt::board::{Detect, EventInput, GpioLine, Level, Output, Pin, PinNumber, Pull};
use takt::clock;
use takt::handover::Handover;
use takt::kernel::time::Instant;
use takt::rpi4::drivers::gic400::Intid;
use takt::rpi4::{devices, interrupts};
use takt::{Event, Slot};

use super::software::{self, Answer};
use super::{Suite, urgently, write_row};
use crate::actors::{self, Part, is_to_end};
use crate::boot_line::Times;
use crate::commands::Session;
use crate::refusal::Refusal;
use crate::slots::{self, LINEAR_BINS};

pub(super) static SUITE: Suite = Suite {
    name: "irq",
    summary: "an interrupt to its handler and its task: by software and from GPIO17 to GPIO27; -l TIMES, 10000",
    run,
};

const TIMES: Times = Times { command: "bench irq", what: "times", usual: 10_000, maximum: 10_000_000 };

/// After so many times the console task looks for Ctrl-C: the tasks leave it no time.
const TIMES_PER_LOOK: u32 = 1_024;
/// How long an interrupt may take at the most before it is taken to be missing.
const PATIENCE_US: u64 = 1_000;

/// The line of the pins, for the line `Interrupt::kernel(PIN_INTID, pin_interrupt)` of the table.
pub const PIN_INTID: u16 = GpioLine::Pins0To27.intid();

/// By which way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Sgi = 0,
    Pended = 1,
    Pin = 2,
}

static WAYS: [(Way, [&str; 2]); 3] = [
    (Way::Sgi, ["irq-sgi-handler", "irq-sgi-task"]),
    (Way::Pended, ["irq-pended-handler", "irq-pended-task"]),
    (Way::Pin, ["irq-pin-handler", "irq-pin-task"]),
];

static PARTS: [Part; 2] = [Part { priority: 110, body: is_woken }, Part { priority: 120, body: raises }];

static WAY: AtomicU8 = AtomicU8::new(0);
static LEFT: AtomicU32 = AtomicU32::new(0);
static IS_MISSING: AtomicBool = AtomicBool::new(false);
/// When the interrupt was raised, and when the woken task ran, in half ticks.
static RAISED: AtomicU64 = AtomicU64::new(0);
static RAN: AtomicU64 = AtomicU64::new(0);

/// What the pins' handler says: how often it ran, and when it last began.
static COUNT: AtomicU64 = AtomicU64::new(0);
static STAMP: AtomicU64 = AtomicU64::new(0);
static EDGE: Event = Event::new();

/// The pins, once they were taken; the input where this machine detects events.
struct Pins {
    _output: Output<17>,
    _input: Option<EventInput<27>>,
}

static PINS: Handover<Option<Pins>> = Handover::new(None);

/// The handler of the line of the pins, for the task table.
#[inline]
pub fn pin_interrupt() {
    let now = clock::now();
    devices::gpio().set_low(PinNumber::at::<17>());
    let _ = GpioLine::Pins0To27.take_events();
    STAMP.store(now.half_ticks(), Ordering::Relaxed);
    COUNT.store(COUNT.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    EDGE.set_from_handler();
}

fn is_sgi() -> bool {
    WAY.load(Ordering::Relaxed) == Way::Sgi as u8
}

/// How often the handler ran.
fn count() -> u64 {
    if is_sgi() { software::count() } else { COUNT.load(Ordering::Relaxed) }
}

#[inline]
fn is_woken(_: &mut Slot) {
    let event = if is_sgi() { &software::SET } else { &EDGE };
    loop {
        event.wait();
        RAN.store(clock::now().half_ticks(), Ordering::Relaxed);
        if LEFT.load(Ordering::Relaxed) == 0 || is_to_end() {
            return;
        }
    }
}

#[inline]
fn raises(_: &mut Slot) {
    let way = WAY.load(Ordering::Relaxed);
    let mut left = LEFT.load(Ordering::Relaxed);
    while left > 0 && !is_to_end() {
        left = left.wrapping_sub(1);
        LEFT.store(left, Ordering::Relaxed);
        let before = count();
        let raised = clock::now();
        RAISED.store(raised.half_ticks(), Ordering::Relaxed);
        if way == Way::Sgi as u8 {
            software::raise();
        } else if way == Way::Pin as u8 {
            devices::gpio().set_high(PinNumber::at::<17>());
        } else {
            // The line is there, since the table has its handler.
            let _ = devices::distributor().set_pending(const { Intid::new(PIN_INTID) });
        }
        if !has_come(before, raised) {
            devices::gpio().set_low(PinNumber::at::<17>());
            IS_MISSING.store(true, Ordering::Relaxed);
            break;
        }
        record();
    }
    LEFT.store(0, Ordering::Relaxed);
    if is_sgi() { &software::SET } else { &EDGE }.set();
}

/// Waits for the handler, which has run or does so a few instructions later.
fn has_come(before: u64, raised: Instant) -> bool {
    let latest = raised.after(PATIENCE_US.wrapping_mul(clock::half_ticks_per_us()));
    while count() == before {
        if !clock::now().is_before(latest) {
            return false;
        }
        interrupts::yield_hint();
    }
    true
}

/// The woken task has run by now: it is the more urgent one.
fn record() {
    let stamp = if is_sgi() { software::stamp() } else { STAMP.load(Ordering::Relaxed) };
    let raised = RAISED.load(Ordering::Relaxed);
    if let Some(mut record) = slots::record(0) {
        let cycle = record.cycles;
        record.handler.record(stamp.wrapping_sub(raised).cast_signed(), cycle);
        record.task.record(RAN.load(Ordering::Relaxed).wrapping_sub(raised).cast_signed(), cycle);
        record.cycles = cycle.wrapping_add(1);
    }
}

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let times = TIMES.read(arguments)?;
    session.last_run = None;
    let _ = session.provenance.write(&mut session.console);
    let _ = writeln!(session.console, "# Bench: irq, {times} times each; unit: counter ticks");
    let _ = session.console.write_str("# name,min,median,p99,max,count\n");
    take_pins()?;
    for (way, names) in &WAYS {
        measure(session, *way, times)?;
        if session.is_interrupted() {
            return Ok(());
        }
        if IS_MISSING.load(Ordering::Relaxed) {
            return Err(Refusal::NoEdge);
        }
        let record = slots::record(0).ok_or(Refusal::NoRecord { slot: 0 })?;
        let views = [record.handler.histogram.view(), record.task.histogram.view()];
        let _ = names.iter().zip(&views).try_for_each(|(name, view)| write_row(&mut session.console, name, view));
    }
    Ok(())
}

/// The pins, the first time: they stay this suite's.
fn take_pins() -> Result<(), Refusal<'static>> {
    let mut pins = PINS.take().ok_or(Refusal::PinsTaken { suite: "irq", pins: "GPIO17 or GPIO27" })?;
    if pins.is_none() {
        let (output, input) = (Pin::<17>::take(), Pin::<27>::take());
        let (Ok(output), Ok(input)) = (output, input) else {
            return Err(Refusal::PinsTaken { suite: "irq", pins: "GPIO17 or GPIO27" });
        };
        // QEMU detects none.
        let input = input.into_input(Pull::Down).into_events(Detect::RisingEdge).ok();
        *pins = Some(Pins { _output: output.into_output(Level::Low), _input: input });
    }
    Ok(())
}

fn measure(session: &mut Session, way: Way, times: u32) -> Result<(), Refusal<'static>> {
    if slots::count() == 0 || !slots::clear(0, LINEAR_BINS as u64) {
        return Err(Refusal::MissingTask { command: "bench irq", line: "slot 0" });
    }
    session.console.flush();
    WAY.store(way as u8, Ordering::Relaxed);
    IS_MISSING.store(false, Ordering::Relaxed);
    software::prepare(Answer::Set);
    let mut left = times;
    while left > 0 && !session.is_interrupted() && !IS_MISSING.load(Ordering::Relaxed) {
        let batch = left.min(TIMES_PER_LOOK);
        left = left.wrapping_sub(batch);
        for event in [&software::SET, &EDGE] {
            let _ = event.wait_until(clock::now());
        }
        LEFT.store(batch, Ordering::Relaxed);
        urgently(|| actors::begin("bench irq", &PARTS))?;
        actors::await_all(session, || {});
    }
    Ok(())
}
