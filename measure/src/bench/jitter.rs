// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bench jitter`: a periodic task draws a square wave on GPIO22 (header pin 15), and how far the distance of two edges is from the
//! period is kept in a histogram: for an oscilloscope there, and by the counter here.

use core::fmt::{self, Write};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use core::time::Duration;

use takt::board::{Level, Output, Pin, PinNumber};
use takt::handover::Handover;
use takt::kernel::histogram::{BucketWidth, View};
use takt::kernel::release::OverrunPolicy;
use takt::kernel::time::Instant;
use takt::rpi4::devices;
use takt::{Slot, clock};

use super::{Suite, urgently, write_row};
use crate::actors::{self, Part, is_to_end};
use crate::boot_line::{ArgumentError, Number};
use crate::commands::Session;
use crate::latency::{MIN_INTERVAL_US, first_release};
use crate::refusal::Refusal;
use crate::slots::{self, LINEAR_BINS};
use crate::words::next_word;

pub(super) static SUITE: Suite = Suite {
    name: "jitter",
    summary: "a square wave on GPIO22: how far its edges are from the period; -i US, 500, -l EDGES, 10000",
    run,
};

/// How many rows of one tick the histogram is printed with at the most.
const ROWS: u32 = 10_000;

static PARTS: [Part; 1] = [Part { priority: 110, body: draws }];
static PERIOD_US: AtomicU32 = AtomicU32::new(0);
static EDGES: AtomicU32 = AtomicU32::new(0);
static SKIPPED: AtomicU64 = AtomicU64::new(0);
static FIRST: AtomicU64 = AtomicU64::new(0);
/// The pin, once it was taken.
static PIN: Handover<Option<Output<22>>> = Handover::new(None);

#[inline]
fn draws(slot: &mut Slot) {
    let first = Instant::from_half_ticks(FIRST.load(Ordering::Relaxed));
    let period = Duration::from_micros(u64::from(PERIOD_US.load(Ordering::Relaxed)));
    let mut period = slot.begin(first, period, OverrunPolicy::Skip);
    let period_half_ticks = period.period_half_ticks();
    let (mut last, mut is_high, mut skipped) = (None::<Instant>, false, 0_u64);
    // The first edge has none before it.
    for edge in 0..=EDGES.load(Ordering::Relaxed) {
        let release = period.wait();
        is_high = !is_high;
        if is_high {
            devices::gpio().set_high(PinNumber::at::<22>());
        } else {
            devices::gpio().set_low(PinNumber::at::<22>());
        }
        let now = clock::now();
        skipped = skipped.wrapping_add(release.skipped());
        if is_to_end() {
            break;
        }
        if let (Some(last), Some(mut record)) = (last, slots::record(0)) {
            let due = last.after(period_half_ticks.wrapping_mul(release.skipped().wrapping_add(1)));
            let deviation = now.since(due);
            record.task.record(deviation, u64::from(edge));
            record.handler.record(deviation.saturating_abs(), u64::from(edge));
        }
        last = Some(now);
    }
    SKIPPED.store(skipped, Ordering::Relaxed);
}

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let (period_us, edges) = read(arguments)?;
    session.last_run = None;
    take_pin()?;
    let _ = session.provenance.write(&mut session.console);
    let _ = writeln!(session.console, "# Bench: jitter, {edges} edges, {period_us} us apart; unit: counter ticks");
    if slots::count() == 0 || !slots::clear(0, LINEAR_BINS as u64) {
        return Err(Refusal::MissingTask { command: "bench jitter", line: "slot 0" });
    }
    session.console.flush();
    PERIOD_US.store(period_us, Ordering::Relaxed);
    EDGES.store(edges, Ordering::Relaxed);
    FIRST.store(first_release().half_ticks(), Ordering::Relaxed);
    urgently(|| actors::begin("bench jitter", &PARTS))?;
    actors::await_all(session, || {});
    if session.is_interrupted() {
        return Ok(());
    }
    let record = slots::record(0).ok_or(Refusal::NoRecord { slot: 0 })?;
    let _ = write(&mut session.console, &record.task.histogram.view(), &record.handler.histogram.view());
    Ok(())
}

fn read(arguments: &str) -> Result<(u32, u32), ArgumentError<'_>> {
    const COMMAND: &str = "bench jitter";
    let (mut period_us, mut edges) = (500, 10_000);
    let mut words = arguments.split_ascii_whitespace();
    while let Some(word) = next_word(&mut words) {
        let (option, what, minimum, maximum, place) = match word {
            "-i" => ("-i", "microseconds", MIN_INTERVAL_US, 1_000_000, &mut period_us),
            "-l" => ("-l", "edges", 1, 1_000_000_000, &mut edges),
            _ => return Err(ArgumentError::UnknownWord { command: COMMAND, word, valid: "-i, -l" }),
        };
        let number = Number { command: COMMAND, option, what, minimum, maximum };
        *place = number.read(next_word(&mut words).unwrap_or(""))?;
    }
    Ok((period_us, edges))
}

fn take_pin() -> Result<(), Refusal<'static>> {
    let mut pin = PIN.take().ok_or(Refusal::PinsTaken { suite: "jitter", pins: "GPIO22" })?;
    if pin.is_none() {
        let taken = Pin::<22>::take().map_err(|_| Refusal::PinsTaken { suite: "jitter", pins: "GPIO22" })?;
        *pin = Some(taken.into_output(Level::Low));
    }
    Ok(())
}

/// The deviations with their signs in a line, and without in rows as cyclictest's.
fn write(out: &mut dyn Write, signed: &View<'_>, absolute: &View<'_>) -> fmt::Result {
    out.write_str("# name,min,median,p99,max,count\n")?;
    write_row(out, "jitter-interval", signed)?;
    out.write_str("# Histogram\n")?;
    let width = BucketWidth::Tick(clock::rate());
    for row in 0..ROWS {
        let count = absolute.bucket_count(width, row);
        if count > 0 {
            writeln!(out, "{row:06} {count:06}")?;
        }
    }
    let beyond = absolute
        .bins()
        .filter(|bin| bin.first_tick >= u64::from(ROWS))
        .fold(0_u64, |sum, bin| sum.wrapping_add(bin.count));
    writeln!(out, "# Total: {:09}", absolute.count())?;
    writeln!(out, "# Histogram Overflows: {beyond:05}")?;
    writeln!(out, "# Skipped: {:05}", SKIPPED.load(Ordering::Relaxed))
}
