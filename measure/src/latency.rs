// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `latency` command: cyclictest's measurement, on the slots.
//!
//! All threads are released at the same first instant: with one interval for all, the later ones wait for the earlier
//! ones each time, which is the worst case for them.
//!
//! A thread's cycles are cyclictest's: `-l` counts those of the first thread, and a further one runs as many as fit into
//! the same time. `-D` counts releases, skipped ones included, so that a run ends when it should.

mod again;
mod live;
mod report;
mod spikes;
mod verdict;

use core::fmt::{self, Write};

use heapless::Vec;
use takt::board::{PhaseCheck, TimeBase, check_phase};
use takt::clock;
use takt::handover::Taken;
use takt::kernel::histogram::BucketWidth;
use takt::kernel::priority::Priority;
use takt::kernel::report::{Block, Dialect, Stage};
use takt::kernel::time::{Instant, Rate};

use crate::commands::{Entry, Session};
use crate::freeze;
use crate::load;
use crate::options::{self, Format, LatencyOptions, Limits, TimeBaseWord};
use crate::refusal::Refusal;
use crate::slots::{self, LINEAR_BINS, Method, N_SLOTS, Record, Run};
use crate::trace;
use crate::watch::{MAX_SPIKES, Watch};
use crate::xlatency;
use crate::{alignment, anticipation};

pub(crate) use again::{HIST, SPIKES};
use report::Report;

/// How long the slots have to get ready, in microseconds: far more than they need, so that the first release finds all
/// of them waiting.
const LEAD_US: u64 = 10_000;

/// The shortest interval: it leaves room for a few releases of other tasks.
pub(crate) const MIN_INTERVAL_US: u32 = 20;

/// What a line of 115200 baud carries: ten bits a byte.
const LINE_BYTES_PER_S: u32 = 11_520;

pub(crate) static COMMAND: Entry = Entry {
    name: "latency",
    usage: "[OPTION]...",
    summary: "measure; the options are cyclictest's",
    help: HELP,
    words: &options::NAMES,
    run,
};

const HELP: &str = "-i US         interval of the first thread, 1000 without; -d US each further thread's is so much longer, 500\n\
                    -l CYCLES     how many cycles; -D SECONDS how long, also 5m, 2h, 1d; without either until Ctrl-C\n\
                    -p PRIORITY   1 to 99 as in cyclictest, 80; takt's is 100 less that; --priospread one less for each thread\n\
                    -t [THREADS]  measuring threads, 1; -S one on each core, -a [CORES] where, -A [US] how far apart they begin\n\
                    -h ROWS       histogram with rows of 1 us; -H ROWS with a column of sums\n\
                    -N            nanoseconds, and rows of one counter tick\n\
                    -q            nothing before the end; -M the status at a new maximum only; -v every sample, -o N of N the largest\n\
                    -b US         a sample above it ends the run; --max-us US the run fails by it\n\
                    --spike US    list the samples above it, --spike-nodes N at the most\n\
                    --stage WHAT  handler, task, done or several with commas; -s TIMER system or generic\n\
                    --format F    cyclictest, cyclictest-2.7, xenomai or json\n\
                    -P, --explain, -R  percentiles; the result in words; the clock's resolution\n\
                    --freeze-on-max  print the events before the maximum as well\n\
                    -m, -n        accepted: always so here\n\
                    latency -i 250 -l 20000 -h 100 -q\n\
                    latency -S -p90 -i200 -h400 -q -D 10m";

/// The first release of a run that starts now.
pub(crate) fn first_release() -> Instant {
    clock::next_edge(clock::now().after(LEAD_US.wrapping_mul(clock::half_ticks_per_us())))
}

/// Measures as `arguments` say and prints the report.
fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let provenance = session.provenance;
    let facts = provenance.facts;
    let slot_count = slots::count();
    if slot_count == 0 {
        return Err(Refusal::MissingTask { command: "latency", line: "slot 0" });
    }
    let rate = clock::rate();
    let options = LatencyOptions::parse(arguments, &limits(rate, slot_count, facts.time_base))?;
    if options.format == Format::Xenomai {
        return xlatency::run_as(session, &options);
    }
    let console = &mut session.console;
    let _ = provenance.write(console);
    let _ = write_run(console, &options);
    if options.resolution {
        let _ = write_resolution(console, rate);
    }
    let report = Report { options: &options, block: block(rate, &options), rate, facts };
    prepare(session, &options, report.block)?;
    let was_drawn = live::follow(session, &report);
    session.last_run = Some(options);
    let records: Vec<Taken<'_, Record>, N_SLOTS> = (0..report.threads()).filter_map(slots::record).collect();
    let console = &mut session.console;
    let _ = report.write(console, &records, was_drawn);
    if options.smp || options.aligned_us.is_some() {
        let _ = alignment::write(console, &records);
    }
    let is_void = write_clocks(console);
    let _ = load::write_ran(console);
    if let Some(maximum) = freeze::end() {
        trace::write_kept(console, Some(&maximum))?;
    }
    report.judge(console, &records, is_void)
}

