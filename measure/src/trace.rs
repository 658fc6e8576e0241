// SPDX-License-Identifier: MIT OR Apache-2.0
//! The dump of the event ring, which docs/trace.md describes to the byte.

use core::fmt::{self, Write};

use takt::board;
use takt::console::Console;
use takt::kernel::TaskId;
use takt::kernel::priority::Priority;
use takt::trace::{self, History};

use crate::boot_line::no_arguments;
use crate::commands::{Entry, Session};
use crate::freeze::Maximum;
use crate::refusal::Refusal;

/// What the lines look like. A reader that does not know the number should refuse the dump.
const VERSION: u32 = 1;

/// The core that takt runs on.
const CORE: usize = 0;

pub(crate) static COMMAND: Entry = Entry {
    name: "trace",
    usage: "",
    summary: "print the events up to now",
    help: "What happened on core 0, event by event, the last some hundred. Needs an image that records: make run EVENT_RING=1.\n\
           trace",
    words: &[],
    run,
};

/// Prints what was recorded up to now.
fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    no_arguments("trace", arguments)?;
    if !trace::IS_ON {
        return Err(Refusal::NoEventRing { command: "trace" });
    }
    // Nobody reads the kept ring: that is the console task, which runs commands one after the other.
    trace::keep();
    write_kept(&mut session.console, None)
}

/// Prints what the kept ring holds, and which maximum that explains.
pub(crate) fn write_kept(console: &mut Console, maximum: Option<&Maximum>) -> Result<(), Refusal<'static>> {
    let facts = board::facts().ok_or(Refusal::NoFacts)?;
    if let Some(kept) = trace::kept() {
        let history = kept.history();
        let _ = write_head(console, facts.counter_hz, &history, maximum);
        let _ = history.entries().try_for_each(|entry| writeln!(console, "{}", entry.line(CORE)));
        let _ = writeln!(console, "# Trace end: {} events", history.count());
    }
    Ok(())
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
