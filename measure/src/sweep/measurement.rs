// SPDX-License-Identifier: MIT OR Apache-2.0
//! One measurement of a sweep.

use core::fmt::{self, Write};

use takt::board::{self, TimeBase};
use takt::clock;
use takt::kernel::histogram::half_ticks_to_ns;
use takt::kernel::priority::Priority;
use takt::kernel::report::{Column, Resolution, Stage, write_json_line, write_summary_line};
use takt::rpi4::context::IdleStyle;

use super::options::{Combination, IdleWord, MethodWord, Policy, SweepOptions};
use super::{DEADLINES, TURNS, timers};
use crate::boot_line::TimeBaseWord;
use crate::commands::Session;
use crate::latency::first_release;
use crate::refusal::Refusal;
use crate::slots::{self, LINEAR_BINS, Method, Run};
use crate::watch::Watch;

/// The priority of first come, first served: that of `latency` unless told otherwise.
const FIFO: u8 = 20;
/// Less urgent than all that measures, more than the console task.
const BACKGROUND: u8 = 240;

/// What a row of the table says.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) combination: Combination,
    minimum_half_ticks: i64,
    mean_half_ticks: i64,
    maximum_half_ticks: i64,
    count: u64,
    skipped: u64,
}

/// Lets the timer and the way to idle be those of the combination.
pub(super) fn arrange(combination: &Combination) -> Result<(), Refusal<'static>> {
    let base = match combination.timer {
        TimeBaseWord::System => TimeBase::SystemTimer,
        TimeBaseWord::Generic => TimeBase::GenericTimer,
    };
    board::set_time_base(base).map_err(Refusal::NoSystemTimer)?;
    board::set_idle(match combination.idle {
        IdleWord::Wfi => IdleStyle::WaitForInterrupt,
        IdleWord::Spin => IdleStyle::Spin,
    });
    Ok(())
}

/// Measures, and prints the report; the record of slot 0 has the result.
pub(super) fn measure(
    session: &mut Session,
    options: &SweepOptions,
    combination: &Combination,
) -> Result<Row, Refusal<'static>> {
    let refusal = Refusal::NoRecord { slot: 0 };
    if !slots::clear(0, LINEAR_BINS as u64) {
        return Err(refusal);
    }
    session.console.flush();
    let priority = Priority::new(priority_of(combination.policy)).ok_or(refusal)?;
    let missed = timers::missed();
    match combination.method {
        MethodWord::Callback => call(session, options, priority)?,
        method => wait(session, options, method, priority)?,
    }
    let missed = timers::missed().wrapping_sub(missed);
    let record = slots::record(0).ok_or(refusal)?;
    let view = record.task.histogram.view();
    let mean = view.all().sum_half_ticks.checked_div_euclid(i128::from(view.count()));
    let row = Row {
        combination: *combination,
        minimum_half_ticks: view.minimum_half_ticks().unwrap_or(0),
        mean_half_ticks: mean.and_then(|mean| i64::try_from(mean).ok()).unwrap_or(0),
        maximum_half_ticks: view.maximum_half_ticks().unwrap_or(0),
        count: view.count(),
        skipped: view.skipped().count.wrapping_add(missed),
    };
    let column = Column {
        thread: 0,
        core: 0,
        id: 0,
        priority: 100_u8.saturating_sub(priority.number()),
        interval_us: options.interval_us,
        cycles: record.cycles,
        latest_half_ticks: record.task.latest_half_ticks,
        histogram: view,
        overruns: record.overruns,
        task: if combination.method == MethodWord::Callback { timers::TASK } else { "slot_0" },
        stage: Stage::Task,
    };
    let console = &mut session.console;
    let rate = clock::rate();
    let _ = write_head(console, combination);
    let _ = write_summary_line(console, &column.summary(), Resolution::Nanoseconds, rate);
    let _ = write_json_line(console, &column, rate);
    Ok(row)
}

fn priority_of(policy: Policy) -> u8 {
    match policy {
        Policy::Fifo => FIFO,
        Policy::RoundRobin => TURNS,
        Policy::EarliestDeadlineFirst => DEADLINES,
        Policy::Background => BACKGROUND,
    }
}

/// The slot waits by itself.
fn wait(
    session: &mut Session,
    options: &SweepOptions,
    method: MethodWord,
    priority: Priority,
) -> Result<(), Refusal<'static>> {
    let run = Run {
        cycles: u64::from(options.cycles),
        method: if method == MethodWord::Relative { Method::RELATIVE } else { Method::ABSOLUTE },
        ..Run::every(first_release(), options.interval_us, priority)
    };
    slots::assign(0, run, Watch::OFF).then_some(()).ok_or(Refusal::NoRecord { slot: 0 })?;
    slots::start(0);
    slots::await_all(session);
    Ok(())
}

/// A timer calls.
fn call(session: &mut Session, options: &SweepOptions, priority: Priority) -> Result<(), Refusal<'static>> {
    timers::start(options, priority)?;
    if !session.wait(timers::are_done) {
        timers::end();
    }
    Ok(())
}

fn write_head(out: &mut dyn Write, combination: &Combination) -> fmt::Result {
    let Combination { timer, idle, policy, method } = combination;
    let (policy, method, idle) = (policy.name(), method.name(), idle.name());
    writeln!(out, "# Sweep: policy {policy}, {} timer, method {method}, idle {idle}", timer_name(*timer))
}

fn timer_name(timer: TimeBaseWord) -> &'static str {
    match timer {
        TimeBaseWord::System => "system",
        TimeBaseWord::Generic => "generic",
    }
}

/// The table: in nanoseconds.
pub(super) fn write_table(out: &mut dyn Write, rows: &[Row]) -> fmt::Result {
    let rate = clock::rate();
    let ns = |half_ticks| half_ticks_to_ns(rate, half_ticks);
    out.write_str("# Sweep: policy     timer   method   idle |  min ns  avg ns  max ns |     cycles skipped\n")?;
    for row in rows {
        let Combination { timer, idle, policy, method } = row.combination;
        let (timer, policy, method, idle) = (timer_name(timer), policy.name(), method.name(), idle.name());
        write!(out, "# Sweep: {policy:10} {timer:7} {method:8} {idle:4} |")?;
        let [minimum, mean, maximum] = [row.minimum_half_ticks, row.mean_half_ticks, row.maximum_half_ticks].map(ns);
        writeln!(out, " {minimum:7} {mean:7} {maximum:7} | {:10} {:7}", row.count, row.skipped)?;
    }
    Ok(())
}
