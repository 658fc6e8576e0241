// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bench paths`, and `bench` alone: what the executive's own paths take, from the image's own stamps.
//!
//! Lines without `#` are for programs: `name,min,max,mean_x1000,count`, in counter ticks. In QEMU with
//! `-icount shift=4` one tick is one instruction.
//!
//! | name | from | to |
//! |---|---|---|
//! | `counter-read` | a read of the counter | the next one: what a stamp itself takes |
//! | `timer-handler-idle`, `-busy` | the due instant | the first statement of the interrupt handler |
//! | `timer-task-idle`, `-busy` | the due instant | the first statement of the released task |
//! | `yield` | before `yield_turn` in one task | behind it in its equal |
//!
//! `idle` interrupts the idle task, `busy` a task less urgent than the released one.

use core::fmt::{self, Write};

use takt::kernel::priority::Priority;
use takt::rpi4::counter;

use super::Suite;
use crate::boot_line::Times;
use crate::commands::Session;
use crate::refusal::Refusal;
use crate::slots::{self, LINEAR_BINS, Run};
use crate::spread::Spread;
use crate::watch::Watch;
use crate::{cross_check, helpers, latency, stacks};

/// The period of the timer benchmarks, in microseconds: an odd number, so that in QEMU due instants fall on whole and
/// on half ticks in turn, and prime, so that nothing else keeps step with it.
const PERIOD_US: u32 = 137;

/// The slot's priority: that of `latency` unless told otherwise.
const PRIORITY: Option<Priority> = Priority::new(20);

/// Both stages of one run of a slot.
struct Timer {
    handler: Spread,
    task: Spread,
    /// The task's by the cycle counter, still with the distance of its zero.
    by_cycles: Spread,
}

pub(super) static SUITE: Suite =
    Suite { name: "paths", summary: "from the timer to handler and task, a yield: takt's own paths; -l CYCLES", run };

const TIMES: Times = Times { command: "bench", what: "cycles", usual: 10_000, maximum: 1_000_000 };

/// Runs all benchmarks and prints the results behind the last.
fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let cycles = TIMES.read(arguments)?;
    session.last_run = None;
    let provenance = session.provenance;
    let console = &mut session.console;
    let _ = provenance.write(console);
    let _ = writeln!(console, "# Bench: {cycles} cycles each; timer period {PERIOD_US} us; unit: counter ticks");
    console.flush();
    let counter_read = counter_reads(cycles);
    let idle = timer(session, cycles, || true)?;
    let busy = timer(session, cycles, helpers::keep_busy)?;
    if session.is_interrupted() {
        return Ok(());
    }
    let console = &mut session.console;
    let missing = |line| Refusal::MissingTask { command: "bench", line };
    let yields =
        helpers::yields(cycles, false).ok_or(missing("pair of background tasks yield_first and yield_second"))?;
    let rows = [
        ("counter-read", counter_read),
        ("timer-handler-idle", idle.handler),
        ("timer-handler-busy", busy.handler),
        ("timer-task-idle", idle.task),
        ("timer-task-busy", busy.task),
        ("yield", yields),
    ];
    let _ = write_rows(console, &rows);
    if let Some(shift) = provenance.facts.icount_shift {
        let offset = cross_check::offset_ns(shift).wrapping_mul(2);
        let task = |timer: Timer| timer.by_cycles.in_instructions(offset, shift);
        let yields = helpers::yields(cycles, true).unwrap_or(Spread::NONE).in_instructions(0, shift);
        let rows = [("task-idle", task(idle)), ("task-busy", task(busy)), ("yield", yields)];
        let _ = cross_check::write(console, shift, &rows);
    }
    let _ = latency::write_clocks(console);
    let _ = stacks::write(console);
    Ok(())
}

fn write_rows(out: &mut dyn Write, rows: &[(&str, Spread)]) -> fmt::Result {
    out.write_str("# name,min,max,mean_x1000,count\n")?;
    rows.iter().try_for_each(|(name, spread)| writeln!(out, "{name},{spread}"))
}

/// Two reads of the counter, back to back.
fn counter_reads(cycles: u32) -> Spread {
    let mut spread = Spread::NONE;
    for _ in 0..cycles {
        let first = counter::ticks();
        let second = counter::ticks();
        spread.add(second.wrapping_sub(first).cast_signed().wrapping_mul(2));
    }
    spread
}

/// Runs the first slot; `accompany` is called once it has started.
fn timer(session: &mut Session, cycles: u32, accompany: impl Fn() -> bool) -> Result<Timer, Refusal<'static>> {
    let missing = |line| Refusal::MissingTask { command: "bench", line };
    let priority = PRIORITY.filter(|_| slots::count() > 0).ok_or(missing("slot 0"))?;
    // Emptying the record takes longer than the lead of the first release.
    let is_clear = slots::clear(0, LINEAR_BINS as u64);
    let run = Run { cycles: u64::from(cycles), ..Run::every(latency::first_release(), PERIOD_US, priority) };
    if !(is_clear && slots::assign(0, run, Watch::OFF)) {
        return Err(Refusal::NoRecord { slot: 0 });
    }
    slots::start_first(1);
    let is_accompanied = accompany();
    slots::await_all(session);
    if !is_accompanied {
        return Err(missing("background task busy"));
    }
    let record = slots::record(0).ok_or(Refusal::NoRecord { slot: 0 })?;
    Ok(Timer {
        handler: Spread::of(record.handler.histogram.view()),
        task: Spread::of(record.task.histogram.view()),
        by_cycles: record.by_cycles,
    })
}