/// Gives the slots what they are to run, and starts them.
fn prepare(session: &mut Session, options: &LatencyOptions, block: Block) -> Result<(), Refusal<'static>> {
    let threads = usize::try_from(options.threads).unwrap_or(N_SLOTS);
    let limit_ticks = block.width.first_tick_of(block.rows);
    for slot in 0..threads {
        slots::clear(slot, limit_ticks).then_some(()).ok_or(Refusal::NoRecord { slot })?;
    }
    // Nothing may be on its way to the serial line while the slots measure.
    session.console.flush();
    let first = first_release();
    for (slot, thread) in (0..threads).zip(0_u32..) {
        let run = plan(options, slot, thread, first).ok_or(Refusal::NoRecord { slot })?;
        slots::assign(slot, run, watch(options)).then_some(()).ok_or(Refusal::NoRecord { slot })?;
    }
    begin_freeze(session, options);
    slots::start_first(threads);
    Ok(())
}

/// The events before a maximum are kept where the options or `trace` want it, and before the sample that breaks the run.
fn begin_freeze(session: &mut Session, options: &LatencyOptions) {
    let over = session.freeze_above_half_ticks.or(options.break_us.map(half_ticks));
    let above = if options.freeze_on_maximum { Some(i64::MIN) } else { over };
    session.has_stopped_trace &= above.is_none();
    freeze::begin(above);
}

/// So many microseconds.
pub(crate) fn half_ticks(us: u32) -> i64 {
    u64::from(us).wrapping_mul(clock::half_ticks_per_us()).cast_signed()
}

/// The most rows of a microsecond that fit into the bins.
fn max_histogram_us(rate: Rate) -> u32 {
    let half_ticks = (LINEAR_BINS as u64).wrapping_mul(2);
    u32::try_from(half_ticks / rate.half_ticks_per_us()).unwrap_or(u32::MAX)
}

/// What the slots can run. An interval is as long as a period of the task table may be.
fn limits(rate: Rate, slot_count: usize, time_base: TimeBase) -> Limits {
    Limits {
        min_interval_us: MIN_INTERVAL_US,
        max_interval_us: 3_600_000_000,
        max_duration_s: 365 * 86_400,
        min_priority: 1,
        max_priority: 99,
        max_histogram_us: max_histogram_us(rate),
        max_histogram_ticks: u32::try_from(LINEAR_BINS).unwrap_or(u32::MAX),
        max_threads: u32::try_from(slot_count).unwrap_or(u32::MAX),
        cores: slots::cores(),
        source: match time_base {
            TimeBase::SystemTimer => TimeBaseWord::System,
            TimeBase::GenericTimer => TimeBaseWord::Generic,
        },
        line_bytes_per_s: LINE_BYTES_PER_S,
        max_spikes: u32::try_from(MAX_SPIKES).unwrap_or(u32::MAX),
        has_event_ring: takt::trace::IS_ON,
    }
}

/// What the report looks like. A run without a histogram has rows too, which are not printed: as many as there can be.
fn block(rate: Rate, options: &LatencyOptions) -> Block {
    let (width, rows) = match options.histogram_rows {
        Some(rows) if options.nanoseconds => (BucketWidth::Tick(rate), rows),
        Some(rows) => (BucketWidth::Microsecond(rate), rows),
        None => (BucketWidth::Microsecond(rate), max_histogram_us(rate)),
    };
    let dialect = if options.format == Format::Cyclictest27 { Dialect::Sparse } else { Dialect::Dense };
    Block { width, rows, dialect, sum_column: options.sum_column }
}

