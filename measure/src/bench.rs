// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `bench` command: suites of measurements, each by its name.

mod freq;
mod ipc;
mod irq;
mod jitter;
mod matrix;
mod overload;
mod paths;
mod rhealstone;
mod sched;
mod software;
mod thread_metric;

pub use irq::{PIN_INTID, pin_interrupt};
pub use rhealstone::MUTEX as RHEALSTONE_MUTEX;
pub use software::{SOFTWARE_INTID, software_interrupt};

use core::fmt::{self, Write};

use takt::kernel::histogram::View;
use takt::kernel::priority::Priority;
use takt::kernel::time::Instant;
use takt::rpi4::interrupts;
use takt::{TaskHandle, clock};

use crate::commands::{Entry, Run, Session};
use crate::refusal::Refusal;

/// The console task's priority while it reports: that of the table's actors, of which none has that during a run.
const REPORTER: u8 = 100;

/// One suite: a static beside the function that runs it, and a line in the table.
struct Suite {
    /// Its name, behind `bench`.
    name: &'static str,
    /// What it measures, and its options, in a few words.
    summary: &'static str,
    /// Runs it with what stands behind its name.
    run: Run,
}

/// In the order in which `bench list` shows them.
static SUITES: [&Suite; 11] = [
    &paths::SUITE,
    &irq::SUITE,
    &jitter::SUITE,
    &sched::SUITE,
    &overload::SUITE,
    &freq::SUITE,
    &ipc::SUITE,
    &matrix::SUITE,
    &rhealstone::SUITE,
    &thread_metric::SUITE,
    &thread_metric::PMU,
];

pub(crate) static COMMAND: Entry = Entry {
    name: "bench",
    usage: "[SUITE] [OPTION]...",
    summary: "measure takt's own paths, or by a suite; bench list",
    help: "Without a name: from the timer to the handler and to the task, interrupting the idle task and a busy one, and a yield,\n\
           10000 times each unless told by -l. Lines without # are for programs: name,min,max,mean_x1000,count.\n\
           bench list tells the suites.\n\
           bench -l 1000",
    words: &[
        "-l",
        "list",
        "paths",
        "irq",
        "jitter",
        "sched",
        "overload",
        "freq",
        "ipc",
        "matrix",
        "rhealstone",
        "thread-metric",
        "-w",
    ],
    run,
};

/// The names of the suites.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    SUITES.iter().map(|suite| suite.name)
}

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let (name, rest) = arguments.split_once(|one: char| one.is_ascii_whitespace()).unwrap_or((arguments, ""));
    if name == "list" {
        list(session);
        return Ok(());
    }
    if name.is_empty() || name.starts_with('-') {
        return (paths::SUITE.run)(session, arguments);
    }
    let suite = SUITES.iter().find(|suite| suite.name == name).ok_or(Refusal::UnknownSuite { word: name })?;
    (suite.run)(session, rest.trim_ascii())
}

/// Runs `act` with the calling task, the console's, more urgent than all actors: it reports while they keep the core busy.
fn urgently<R>(act: impl FnOnce() -> R) -> R {
    let this = TaskHandle::running();
    let before = this.zip(Priority::new(REPORTER)).and_then(|(this, urgent)| this.set_priority(urgent).ok());
    let result = act();
    if let Some((this, before)) = this.zip(before) {
        // It had that priority before.
        let _ = this.set_priority(before);
    }
    result
}

/// How often the clock is read before QEMU's other cores get a turn: some 30 instructions, see `helpers`.
const READS_PER_TURN: u32 = 4;

/// Keeps the core until `end`.
fn keep_core_until(end: Instant) {
    while (0..READS_PER_TURN).all(|_| clock::now().is_before(end)) {
        interrupts::yield_hint();
    }
}

/// `name,min,median,p99,max,count`, in counter ticks.
fn write_row(out: &mut dyn Write, name: &str, view: &View<'_>) -> fmt::Result {
    let ticks = |half_ticks: Option<i64>| half_ticks.unwrap_or(0) >> 1;
    let (least, most) = (ticks(view.minimum_half_ticks()), ticks(view.maximum_half_ticks()));
    let (median, p99) = (ticks(quantile(view, 1, 2)), ticks(quantile(view, 99, 100)));
    writeln!(out, "{name},{least},{median},{p99},{most},{}", view.count())
}

/// So many hundredths of the values are no larger, in half ticks.
fn quantile(view: &View<'_>, numerator: u32, denominator: u32) -> Option<i64> {
    view.quantile(numerator, denominator).map(|quantile| quantile.lowest_half_ticks)
}

fn list(session: &mut Session) {
    for Suite { name, summary, .. } in SUITES {
        let _ = writeln!(session.console, "# bench {name:<15} {summary}");
    }
}
