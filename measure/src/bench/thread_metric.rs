// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bench thread-metric`: the eight tests of Thread-Metric, by their names. Each counts for a window how often an operation is done.
//!
//! A thread is an actor; what is less for the original is more urgent here as well. To suspend itself is to wait for an event of its
//! own, and to resume another is to set it. The original has a tick of 10 ms on: here a measuring slot is released as often.

mod bodies;
mod monitors;

use core::fmt::{self, Write};

use takt::clock;
use takt::kernel::priority::Priority;

use monitors::{Monitors, Spent};

use super::{Suite, urgently};
use crate::actors::{self, Part};
use crate::boot_line::{ArgumentError, nothing_more};
use crate::commands::Session;
use crate::latency::first_release;
use crate::refusal::Refusal;
use crate::slots::{self, LINEAR_BINS, Run};
use crate::watch::Watch;
use crate::words::{next_word, number_in};

pub(super) static SUITE: Suite = Suite {
    name: "thread-metric",
    summary: "Thread-Metric's eight tests, 30 s each; -w SECONDS or -w MSms for another window",
    run,
};

/// The window of the original.
const USUAL_MS: u32 = 30_000;
/// The longest: an hour.
const MAXIMUM_MS: u32 = 3_600_000;
/// The tick's priority: more urgent than all threads.
const TICK_PRIORITY: u8 = 50;
const TICK_US: u32 = 10_000;

/// One test.
struct Test {
    /// As the original prints it.
    name: &'static str,
    parts: &'static [Part],
    /// What stands before the parts begin.
    prepare: fn(),
    /// What the counters must be to each other.
    is_sound: fn(&Counts) -> bool,
    /// What is printed as the total.
    total: fn(&Counts) -> u64,
}

/// What the threads and the handler counted.
struct Counts {
    threads: [u64; bodies::THREADS],
    handler: u64,
}

impl Counts {
    fn now() -> Self {
        Self { threads: bodies::counts(), handler: super::software::count() }
    }

    fn sum(&self) -> u64 {
        self.threads.iter().fold(0, |sum, count| sum.wrapping_add(*count))
    }

    /// Whether no two of the first `threads` are more than one apart.
    fn are_even(&self, threads: usize) -> bool {
        let counts = self.threads.get(..threads).unwrap_or(&[]);
        let (least, most) = (counts.iter().min().copied(), counts.iter().max().copied());
        most.zip(least).is_some_and(|(most, least)| most.wrapping_sub(least) <= 1 && least > 0)
    }

    /// Whether the handler ran once for each count of the thread that raises its interrupt, but for the last.
    fn handler_is_even(&self, raising: usize) -> bool {
        let raised = self.threads.get(raising).copied().unwrap_or(0);
        self.handler > 0 && self.handler.abs_diff(raised) <= 1
    }
}

static TESTS: [Test; 8] = [
    Test {
        name: "Basic Single Thread Processing",
        parts: &[Part { priority: 110, body: bodies::basic }],
        prepare: bodies::clear,
        is_sound: |counts| counts.sum() > 0,
        total: Counts::sum,
    },
    Test {
        name: "Cooperative Scheduling",
        parts: &[Part { priority: 110, body: bodies::cooperative }; 5],
        prepare: bodies::clear,
        is_sound: |counts| counts.are_even(5),
        total: Counts::sum,
    },
    Test {
        name: "Preemptive Scheduling",
        parts: &bodies::CHAIN,
        prepare: bodies::clear,
        is_sound: |counts| counts.are_even(5),
        total: Counts::sum,
    },
    Test {
        name: "Interrupt Processing",
        parts: &[Part { priority: 110, body: bodies::interrupt }],
        prepare: bodies::answer_by_giving,
        is_sound: |counts| counts.handler_is_even(0),
        total: |counts| counts.handler,
    },
    Test {
        name: "Interrupt Preemption Processing",
        parts: &[
            Part { priority: 110, body: bodies::resumed_by_handler },
            Part { priority: 120, body: bodies::interrupt_preempted },
        ],
        prepare: bodies::answer_by_setting,
        is_sound: |counts| counts.are_even(2) && counts.handler_is_even(1),
        total: |counts| counts.handler,
    },
    Test {
        name: "Message Processing",
        parts: &[Part { priority: 110, body: bodies::message }],
        prepare: bodies::clear,
        is_sound: |counts| counts.sum() > 0,
        total: Counts::sum,
    },
    Test {
        name: "Synchronization Processing",
        parts: &[Part { priority: 110, body: bodies::synchronization }],
        prepare: bodies::clear,
        is_sound: |counts| counts.sum() > 0,
        total: Counts::sum,
    },
    Test {
        name: "Memory Allocation",
        parts: &[Part { priority: 110, body: bodies::memory }],
        prepare: bodies::clear,
        is_sound: |counts| counts.sum() > 0,
        total: Counts::sum,
    },
];

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let window_ms = window_ms(arguments)?;
    session.last_run = None;
    let _ = session.provenance.write(&mut session.console);
    let _ = session.console.write_str(
        "# Bench: Thread-Metric. The tick is a slot that is released every 10 ms; threads suspend themselves by an event of their\n\
         # Bench: own; memory is a static pool of eight blocks of 128 bytes, since takt allocates nothing.\n",
    );
    for test in &TESTS {
        test.run(session, window_ms)?;
        if session.is_interrupted() {
            break;
        }
    }
    Ok(())
}