/// What `thread` is to run.
fn plan(options: &LatencyOptions, slot: usize, thread: u32, first: Instant) -> Option<Run> {
    let period_us = options.interval_us_of(thread);
    let fitting = |us: u128| us.checked_div(u128::from(period_us)).and_then(|count| u64::try_from(count).ok());
    let cycles = match options.loops {
        Some(loops) => fitting(u128::from(loops).wrapping_mul(u128::from(options.interval_us)))?,
        None => u64::MAX,
    };
    let releases = match options.duration_s {
        Some(seconds) => fitting(u128::from(seconds).wrapping_mul(1_000_000))?,
        None => u64::MAX,
    };
    let priority = Priority::new(options.takt_priority_of(thread))?;
    let behind_us = u64::from(options.aligned_us.unwrap_or(0)).wrapping_mul(u64::from(thread));
    let first = first.after(behind_us.wrapping_mul(clock::half_ticks_per_us()));
    let anticipation = anticipation::of(slots::core(slot));
    Some(Run { first, period_us, cycles, releases, priority, anticipation, method: Method::ABSOLUTE })
}

/// What the slots look for besides.
fn watch(options: &LatencyOptions) -> Watch {
    let stages = options.stages;
    Watch {
        is_on: options.break_us.is_some() || options.spike_us.is_some() || options.is_live(),
        stage: match (stages.task, stages.handler) {
            (true, _) => Stage::Task,
            (_, true) => Stage::Handler,
            _ => Stage::Done,
        },
        break_half_ticks: options.break_us.map(half_ticks),
        spike_half_ticks: options.spike_us.map(half_ticks),
        spike_nodes: usize::try_from(options.spike_nodes).unwrap_or(MAX_SPIKES),
        is_live: options.is_live() && !options.verbose,
        has_samples: options.is_live() && options.verbose,
        second_cycles: None,
    }
}

/// One line on what is run, and what there is to tell about the options.
fn write_run(out: &mut dyn Write, options: &LatencyOptions) -> fmt::Result {
    let LatencyOptions { threads, interval_us, distance_us, priority, .. } = options;
    write!(out, "# Run: {threads} of {} slots, interval {interval_us} us", slots::count())?;
    if *threads > 1 && *distance_us > 0 {
        write!(out, " (each further +{distance_us})")?;
    }
    write!(out, ", priority {priority} (takt's {})", options.takt_priority_of(0))?;
    if options.priority_spread {
        out.write_str(", each further one less")?;
    }
    if options.smp {
        out.write_str(", a slot on each core")?;
    }
    if let Some(us) = options.aligned_us {
        write!(out, ", each further {us} us later")?;
    }
    if let Some(loops) = options.loops {
        write!(out, ", {loops} cycles")?;
    }
    if let Some(seconds) = options.duration_s {
        write!(out, ", {seconds} s")?;
    }
    out.write_str("\n")?;
    anticipation::write(out)?;
    options.notes().try_for_each(|note| writeln!(out, "# Note: {note}"))
}

/// What the counter's rate says of its resolution, and what reading it shows.
fn write_resolution(out: &mut dyn Write, rate: Rate) -> fmt::Result {
    const READS: u32 = 1_000;
    let mut least = u64::MAX;
    for _ in 0..READS {
        let (first, second) = (clock::now(), clock::now());
        least = least.min(second.half_ticks().wrapping_sub(first.half_ticks()).max(1));
    }
    let ps = |half_ticks: u64| half_ticks.saturating_mul(1_000_000) / rate.half_ticks_per_us();
    let (tick_ps, read_ps) = (ps(2), ps(least));
    writeln!(
        out,
        "# Resolution: one counter tick is {}.{:03} ns; two reads, one behind the other, are at least {}.{:03} ns apart",
        tick_ps / 1_000,
        tick_ps % 1_000,
        read_ps / 1_000,
        read_ps % 1_000
    )
}

/// Says whether the clocks kept their ratio over the run. True where they did not: the run is void.
pub(crate) fn write_clocks(out: &mut dyn Write) -> bool {
    let check = check_phase();
    let _ = match check {
        PhaseCheck::Kept { moved_half_ticks, allowed_half_ticks } => writeln!(
            out,
            "# Clocks: no drift: the phase moved by {moved_half_ticks} half ticks, within {allowed_half_ticks}"
        ),
        PhaseCheck::Drifted { moved_half_ticks, allowed_half_ticks } => writeln!(
            out,
            "# Clocks: DRIFT, this run is void: the phase moved by {moved_half_ticks} half ticks, beyond \
             {allowed_half_ticks}"
        ),
        PhaseCheck::Contradiction => {
            out.write_str("# Clocks: DRIFT, this run is void: the system timer left its ratio to CNTPCT\n")
        }
        PhaseCheck::Unknown => out.write_str("# Clocks: not compared, since no phase was found at boot\n"),
    };
    matches!(check, PhaseCheck::Drifted { .. } | PhaseCheck::Contradiction)
}
