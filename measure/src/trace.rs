// SPDX-License-Identifier: MIT OR Apache-2.0
//! The dump of the event ring, which docs/trace.md describes to the byte.

use core::fmt::{self, Write};

use takt::console::Console;
use takt::kernel::TaskId;
use takt::kernel::priority::Priority;
use takt::trace::{self, History};
use takt::{board, clock};

use crate::boot_line::{ArgumentError, Number, nothing_more};
use crate::commands::{Entry, Session};
use crate::freeze::Maximum;
use crate::latency::half_ticks;
use crate::refusal::Refusal;
use crate::story::{Names, Span, write_story};
use crate::words::next_word;

/// What the lines look like. A reader that does not know the number should refuse the dump.
const VERSION: u32 = 1;

/// The core that takt runs on.
const CORE: usize = 0;

pub(crate) static COMMAND: Entry = Entry {
    name: "trace",
    usage: "[WHAT]",
    summary: "print the events up to now, or keep those before a maximum",
    help: "What happened on core 0, event by event, the last some hundred. Needs an image that records: make run EVENT_RING=1.\n\
           dump             print what was recorded up to now, or up to stop; trace alone does so too\n\
           start, stop      forget what was recorded up to now; keep it\n\
           freeze-on-max    each latency run from now on keeps the events before its maximum, and tells them as a story\n\
           freeze-over US   the same, where the maximum is above US microseconds; freeze-off ends either\n\
           trace start; bench -l 10; trace dump\n\
           trace freeze-over 20; latency -i 250 -D 1h -q",
    words: &["dump", "start", "stop", "freeze-on-max", "freeze-over", "freeze-off"],
    run,
};

const WORDS: &str = "dump, start, stop, freeze-on-max, freeze-over US or freeze-off";

/// The limit of `freeze-over`.
const LIMIT: Number =
    Number { command: "trace", option: "freeze-over", what: "microseconds", minimum: 1, maximum: 1_000_000 };

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    if !trace::IS_ON {
        return Err(Refusal::NoEventRing { command: "trace" });
    }
    let mut words = arguments.split_ascii_whitespace();
    let word = next_word(&mut words).unwrap_or("dump");
    if word == "freeze-over" {
        let limit_us = LIMIT.read(next_word(&mut words).unwrap_or(""))?;
        session.freeze_above_half_ticks = Some(half_ticks(limit_us));
    }
    nothing_more("trace", next_word(&mut words))?;
    match word {
        "freeze-over" => {}
        "freeze-on-max" => session.freeze_above_half_ticks = Some(i64::MIN),
        "freeze-off" => session.freeze_above_half_ticks = None,
        // Nobody reads the kept ring: that is the console task, which runs commands one after the other.
        "start" | "stop" => {
            trace::keep();
            session.has_stopped_trace = word == "stop";
        }
        "dump" => {
            if !core::mem::take(&mut session.has_stopped_trace) {
                trace::keep();
            }
            write_kept(&mut session.console, None)?;
        }
        _ => return Err(ArgumentError::UnknownWord { command: "trace", word, valid: WORDS }.into()),
    }
    Ok(())
}

/// Prints what the kept ring holds, and which maximum that explains.
pub(crate) fn write_kept(console: &mut Console, maximum: Option<&Maximum>) -> Result<(), Refusal<'static>> {
    let facts = board::facts().ok_or(Refusal::NoFacts)?;
    if let Some(kept) = trace::kept() {
        let history = kept.history();
        let _ = maximum.map_or(Ok(()), |maximum| write_story_of(console, &history, maximum));
        let _ = write_head(console, facts.counter_hz, &history, maximum);
        let _ = history.entries().try_for_each(|entry| writeln!(console, "{}", entry.line(CORE)));
        let _ = writeln!(console, "# Trace end: {} events", history.count());
    }
    Ok(())
}

/// What ran from the due instant to the maximum, in words.
fn write_story_of(out: &mut dyn Write, history: &History<'_>, maximum: &Maximum) -> fmt::Result {
    let Some(task) = TaskId::new(maximum.rank) else { return Ok(()) };
    let Maximum { cycle, due, lateness_half_ticks, .. } = *maximum;
    let span = Span { task, cycle, due_half_ticks: due.half_ticks(), lateness_half_ticks };
    write_story(out, history, &span, clock::rate(), &Table)
}

/// The names of the task table.
struct Table;

impl Names for Table {
    fn task(&self, task: TaskId) -> &str {
        takt::task_reports().nth(task.index()).map_or("idle", |report| report.name)
    }

    fn interrupt(&self, intid: u16) -> Option<&str> {
        trace::interrupt_names().find(|(number, _)| *number == intid).map(|(_, name)| name)
    }
}

fn write_head(out: &mut dyn Write, counter_hz: u64, history: &History<'_>, maximum: Option<&Maximum>) -> fmt::Result {
    writeln!(out, "# Trace version: {VERSION}")?;
    writeln!(out, "# Trace core: {CORE}")?;
    writeln!(out, "# Trace counter_hz: {counter_hz}")?;
    for (rank, task) in takt::task_reports().enumerate() {
        writeln!(out, "# Trace task: {rank},{},{}", task.name, task.priority)?;
    }
    writeln!(out, "# Trace task: {},idle,{}", TaskId::IDLE.index(), Priority::IDLE.number())?;
    for (intid, name) in trace::interrupt_names() {
        writeln!(out, "# Trace interrupt: {intid},{name}")?;
    }
    if let Some(Maximum { rank, cycle, due, lateness_half_ticks }) = maximum {
        writeln!(out, "# Trace maximum: {rank},{cycle},{},{lateness_half_ticks}", due.half_ticks())?;
    }
    writeln!(out, "# Trace events: {}", history.count())?;
    match history.overwritten_at_least() {
        None => out.write_str("# Trace overwritten: none\n")?,
        Some(least) => writeln!(out, "# Trace overwritten: at least {least}")?,
    }
    out.write_str("# Trace columns: stamp_ticks,core,event,subject,detail\n")
}
