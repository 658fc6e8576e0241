// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `latency` command: cyclictest's measurement, on the slots.
//!
//! All threads are released at the same first instant: with one interval for all, the later ones wait for the earlier
//! ones each time, which is the worst case for them.
//!
//! A thread's cycles are cyclictest's: `-l` counts those of the first thread, and a further one runs as many as fit into
//! the same time. `-D` counts releases, skipped ones included, so that a run ends when it should.

use core::fmt::{self, Write};

use heapless::Vec;
use takt::board::{Facts, PhaseCheck, TimeBase, check_phase};
use takt::clock;
use takt::handover::Taken;
use takt::kernel::histogram::BucketWidth;
use takt::kernel::priority::Priority;
use takt::kernel::report::{
    Block, Column, Dialect, Resolution, Stage, write_histogram, write_json_line, write_notes, write_summary_line,
};
use takt::kernel::time::{Instant, Rate};
use takt::rpi4::map;

use crate::alignment;
use crate::commands::{Entry, Session};
use crate::freeze;
use crate::options::{self, LatencyOptions, Limits};
use crate::refusal::Refusal;
use crate::slots::{self, LINEAR_BINS, Lateness, N_SLOTS, Record, Run};
use crate::trace;

/// How long the slots have to get ready, in microseconds: far more than they need, so that the first release finds all
/// of them waiting.
const LEAD_US: u64 = 10_000;

/// Each slot at each stage.
const MAX_COLUMNS: usize = 8;
const _: () = assert!(MAX_COLUMNS == 2 * N_SLOTS, "a column for each slot at each of the two stages");

pub(crate) static COMMAND: Entry = Entry {
    name: "latency",
    usage: "[OPTION]...",
    summary: "measure; the options are cyclictest's",
    help: HELP,
    words: &options::NAMES,
    run,
};

const HELP: &str = "-i US         interval of the first thread, 1000 without\n\
                    -d US         each further thread's is so much longer, 500; 0 with a histogram\n\
                    -l CYCLES     how many cycles; -D SECONDS how long, also 5m, 2h, 1d; without either until Ctrl-C\n\
                    -p PRIORITY   1 to 99 as in cyclictest, 80; takt's is 100 less that\n\
                    -t [THREADS]  measuring threads, 1; -S one on each core, -a [CORES] where, -A [US] how far apart they begin\n\
                    -h ROWS       histogram with rows of 1 us; -H ROWS with a column of sums\n\
                    -N            nanoseconds, and rows of one counter tick\n\
                    --stage WHAT  handler, task or handler,task\n\
                    --freeze-on-max  print the events before the maximum as well\n\
                    -q, -m, -n    as in cyclictest\n\
                    latency -i 250 -l 20000 -h 100\n\
                    latency -S -p90 -i200 -h400 -q -D 10m";

/// The first release of a run that starts now.
pub(crate) fn first_release() -> Instant {
    clock::next_edge(clock::now().after(LEAD_US.wrapping_mul(clock::half_ticks_per_us())))
}

/// Measures as `arguments` say and prints the report.
fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let provenance = session.provenance;
    let slot_count = slots::count();
    if slot_count == 0 {
        return Err(Refusal::MissingTask { command: "latency", line: "slot 0" });
    }
    let rate = clock::rate();
    let options = LatencyOptions::parse(arguments, &limits(rate, slot_count))?;
    let console = &mut session.console;
    let _ = provenance.write(console);
    let _ = write_run(console, &options);
    let block = block(rate, &options);
    let threads = usize::try_from(options.threads).unwrap_or(slot_count);
    let limit_ticks = block.width.first_tick_of(block.rows);
    for slot in 0..threads {
        slots::clear(slot, limit_ticks).then_some(()).ok_or(Refusal::NoRecord { slot })?;
    }
    // Nothing may be on its way to the serial line while the slots measure.
    console.flush();
    let first = first_release();
    for (slot, thread) in (0..threads).zip(0_u32..) {
        let run = plan(&options, thread, first).ok_or(Refusal::NoRecord { slot })?;
        slots::assign(slot, run).then_some(()).ok_or(Refusal::NoRecord { slot })?;
    }
    freeze::begin(options.freeze_on_maximum);
    slots::start_first(threads);
    slots::await_all(session);
    let console = &mut session.console;
    let records: Vec<Taken<'_, Record>, N_SLOTS> = (0..threads).filter_map(slots::record).collect();
    let _ = write_report(console, &Report { options: &options, block, rate, facts: provenance.facts }, &records);
    if options.smp || options.aligned_us.is_some() {
        let _ = alignment::write(console, &records);
    }
    let _ = write_clocks(console);
    match freeze::end() {
        Some(maximum) => trace::write_kept(console, Some(&maximum)),
        None => Ok(()),
    }
}

