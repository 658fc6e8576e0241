// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bench rhealstone`: the six operations of Rhealstone, each timed by itself, again and again.
//!
//! | operation | from | to |
//! |---|---|---|
//! | task switch | before `yield_turn` in one task | behind it in its equal |
//! | preemption | before a less urgent task sets an event | the more urgent one's first statement |
//! | interrupt latency | before an interrupt is raised | its handler's first statement |
//! | semaphore shuffle | a task asks for a semaphore that another has; and that one gives it | the other's next statement; and the first one's |
//! | deadlock break | the same with a mutex by inheritance, with a task of a priority in between that is ready | as above |
//! | intertask message | before a message of 16 bytes is sent | the more urgent receiver's first statement |
//!
//! The two parts of a shuffle and of a break are added. Nothing is taken off any of them: neither the reading of the clock, of
//! which a number holds one for each part, nor switches, which RTEMS's version subtracts.

mod bodies;

pub use bodies::MUTEX;

use core::fmt::{self, Write};

use takt::clock;
use takt::kernel::histogram::{View, half_ticks_to_ns};

use super::{Suite, quantile, urgently, write_row};
use crate::actors::{self, Part};
use crate::boot_line::Times;
use crate::commands::Session;
use crate::refusal::Refusal;
use crate::slots::{self, LINEAR_BINS};

pub(super) static SUITE: Suite =
    Suite { name: "rhealstone", summary: "Rhealstone's six operations, 10000 times each; -l TIMES", run };

/// After so many operations the console task looks for Ctrl-C: the tasks leave it no time.
const TIMES_PER_LOOK: u32 = 1_024;

const TIMES: Times = Times { command: "bench rhealstone", what: "times", usual: 10_000, maximum: 10_000_000 };

/// One operation.
struct Operation {
    /// In a line for programs.
    name: &'static str,
    parts: &'static [Part],
}

static OPERATIONS: [Operation; 6] = [
    Operation { name: "rhealstone-task-switch", parts: &[Part { priority: 110, body: bodies::switch }; 2] },
    Operation {
        name: "rhealstone-preemption",
        parts: &[Part { priority: 110, body: bodies::preempting }, Part { priority: 120, body: bodies::preempted }],
    },
    Operation { name: "rhealstone-interrupt-latency", parts: &[Part { priority: 110, body: bodies::interrupted }] },
    Operation {
        name: "rhealstone-semaphore-shuffle",
        parts: &[
            Part { priority: 110, body: bodies::shuffle_asks },
            Part { priority: 120, body: bodies::shuffle_gives },
        ],
    },
    Operation {
        name: "rhealstone-deadlock-break",
        parts: &[
            Part { priority: 110, body: bodies::break_asks },
            Part { priority: 115, body: bodies::break_between },
            Part { priority: 120, body: bodies::break_holds },
        ],
    },
    Operation {
        name: "rhealstone-intertask-message",
        parts: &[Part { priority: 110, body: bodies::receives }, Part { priority: 120, body: bodies::sends }],
    },
];

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let times = TIMES.read(arguments)?;
    session.last_run = None;
    let _ = session.provenance.write(&mut session.console);
    let _ = writeln!(session.console, "# Bench: Rhealstone, {times} times each; unit: counter ticks");
    let _ = session.console.write_str("# name,min,median,p99,max,count\n");
    let mut sum_half_ticks: i64 = 0;
    for operation in &OPERATIONS {
        let median = operation.run(session, times)?;
        if session.is_interrupted() {
            return Ok(());
        }
        sum_half_ticks = sum_half_ticks.wrapping_add(median);
    }
    let _ = write_rhealstones(&mut session.console, sum_half_ticks);
    Ok(())
}

impl Operation {
    /// The median, in half ticks.
    fn run(&self, session: &mut Session, times: u32) -> Result<i64, Refusal<'static>> {
        let missing = Refusal::MissingTask { command: "bench rhealstone", line: "slot 0" };
        if slots::count() == 0 || !slots::clear(0, LINEAR_BINS as u64) {
            return Err(missing);
        }
        session.console.flush();
        let mut left = times;
        while left > 0 && !session.is_interrupted() {
            let batch = left.min(TIMES_PER_LOOK);
            left = left.wrapping_sub(batch);
            bodies::prepare(batch);
            urgently(|| actors::begin("bench rhealstone", self.parts))?;
            // The leading task lets the others go, also when it is to end.
            actors::await_all(session, || {});
        }
        let record = slots::record(0).ok_or(Refusal::NoRecord { slot: 0 })?;
        let view = record.task.histogram.view();
        let _ = write_row(&mut session.console, self.name, &view);
        Ok(median(&view))
    }
}

fn median(view: &View<'_>) -> i64 {
    quantile(view, 1, 2).unwrap_or(0)
}

/// Kar's number: how many of the mean operation fit into a second.
fn write_rhealstones(out: &mut dyn Write, sum_half_ticks: i64) -> fmt::Result {
    let mean_ns = half_ticks_to_ns(clock::rate(), sum_half_ticks).checked_div(6).unwrap_or(0);
    let per_second = 1_000_000_000_i128.checked_div(mean_ns).unwrap_or(0);
    writeln!(out, "# Rhealstone: {per_second} a second: the mean of the six medians is {mean_ns} ns")
}
