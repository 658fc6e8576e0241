// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bench matrix`: the latency of a slot beside each load alone, and beside all together: the 99.99th percentile and the worst at each
//! stage. Loads that ran before are stopped.

use core::fmt::{self, Write};

use takt::clock;
use takt::kernel::histogram::{View, half_ticks_to_ns};
use takt::kernel::priority::Priority;

use super::{Suite, quantile};
use crate::boot_line::Times;
use crate::commands::Session;
use crate::latency::first_release;
use crate::load::{self, KINDS, Kind};
use crate::refusal::Refusal;
use crate::slots::{self, LINEAR_BINS, Run};
use crate::watch::Watch;

pub(super) static SUITE: Suite =
    Suite { name: "matrix", summary: "the latency beside each load alone, and beside all; -l CYCLES each, 10000", run };

const TIMES: Times = Times { command: "bench matrix", what: "cycles", usual: 10_000, maximum: 100_000_000 };

const PERIOD_US: u32 = 1_000;
const PRIORITY: Option<Priority> = Priority::new(20);

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let cycles = TIMES.read(arguments)?;
    session.last_run = None;
    let _ = session.provenance.write(&mut session.console);
    let _ = writeln!(session.console, "# Bench: matrix, {cycles} cycles of {PERIOD_US} us beside each load at 100 %");
    load::stop_all(session);
    let alone = Kind::ALL.map(|kind| (kind.name(), Kind::ALL.map(|other| other == kind)));
    for (name, kinds) in [("none", [false; KINDS])].into_iter().chain(alone).chain([("all", [true; KINDS])]) {
        if session.is_interrupted() {
            break;
        }
        beside(session, name, kinds, cycles)?;
    }
    Ok(())
}

/// One row.
fn beside(session: &mut Session, name: &str, kinds: [bool; KINDS], cycles: u32) -> Result<(), Refusal<'static>> {
    if kinds.contains(&true) {
        load::start(session, kinds)?;
    }
    let refusal = Refusal::NoRecord { slot: 0 };
    let is_clear = slots::clear(0, LINEAR_BINS as u64);
    let run = Run { cycles: u64::from(cycles), ..Run::every(first_release(), PERIOD_US, PRIORITY.ok_or(refusal)?) };
    let is_ready = is_clear && slots::assign(0, run, Watch::OFF);
    if is_ready {
        slots::start(0);
        slots::await_all(session);
    }
    // What is printed is beside no load.
    load::stop_all(session);
    let record = slots::record(0).filter(|_| is_ready).ok_or(refusal)?;
    let views = [&record.handler, &record.task, &record.done].map(|lateness| lateness.histogram.view());
    let _ = write_row(&mut session.console, name, &views);
    Ok(())
}

fn write_row(out: &mut dyn Write, name: &str, views: &[View<'_>; 3]) -> fmt::Result {
    if name == "none" {
        out.write_str("# Matrix: ns       |    handler           |       task           |       done\n")?;
        out.write_str("# Matrix: load     |   p99.99        max |   p99.99        max |   p99.99        max |     cycles  skipped\n")?;
    }
    write!(out, "# Matrix: {name:10}|")?;
    for view in views {
        let ns = |half_ticks: Option<i64>| half_ticks_to_ns(clock::rate(), half_ticks.unwrap_or(0));
        write!(out, " {:8} {:10} |", ns(quantile(view, 9_999, 10_000)), ns(view.maximum_half_ticks()))?;
    }
    let [_, task, _] = views;
    writeln!(out, " {:10} {:8}", task.count(), task.skipped().count)
}