/// The most rows of a microsecond that fit into the bins.
fn max_histogram_us(rate: Rate) -> u32 {
    let half_ticks = (LINEAR_BINS as u64).wrapping_mul(2);
    u32::try_from(half_ticks / rate.half_ticks_per_us()).unwrap_or(u32::MAX)
}

/// What the slots can run. An interval is as long as a period of the task table may be; the shortest leaves room for a
/// few releases of other tasks.
fn limits(rate: Rate, slot_count: usize) -> Limits {
    Limits {
        min_interval_us: 20,
        max_interval_us: 3_600_000_000,
        max_duration_s: 365 * 86_400,
        min_priority: 1,
        max_priority: 99,
        max_histogram_us: max_histogram_us(rate),
        max_histogram_ticks: u32::try_from(LINEAR_BINS).unwrap_or(u32::MAX),
        max_threads: u32::try_from(slot_count).unwrap_or(u32::MAX),
        cores: slots::cores(),
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
    Block { width, rows, dialect: Dialect::Dense, sum_column: options.sum_column }
}

/// What `thread` is to run.
fn plan(options: &LatencyOptions, thread: u32, first: Instant) -> Option<Run> {
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
    let priority = Priority::new(options.takt_priority())?;
    let behind_us = u64::from(options.aligned_us.unwrap_or(0)).wrapping_mul(u64::from(thread));
    let first = first.after(behind_us.wrapping_mul(clock::half_ticks_per_us()));
    Some(Run { first, period_us, cycles, releases, priority })
}

/// One line on what is run, and what there is to tell about the options.
fn write_run(out: &mut dyn Write, options: &LatencyOptions) -> fmt::Result {
    let LatencyOptions { threads, interval_us, distance_us, priority, .. } = options;
    write!(out, "# Run: {threads} of {} slots, interval {interval_us} us", slots::count())?;
    if *threads > 1 && *distance_us > 0 {
        write!(out, " (each further +{distance_us})")?;
    }
    write!(out, ", priority {priority} (takt's {})", options.takt_priority())?;
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
    options.notes().try_for_each(|note| writeln!(out, "# Note: {note}"))
}

/// What a report is made of besides the records.
struct Report<'a> {
    options: &'a LatencyOptions,
    block: Block,
    rate: Rate,
    facts: &'a Facts,
}

/// Summary lines or histogram block, then the notes, then everything for programs.
fn write_report(out: &mut dyn Write, report: &Report<'_>, records: &[Taken<'_, Record>]) -> fmt::Result {
    let Report { options, block, rate, .. } = report;
    let columns = columns(report, records);
    if options.histogram_rows.is_some() {
        write_histogram(out, block, &columns)?;
    } else {
        let resolution = if options.nanoseconds { Resolution::Nanoseconds } else { Resolution::Microseconds };
        columns.iter().try_for_each(|column| write_summary_line(out, column, resolution, *rate))?;
    }
    write_notes(out, block, &columns)?;
    columns.iter().try_for_each(|column| write_json_line(out, column, *rate))
}

/// A column for each thread at each stage that was asked for, thread by thread.
fn columns<'a>(report: &Report<'_>, records: &'a [Taken<'_, Record>]) -> Vec<Column<'a>, MAX_COLUMNS> {
    let options = report.options;
    let both = records.iter().zip(0_u32..).flat_map(|(record, thread)| {
        let column = |stage, id, lateness: &'a Lateness| Column {
            thread,
            core: record.core,
            id,
            priority: options.priority,
            interval_us: options.interval_us_of(thread),
            cycles: record.cycles,
            latest_half_ticks: lateness.latest_half_ticks,
            histogram: lateness.histogram.view(),
            overruns: record.overruns,
            task: record.name.unwrap_or("unnamed"),
            stage,
        };
        // The other cores have their generic timer.
        let intid = match report.facts.time_base {
            TimeBase::SystemTimer if record.core == 0 => map::SYSTEM_TIMER_1_INTID,
            _ => map::GENERIC_TIMER_INTID,
        };
        [
            column(Stage::Handler, u32::from(intid.number()), &record.handler),
            column(Stage::Task, record.rank, &record.task),
        ]
    });
    both.filter(|column| match column.stage {
        Stage::Handler => options.stages.handler,
        Stage::Task => options.stages.task,
    })
    .collect()
}

/// Whether the clocks kept their ratio over the run.
pub(crate) fn write_clocks(out: &mut dyn Write) -> fmt::Result {
    match check_phase() {
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
    }
}
