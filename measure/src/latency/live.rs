// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is shown of a run while it goes on: cyclictest's status, drawn again and again, or with `-v` every sample.
//!
//! The console task looks now and then, which puts its own work among what is measured: with `-q` it does not.

use heapless::Vec;
use takt::clock;
use takt::console::Console;
use takt::kernel::report::{
    Reduction, Sample, Summary, write_cursor_up, write_sample, write_status, write_verbose_head,
};
use takt::kernel::time::Instant;

use super::LINE_BYTES_PER_S;
use super::report::{MAX_COLUMNS, POLICY, Report, rank_of};
use crate::commands::Session;
use crate::options::MAX_THREADS;
use crate::slots;
use crate::watch::{STAGES, State, of_stage};

/// How long the status stands at the least. It is not drawn more often than the line carries twice.
const REFRESH_MS: u64 = 250;
/// How long samples lie before they are printed. Those of ten seconds have room.
const SAMPLES_MS: u64 = 100;
/// A line of the status, and what stands above them.
const SUMMARY_BYTES: u64 = 90;

/// Shows the run until all slots are done, or ends it by Ctrl-C. Whether the status was drawn.
pub(super) fn follow(session: &mut Session, report: &Report<'_>) -> bool {
    let mut was_drawn = false;
    if report.options.is_live() && report.options.verbose {
        show_samples(session, report);
    } else if report.options.is_live() {
        was_drawn = show_status(session, report);
    }
    slots::await_all(session);
    if report.options.verbose {
        tell_lost_samples(&mut session.console, report);
    }
    was_drawn
}

/// Waits until `at`; whether the run goes on.
fn goes_on(session: &mut Session, at: Instant) -> bool {
    session.wait_until(at, slots::are_done).is_none()
}

/// So much later.
fn later(at: Instant, ms: u64) -> Instant {
    at.after(clock::half_ticks_per_us().wrapping_mul(1_000).wrapping_mul(ms))
}

fn show_status(session: &mut Session, report: &Report<'_>) -> bool {
    let stages = STAGES.iter().filter(|stage| report.has(**stage)).count();
    let columns = report.threads().wrapping_mul(stages);
    let bytes = SUMMARY_BYTES.wrapping_mul(columns as u64).wrapping_add(SUMMARY_BYTES);
    let refresh_ms = REFRESH_MS.max(bytes.wrapping_mul(2_000).div_ceil(u64::from(LINE_BYTES_PER_S)));
    let mut states = [None; MAX_THREADS];
    let (mut was_drawn, mut shown_maximum) = (false, i64::MIN);
    let mut at = later(clock::now(), refresh_ms);
    while goes_on(session, at) {
        at = later(clock::now(), refresh_ms);
        for (slot, state) in states.iter_mut().enumerate().take(report.threads()) {
            *state = slots::to_console(slot).and_then(|to| to.state.take()).or(*state);
        }
        let summaries = summaries(report, &states);
        let maximum = summaries.iter().map(|summary| summary.span.maximum_half_ticks).max().unwrap_or(i64::MIN);
        if report.options.refresh_on_maximum && maximum <= shown_maximum || summaries.len() < columns {
            continue;
        }
        shown_maximum = maximum;
        let console = &mut session.console;
        if was_drawn {
            let _ = write_cursor_up(console, columns);
        }
        let _ = write_status(console, POLICY, &summaries, report.resolution(), report.rate);
        was_drawn = true;
    }
    was_drawn
}

/// A line for each thread that has run a cycle, at each stage that was asked for.
fn summaries(report: &Report<'_>, states: &[Option<State>; MAX_THREADS]) -> Vec<Summary, MAX_COLUMNS> {
    let cores = slots::cores();
    let each = states
        .iter()
        .zip(0_u32..)
        .zip(cores)
        .filter_map(|((state, thread), core)| Some((state.as_ref()?, thread, core)));
    let lines = each.flat_map(|(state, thread, core)| {
        STAGES.iter().enumerate().filter_map(move |(place, stage)| {
            let (latest, span) = of_stage(state, place).filter(|_| report.has(*stage))?;
            Some(Summary {
                thread,
                id: report.id(*stage, core, rank_of(thread)),
                priority: report.options.priority_of(thread),
                interval_us: report.options.interval_us_of(thread),
                cycles: span.count,
                latest_half_ticks: Some(latest),
                span,
            })
        })
    });
    lines.collect()
}

fn show_samples(session: &mut Session, report: &Report<'_>) {
    let options = report.options;
    let intervals_us = (0..options.threads).map(|thread| options.interval_us_of(thread));
    let cores = 1_usize.max(slots::cores().iter().map(|core| usize::from(*core).wrapping_add(1)).max().unwrap_or(1));
    let dialect = report.block.dialect;
    let _ = write_verbose_head(&mut session.console, dialect, cores, intervals_us, options.distance_us);
    let mut reductions = [const { Reduction::new(1) }; MAX_THREADS].map(|_| Reduction::new(options.of));
    let mut at = later(clock::now(), SAMPLES_MS);
    while goes_on(session, at) {
        at = later(clock::now(), SAMPLES_MS);
        write_samples(&mut session.console, report, &mut reductions);
    }
    slots::await_all(session);
    write_samples(&mut session.console, report, &mut reductions);
}

/// Writes the samples that have come.
fn write_samples(console: &mut Console, report: &Report<'_>, reductions: &mut [Reduction; MAX_THREADS]) {
    for (thread, reduction) in (0_u32..report.options.threads).zip(reductions) {
        let to_console = usize::try_from(thread).ok().and_then(slots::to_console);
        let samples = to_console.into_iter().flat_map(|to| core::iter::from_fn(|| to.samples.take()));
        for [cycle, lateness] in samples {
            if let Some(sample) = reduction.add(Sample { cycle, lateness_half_ticks: lateness.cast_signed() }) {
                let _ = write_sample(console, thread, sample, report.resolution(), report.rate);
            }
        }
    }
}

/// Says so where samples had no room.
fn tell_lost_samples(console: &mut Console, report: &Report<'_>) {
    use core::fmt::Write;
    let lost: u64 = (0..report.threads()).filter_map(slots::to_console).map(|to| u64::from(to.samples.lost())).sum();
    if lost > 0 {
        let _ = writeln!(
            console,
            "# Lost: {lost} samples were not printed, since the line was too slow; they are in all that follows"
        );
    }
}
