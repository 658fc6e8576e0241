// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bench freq`: a periodic task at a rising frequency, until it misses its first release.
//!
//! The period falls by a fifth from step to step, in whole microseconds. The task does nothing but wait, so this is what the executive
//! takes for itself.

use core::fmt::Write;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use core::time::Duration;

use takt::kernel::release::OverrunPolicy;
use takt::kernel::time::Instant;
use takt::{Slot, TaskHandle};

use super::{Suite, urgently};
use crate::actors::{self, Part, is_to_end};
use crate::boot_line::Times;
use crate::commands::Session;
use crate::latency::first_release;
use crate::refusal::Refusal;

pub(super) static SUITE: Suite = Suite {
    name: "freq",
    summary: "a task at rising frequency until it misses a release; -l RELEASES at each step, 10000",
    run,
};

const TIMES: Times = Times { command: "bench freq", what: "releases", usual: 10_000, maximum: 10_000_000 };

const FIRST_PERIOD_US: u32 = 1_000;

static PARTS: [Part; 1] = [Part { priority: 110, body: task }];

static PERIOD_US: AtomicU32 = AtomicU32::new(0);
static RELEASES: AtomicU32 = AtomicU32::new(0);
static FIRST: AtomicU64 = AtomicU64::new(0);
static MISSED: AtomicU64 = AtomicU64::new(0);
/// The most that a release came late, in half ticks.
static LATEST: AtomicU64 = AtomicU64::new(0);

#[inline]
fn task(slot: &mut Slot) {
    let first = Instant::from_half_ticks(FIRST.load(Ordering::Relaxed));
    let period = Duration::from_micros(u64::from(PERIOD_US.load(Ordering::Relaxed)));
    let mut period = slot.begin(first, period, OverrunPolicy::Skip);
    let (mut skipped, mut latest) = (0_u64, 0_i64);
    for _ in 0..RELEASES.load(Ordering::Relaxed) {
        let release = period.wait();
        skipped = skipped.wrapping_add(release.skipped());
        latest = latest.max(release.start().since(release.due()));
        // At a frequency that it cannot keep it would miss for ever.
        if skipped > 0 || is_to_end() {
            break;
        }
    }
    let overruns = TaskHandle::running().and_then(TaskHandle::report).map_or(0, |report| report.counts.overrun);
    MISSED.store(skipped.max(overruns), Ordering::Relaxed);
    LATEST.store(latest.cast_unsigned(), Ordering::Relaxed);
}

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let releases = TIMES.read(arguments)?;
    let _ = session.provenance.write(&mut session.console);
    let _ = writeln!(session.console, "# Bench: freq, {releases} releases at each step");
    let _ = session.console.write_str("# period_us,frequency_hz,latest_ticks,missed\n");
    RELEASES.store(releases, Ordering::Relaxed);
    let (mut period_us, mut cleanest_us) = (FIRST_PERIOD_US, None);
    loop {
        session.console.flush();
        PERIOD_US.store(period_us, Ordering::Relaxed);
        FIRST.store(first_release().half_ticks(), Ordering::Relaxed);
        urgently(|| actors::begin("bench freq", &PARTS))?;
        actors::await_all(session, || {});
        if session.is_interrupted() {
            return Ok(());
        }
        let (missed, latest) = (MISSED.load(Ordering::Relaxed), LATEST.load(Ordering::Relaxed));
        let _ = writeln!(session.console, "{period_us},{},{},{missed}", hz(period_us), latest / 2);
        if missed > 0 {
            break;
        }
        cleanest_us = Some(period_us);
        match next_us(period_us) {
            Some(next) => period_us = next,
            None => break,
        }
    }
    let _ = match cleanest_us {
        Some(us) => {
            writeln!(session.console, "# Bench: the highest frequency without an error is {} Hz, every {us} us", hz(us))
        }
        None => session.console.write_str("# Bench: there is no frequency without an error from 1000 Hz on\n"),
    };
    Ok(())
}

/// A fifth less, and at least a microsecond; nothing below that.
fn next_us(period_us: u32) -> Option<u32> {
    let fifth = (period_us / 5).max(1);
    period_us.checked_sub(fifth).filter(|next| *next > 0)
}

fn hz(period_us: u32) -> u32 {
    1_000_000_u32.checked_div(period_us).unwrap_or(0)
}
