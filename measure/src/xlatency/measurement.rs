// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `xlatency` command: Xenomai's `latency`, on a slot.
//!
//! A second of samples makes a line, behind a first second that warms up and is not counted. What Xenomai calls overruns are
//! releases that were skipped.

use core::fmt::{self, Write};

use takt::clock;
use takt::console::Console;
use takt::handover::Handover;
use takt::kernel::histogram::Histogram;
use takt::kernel::priority::Priority;
use takt::kernel::report::Span;
use takt::kernel::report::xenomai::{
    Buckets, Mode, Sampling, Spread, write_buckets, write_exceeded, write_gnuplot, write_head, write_header,
    write_overall, write_second, write_statistics,
};

use super::options::XenomaiOptions;
use crate::anticipation;
use crate::commands::{Entry, Session};
use crate::latency::{MIN_INTERVAL_US, first_release, write_clocks};
use crate::load;
use crate::options::LatencyOptions;
use crate::refusal::Refusal;
use crate::slots::{self, LINEAR_BINS, Run};
use crate::watch::{Watch, second_of};

pub(crate) static COMMAND: Entry = Entry {
    name: "xlatency",
    usage: "[OPTION]...",
    summary: "measure; the options and lines are Xenomai's",
    help: "-t N    0 and 1: at the task's first statement; 2: at the interrupt handler's\n\
           -p US   the period, 1000 without; -P N the priority, 99; -c CORE on which core\n\
           -T S    for how many seconds; without until Ctrl-C\n\
           -h      histograms; -H N buckets, -B NS wide; -s their statistics alone; -g the file for gnuplot\n\
           -l N    lines between headers, 21; -q nothing but the last line; -m US the run fails by a sample above it\n\
           xlatency -p 100 -T 60\n\
           xlatency -t 2 -p 500 -T 10 -h -q -m 20",
    words: &["-t", "-p", "-T", "-P", "-c", "-h", "-s", "-g", "-H", "-B", "-l", "-q", "-m"],
    run,
};

/// The smallest and the largest latencies of the seconds.
struct Seconds {
    minima: Histogram<LINEAR_BINS>,
    maxima: Histogram<LINEAR_BINS>,
}

static SECONDS: Handover<Seconds> = Handover::new(Seconds { minima: Histogram::zeroed(), maxima: Histogram::zeroed() });

/// What is run.
struct Test {
    options: XenomaiOptions,
    sampling: Sampling,
    /// The slot that measures.
    slot: usize,
    /// How many cycles make a second.
    second_cycles: u64,
    /// After how many cycles it ends.
    cycles: u64,
}

/// What was found so far.
struct State {
    overall: Span,
    overruns: u64,
    /// How many seconds were shown.
    seconds: u64,
}

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let options = XenomaiOptions::parse(arguments, MIN_INTERVAL_US)?;
    measure(session, options, None)
}

/// `latency --format xenomai`.
pub(crate) fn run_as(session: &mut Session, options: &LatencyOptions) -> Result<(), Refusal<'static>> {
    let mode = if options.stages.handler && !options.stages.task { Mode::TimerHandler } else { Mode::UserTask };
    let as_xenomai = XenomaiOptions {
        mode,
        period_us: options.interval_us,
        duration_s: options.duration_s,
        priority: options.priority,
        histograms: options.histogram_rows.is_some(),
        statistics: options.histogram_rows.is_some(),
        quiet: options.quiet,
        max_us: options.max_us,
        ..XenomaiOptions::new()
    };
    measure(session, as_xenomai, options.loops)
}

fn measure(session: &mut Session, options: XenomaiOptions, loops: Option<u64>) -> Result<(), Refusal<'static>> {
    let test = Test::new(options, loops)?;
    session.last_run = None;
    let provenance = session.provenance;
    let _ = provenance.write(&mut session.console);
    let _ = anticipation::write(&mut session.console);
    let _ = write_head(&mut session.console, &test.sampling);
    // The first second is not counted.
    test.start(session, test.second_cycles)?;
    slots::await_all(session);
    let mut state = State { overall: Span::new(), overruns: 0, seconds: 0 };
    if !session.is_interrupted() {
        test.start(session, test.cycles)?;
        if let Some(mut seconds) = SECONDS.take() {
            let limit = LINEAR_BINS as u64;
            let _ = seconds.minima.reset(limit).and(seconds.maxima.reset(limit));
            test.follow(session, &mut state, &mut seconds);
        }
    }
    slots::await_all(session);
    test.finish(session, &state)
}

