// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command itself.

use core::fmt::Write;

use heapless::Vec;
use takt::board::{self, TimeBase};

use super::measurement::{Row, arrange, measure, write_table};
use super::options::{Combination, MAX_COMBINATIONS, SweepOptions};
use crate::boot_line::TimeBaseWord;
use crate::commands::{Entry, Session};
use crate::latency::{MIN_INTERVAL_US, write_clocks};
use crate::refusal::Refusal;
use crate::slots;

pub(crate) static COMMAND: Entry = Entry {
    name: "sweep",
    usage: "[OPTION]...",
    summary: "measure by each policy, timer, method of waiting and way to idle",
    help: "fifo, rr, edf and background; the system timer and the generic one; absolute and relative waits and a periodic timer's\n\
           callback; idle in wfi and in a loop: 48 measurements, each with its report, and a table. Needs a level for each policy:\n\
           make run IMAGE=takt-sweep EXECUTION_TIME=1.\n\
           -i US                    interval, 1000; -l CYCLES of each measurement, 1000\n\
           --timer system|generic   with this timer alone; --idle wfi|spin in this way alone\n\
           sweep -i 250 -l 4000000 --idle wfi",
    words: &["-i", "-l", "--timer", "--idle"],
    run: command,
};

/// In an image that has a level for each policy, which hands the console task [`run`].
fn command<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let options = SweepOptions::parse(arguments, MIN_INTERVAL_US)?;
    let sweep = session.extras.sweep.ok_or(Refusal::NoLevels)?;
    sweep(session, options)
}

/// Measures all that was asked for and prints the table. The core idles, and its timer is, as before then.
pub(crate) fn run(session: &mut Session, options: SweepOptions) -> Result<(), Refusal<'static>> {
    if slots::count() == 0 {
        return Err(Refusal::MissingTask { command: "sweep", line: "slot 0" });
    }
    session.last_run = None;
    let facts = session.provenance.facts;
    let _ = session.provenance.write(&mut session.console);
    let has_system_timer = facts.time_base == TimeBase::SystemTimer;
    if !has_system_timer && options.timer.is_none() {
        let _ = session.console.write_str("# Sweep: the system timer is left out, see # Time base\n");
    }
    let is_possible =
        |one: &Combination| has_system_timer || options.timer.is_some() || one.timer == TimeBaseWord::Generic;
    let mut rows: Vec<Row, MAX_COMBINATIONS> = Vec::new();
    let outcome = options.combinations().filter(is_possible).try_for_each(|combination| {
        if session.is_interrupted() {
            return Ok(());
        }
        arrange(&combination)?;
        let row = measure(session, &options, &combination)?;
        // There is room for all.
        let _ = rows.push(row);
        Ok(())
    });
    board::set_idle(facts.idle);
    let restored = board::set_time_base(facts.time_base).map_err(Refusal::NoSystemTimer);
    let _ = write_table(&mut session.console, &rows);
    let _ = write_clocks(&mut session.console);
    outcome.and(restored)
}