/// `bench pmu`: what one operation of each test takes, by the core's performance monitors.
pub(super) static PMU: Suite = Suite {
    name: "pmu",
    summary: "cycles, instructions, refills and bus accesses of each Thread-Metric operation; -w, 1 s each",
    run: run_pmu,
};

/// The window of `bench pmu`: a counter of 32 bits goes round behind 2.8 s of instructions at 1.5 GHz.
const PMU_MS: u32 = 1_000;

fn run_pmu<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let window_ms = if arguments.is_empty() { PMU_MS } else { window_ms(arguments)? };
    session.last_run = None;
    let _ = session.provenance.write(&mut session.console);
    monitors::write_head(&mut session.console, window_ms);
    for test in &TESTS {
        let (counts, spent) = test.window(session, window_ms)?;
        if session.is_interrupted() {
            break;
        }
        let _ = monitors::write_row(&mut session.console, test.name, &spent, (test.total)(&counts));
    }
    Ok(())
}

/// In seconds, or in milliseconds with `ms` behind the number.
fn window_ms(arguments: &str) -> Result<u32, ArgumentError<'_>> {
    const COMMAND: &str = "bench thread-metric";
    let mut words = arguments.split_ascii_whitespace();
    let Some(word) = next_word(&mut words) else { return Ok(USUAL_MS) };
    if word != "-w" {
        return Err(ArgumentError::UnknownWord { command: COMMAND, word, valid: "-w" });
    }
    let value = next_word(&mut words).unwrap_or("");
    nothing_more(COMMAND, next_word(&mut words))?;
    let (number, factor) = match value.strip_suffix("ms") {
        Some(number) => (number, 1),
        None => (value, 1_000),
    };
    let maximum = u64::from(MAXIMUM_MS).checked_div(factor).unwrap_or(0);
    let window = number_in(number, 1, maximum).and_then(|number| u32::try_from(number.wrapping_mul(factor)).ok());
    let valid = "a number of seconds of 1 to 3600, or of milliseconds as 500ms,";
    window.ok_or(ArgumentError::BadValue { command: COMMAND, option: "-w", valid, value })
}

impl Test {
    fn run(&self, session: &mut Session, window_ms: u32) -> Result<(), Refusal<'static>> {
        let (counts, _) = self.window(session, window_ms)?;
        // What was counted in a window that was cut short is no total.
        if !session.is_interrupted() {
            let _ = self.write(&mut session.console, window_ms, &counts);
        }
        Ok(())
    }

    /// What the threads, and the monitors, counted in a window.
    fn window(&self, session: &mut Session, window_ms: u32) -> Result<(Counts, Spent), Refusal<'static>> {
        (self.prepare)();
        session.console.flush();
        // The reporter is more urgent than the threads, as in the original.
        let counts = urgently(|| {
            let counts = self.count(session, window_ms);
            actors::end();
            slots::end();
            counts
        });
        bodies::let_all_go();
        actors::await_all(session, bodies::let_all_go);
        slots::await_all(session);
        counts
    }

    /// Lets the threads count until the window has ended.
    fn count(&self, session: &mut Session, window_ms: u32) -> Result<(Counts, Spent), Refusal<'static>> {
        tick()?;
        let window_half_ticks = u64::from(window_ms).wrapping_mul(1_000).wrapping_mul(clock::half_ticks_per_us());
        let ends = clock::now().after(window_half_ticks);
        slots::start(0);
        actors::begin("bench thread-metric", self.parts)?;
        let begun = Monitors::now();
        let _ = session.wait_until(ends, || false);
        Ok((Counts::now(), Monitors::now().since(&begun)))
    }

    /// As the original prints it; what it counted besides in a comment.
    fn write(&self, out: &mut dyn Write, window_ms: u32, counts: &Counts) -> fmt::Result {
        let (seconds, ms) = (window_ms / 1_000, window_ms % 1_000);
        write!(out, "**** Thread-Metric {} Test **** Relative Time: {seconds}", self.name)?;
        if ms > 0 {
            write!(out, ".{ms:03}")?;
        }
        out.write_str("\n")?;
        if !(self.is_sound)(counts) {
            out.write_str("ERROR: Invalid counter value(s).")?;
            counts.threads.iter().try_for_each(|count| write!(out, " {count}"))?;
            writeln!(out, ", handler {}", counts.handler)?;
        }
        writeln!(out, "Time Period Total:  {}\n", (self.total)(counts))
    }
}

/// Gives slot 0 its run: a release every 10 ms, until the window has ended.
fn tick() -> Result<(), Refusal<'static>> {
    let refusal = Refusal::MissingTask { command: "bench thread-metric", line: "slot 0" };
    let priority = Priority::new(TICK_PRIORITY).ok_or(refusal)?;
    // Emptying the record takes longer than the lead of the first release.
    let is_ready = slots::clear(0, LINEAR_BINS as u64)
        && slots::assign(0, Run::every(first_release(), TICK_US, priority), Watch::OFF);
    is_ready.then_some(()).ok_or(refusal)
}