impl Test {
    fn new(options: XenomaiOptions, loops: Option<u64>) -> Result<Self, Refusal<'static>> {
        let slot = options.core.map_or((slots::count() > 0).then_some(0), slots::on_core);
        let slot = slot.ok_or(match options.core {
            Some(core) => Refusal::NoSlotOnCore { command: "xlatency", core },
            None => Refusal::MissingTask { command: "xlatency", line: "slot 0" },
        })?;
        let XenomaiOptions { mode, period_us, priority, .. } = options;
        let second_cycles = u64::from(1_000_000_u32.checked_div(period_us).unwrap_or(1).max(1));
        let by_time = options.duration_s.map(|seconds| seconds.saturating_mul(second_cycles));
        let cycles = by_time.unwrap_or(u64::MAX).min(loops.unwrap_or(u64::MAX));
        let sampling = Sampling { mode, period_us, priority, rate: clock::rate() };
        Ok(Self { options, sampling, slot, second_cycles, cycles })
    }

    /// Starts the slot; its record is emptied first.
    fn start(&self, session: &mut Session, cycles: u64) -> Result<(), Refusal<'static>> {
        let Self { slot, .. } = *self;
        let priority = Priority::new(100_u8.saturating_sub(self.options.priority)).ok_or(Refusal::NoRecord { slot })?;
        let watch = Watch {
            is_on: true,
            stage: self.options.mode.stage(),
            second_cycles: Some(self.second_cycles),
            ..Watch::OFF
        };
        let is_clear = slots::clear(slot, LINEAR_BINS as u64);
        session.console.flush();
        let period_us = self.options.period_us;
        let anticipation = anticipation::of(slots::core(slot));
        let run = Run { cycles, anticipation, ..Run::every(first_release(), period_us, priority) };
        if !(is_clear && slots::assign(slot, run, watch)) {
            return Err(Refusal::NoRecord { slot });
        }
        slots::start(slot);
        Ok(())
    }

    /// Shows second by second until the slot is done.
    fn follow(&self, session: &mut Session, state: &mut State, seconds: &mut Seconds) {
        let second = clock::half_ticks_per_us().wrapping_mul(1_000_000);
        let mut at = clock::now().after(second);
        loop {
            let goes_on = session.wait_until(at, slots::are_done).is_none();
            at = at.after(second);
            let of_slot = slots::to_console(self.slot);
            while let Some(words) = of_slot.and_then(|to| to.seconds.take()) {
                let (span, overruns) = second_of(words);
                let number = state.seconds;
                state.overall.join(&span);
                (state.overruns, state.seconds) = (overruns, number.wrapping_add(1));
                seconds.minima.record(span.minimum_half_ticks, number);
                seconds.maxima.record(span.maximum_half_ticks, number);
                if !self.options.quiet {
                    let _ = self.write_second(&mut session.console, &span, state, number);
                }
            }
            if !goes_on {
                return;
            }
        }
    }

    fn write_second(&self, out: &mut dyn Write, span: &Span, state: &State, number: u64) -> fmt::Result {
        if number == 0 || number.checked_rem(self.options.header_lines) == Some(0) {
            write_header(out, &self.sampling, number.wrapping_add(1))?;
        }
        write_second(out, span, &state.overall, state.overruns, self.sampling.rate)
    }

    /// Writes what there is at the end; refuses what stands behind where the run has failed.
    fn finish(&self, session: &mut Session, state: &State) -> Result<(), Refusal<'static>> {
        let slot = self.slot;
        let record = slots::record(slot).ok_or(Refusal::NoRecord { slot })?;
        let seconds = SECONDS.take().ok_or(Refusal::NoRecord { slot })?;
        let console = &mut session.console;
        let all = record.at(self.options.mode.stage()).histogram.view();
        let spread = Spread { minima: seconds.minima.view(), all, maxima: seconds.maxima.view() };
        // All samples, those of a last second that was not whole among them.
        let overall = if state.seconds > 0 || all.count() > 0 { Span::of(&all) } else { Span::new() };
        let _ = self.write_end(console, state, &overall, &spread);
        let _ = write_clocks(console);
        let _ = load::write_ran(console);
        match self.options.max_us {
            Some(max_us) if overall.exceeds(max_us, self.sampling.rate) => {
                let _ = write_exceeded(console, &overall, max_us, self.sampling.rate);
                Err(Refusal::Failed { command: "xlatency" })
            }
            _ => Ok(()),
        }
    }

    fn write_end(&self, console: &mut Console, state: &State, overall: &Span, spread: &Spread<'_>) -> fmt::Result {
        let XenomaiOptions { buckets, bucket_ns, duration_s, histograms, statistics, gnuplot, .. } = self.options;
        let rate = self.sampling.rate;
        let buckets = Buckets { width_ns: bucket_ns, count: buckets, rate };
        let overruns = spread.all.skipped().count;
        if histograms {
            write_buckets(console, &buckets, spread)?;
        }
        if statistics {
            write_statistics(console, &buckets, spread)?;
        }
        if gnuplot {
            write_gnuplot(console, &buckets, &spread.all, &self.sampling, overruns, state.seconds)?;
        }
        write_overall(console, overall, overruns, state.seconds, duration_s, rate)
    }
}
