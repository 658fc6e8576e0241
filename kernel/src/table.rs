// SPDX-License-Identifier: MIT OR Apache-2.0
//! The task table: what an application declares, and the check that stops the build with a sentence.

#![expect(clippy::result_large_err, reason = "the error is a sentence that only the compiler ever holds")]

mod budgets;
mod cores;
mod few;
mod holds;
mod inherits;
mod levels;

pub use budgets::{check_budget, check_level_to_spare};
pub use cores::{CORES, CoreFaultEntry, MOST_PORTS, OnCoreFault, PortEntry, check_core, of_core};
pub use few::Few;
pub use holds::{Hold, Holds, LONGEST_HOLD, MOST_HOLDS};
pub use inherits::{Inherit, Inherits, MOST_INHERITS};
pub use levels::{LONGEST_SLICE_NS, LevelEntry, SHORTEST_SLICE_NS, needs_execution_times};

use core::time::Duration;

use cores::{check_few, check_no_mutex_crosses, check_port, check_taken, count_tasks};
use holds::{ceilings, check_holds};
use inherits::{any_inherits, check_inherits};
use levels::check_level;

use crate::priority::{Priority, PrioritySet};
use crate::release::OverrunPolicy;
use crate::sentence::Sentence;
use crate::{CAPACITY, PerTask};

/// The most tasks in a table; the idle task takes the last place.
pub const MOST_TASKS: usize = CAPACITY - 1;

/// The most tasks and different ceilings of mutexes together; one less where a task locks a mutex with inheritance.
pub const MOST_PLACES: usize = MOST_TASKS;

/// The smallest stack of a task, in bytes: a job that formats a line of text fits.
pub const SMALLEST_STACK_BYTES: usize = 2_048;

/// The longest period, offset or deadline: an hour.
pub const LONGEST: Duration = Duration::from_secs(3_600);

/// How a task comes to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Released every `period`, first at `offset` after time zero.
    Periodic {
        /// From release to release: whole microseconds, 1 us to an hour.
        period: Duration,
        /// From time zero to the first release: whole microseconds, up to an hour.
        offset: Duration,
        /// From release to the latest end of the job; the period unless given.
        deadline: Option<Duration>,
        /// What becomes of releases that passed.
        overrun: OverrunPolicy,
    },
    /// Released by others, but no sooner than `min_interval` after the release before.
    Sporadic {
        /// From a release to the next: whole microseconds, 1 us to an hour.
        min_interval: Duration,
        /// From release to the latest end of the job; the minimum interval unless given.
        deadline: Option<Duration>,
    },
    /// Periodic, with a period that is set while the system runs, before its first release.
    Slot,
    /// Runs whenever no more urgent task is ready.
    Background,
}

/// What the check looks at in a task's declaration.
#[derive(Clone, Copy, Debug)]
pub struct TaskEntry {
    /// The name in reports and faults.
    pub name: &'static str,
    /// How it comes to run.
    pub kind: Kind,
    /// 1 (most urgent) to 254; 0 means that none was given.
    pub priority: u8,
    /// The core it runs on.
    pub core: u8,
    /// The size of its stack, without the guard page.
    pub stack_bytes: usize,
    /// The mutexes with a ceiling that it locks.
    pub holds: Holds,
    /// The longest that a job runs by itself; zero where nobody said.
    pub wcet: Duration,
    /// The mutexes with inheritance that it locks.
    pub inherits: Inherits,
    /// How often a job sends to other cores at the most.
    pub remote_sends: u16,
}

/// Which interrupts a handler may interrupt and what it may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// More urgent than the kernel: preempts kernel handlers and everything else that is unmasked, and may not call
    /// the kernel.
    Direct,
    /// May wake tasks. Kernel handlers do not nest.
    Kernel,
}

/// What the check looks at in an interrupt's declaration.
#[derive(Clone, Copy, Debug)]
pub struct InterruptEntry {
    /// The name in reports and faults.
    pub name: &'static str,
    /// The interrupt's number, 0 to 1019.
    pub intid: u16,
    /// What it may do.
    pub band: Band,
    /// What its line is asked: a level, or a rising edge.
    pub trigger: Trigger,
    /// The longest that its handler runs; zero where nobody said.
    pub wcet: Duration,
    /// The least time between two; zero where nobody said.
    pub minimum_interarrival: Duration,
    /// The core that takes it.
    pub core: u8,
}

impl InterruptEntry {
    /// An interrupt without a name, level-triggered, of which no time is known.
    #[must_use]
    pub const fn new(intid: u16, band: Band) -> Self {
        let unknown = Duration::ZERO;
        Self { name: "", intid, band, trigger: Trigger::Level, wcet: unknown, minimum_interarrival: unknown, core: 0 }
    }
}

/// When a line requests its interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// As long as it is high.
    Level,
    /// Once for each rising edge.
    Edge,
}

/// A line of the table.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "a table is a constant, and most of its lines are tasks")]
pub enum Entry {
    /// A task.
    Task(TaskEntry),
    /// An interrupt.
    Interrupt(InterruptEntry),
    /// The policy of a priority.
    Level(LevelEntry),
    /// What other cores act upon.
    Port(PortEntry),
    /// What becomes of the other cores when one faults.
    CoreFault(CoreFaultEntry),
    /// A line that does not concern the core for which the table is looked at.
    Elsewhere,
}

impl Entry {
    /// Stands in an array that is about to be filled.
    pub const NONE: Self = Self::Interrupt(InterruptEntry::new(0, Band::Kernel));
}

/// INTIDs that belong to the executive itself.
#[derive(Clone, Copy, Debug)]
pub struct Reserved {
    /// The system timer's channel 1.
    pub system_timer: u16,
    /// The generic timer.
    pub generic_timer: u16,
    /// The serial interfaces: the PL011s, and the mini UART.
    pub serial: [u16; 2],
    /// The software generated interrupts: that says that a direct handler has posted something, by which a core hears of what
    /// others sent, and that stops it.
    pub software: [u16; 3],
    /// The least number that the interrupt controller does not have.
    pub intid_limit: u16,
}

/// Checks a table, but for what [`check_core`] does for each core.
///
/// # Errors
/// A sentence that names the first entry that is wrong, what is wrong with it, and what is right.
pub const fn check(entries: &[Entry], reserved: Reserved) -> Result<(), Sentence> {
    let mut rest = entries;
    while let [first, others @ ..] = rest {
        if let Some(other) = same_name(name(first), others) {
            return Err(Sentence::new("takt: the name '")
                .text(other)
                .text("' stands twice in the table; every name must differ"));
        }
        let checked = match first {
            Entry::Task(task) => match check_task(task) {
                Ok(()) => check_no_mutex_crosses(task, others),
                wrong => wrong,
            },
            Entry::Interrupt(interrupt) => match check_interrupt(interrupt, others, reserved) {
                Ok(()) => check_taken(interrupt, entries),
                wrong => wrong,
            },
            Entry::Level(level) => check_level(level, entries, others),
            Entry::Port(port) => check_port(port, entries),
            Entry::CoreFault(_) | Entry::Elsewhere => Ok(()),
        };
        if let Err(sentence) = checked {
            return Err(sentence);
        }
        rest = others;
    }
    if count_tasks(entries) == 0 {
        return Err(Sentence::new("takt: the table has no task; declare at least one"));
    }
    check_few(entries)
}

const fn name(entry: &Entry) -> &'static str {
    match entry {
        Entry::Task(task) => task.name,
        Entry::Interrupt(interrupt) => interrupt.name,
        Entry::Level(level) => level.name,
        Entry::Port(port) => port.name,
        Entry::CoreFault(line) => line.name,
        Entry::Elsewhere => "",
    }
}

const fn same_name(wanted: &'static str, mut entries: &[Entry]) -> Option<&'static str> {
    while let [first, others @ ..] = entries {
        if equal(wanted.as_bytes(), name(first).as_bytes()) {
            return Some(wanted);
        }
        entries = others;
    }
    None
}

/// Whether two names are the same.
pub(crate) const fn equal(mut left: &[u8], mut right: &[u8]) -> bool {
    while let ([a, left_rest @ ..], [b, right_rest @ ..]) = (left, right) {
        if *a != *b {
            return false;
        }
        (left, right) = (left_rest, right_rest);
    }
    left.is_empty() && right.is_empty()
}

const fn task_sentence(task: &TaskEntry) -> Sentence {
    Sentence::new("takt: task '").text(task.name).text("' ")
}

const fn check_task(task: &TaskEntry) -> Result<(), Sentence> {
    if Priority::new(task.priority).is_none() {
        let sentence = match task.priority {
            0 => task_sentence(task).text("has priority 0 or none"),
            _ => task_sentence(task).text("has priority 255, which is the idle task's"),
        };
        return Err(sentence.text("; give it one of 1 (most urgent) to 254 with .priority(n)"));
    }
    if task.core > 3 {
        return Err(task_sentence(task)
            .text("is placed on core ")
            .number(task.core as u128)
            .text("; the BCM2711 has the cores 0 to 3"));
    }
    if task.stack_bytes < SMALLEST_STACK_BYTES {
        return Err(task_sentence(task)
            .text("has a stack of ")
            .number(task.stack_bytes as u128)
            .text(" bytes; give it at least ")
            .number(SMALLEST_STACK_BYTES as u128)
            .text(" with .stack_bytes(n)"));
    }
    if !task.stack_bytes.is_multiple_of(16) {
        return Err(task_sentence(task)
            .text("has a stack of ")
            .number(task.stack_bytes as u128)
            .text(" bytes; the size must be a multiple of 16, as the procedure call standard asks"));
    }
    if let Err(sentence) = check_holds(task) {
        return Err(sentence);
    }
    if task.wcet.as_micros() > LONGEST.as_micros() {
        return Err(task_sentence(task)
            .text("has a worst-case execution time of ")
            .number(task.wcet.as_micros())
            .text(" us; the longest is 3600000000 us, an hour"));
    }

    if let Err(sentence) = check_inherits(task) {
        return Err(sentence);
    }
    match task.kind {
        Kind::Periodic { period, offset, deadline, .. } => check_times(task, period, offset, deadline),
        Kind::Sporadic { min_interval, deadline } => check_sporadic(task, min_interval, deadline),
        Kind::Slot | Kind::Background => Ok(()),
    }
}

const fn check_times(
    task: &TaskEntry,
    period: Duration,
    offset: Duration,
    deadline: Option<Duration>,
) -> Result<(), Sentence> {
    if period.is_zero() {
        return Err(task_sentence(task).text("has period 0; give it one of 1 us to 1 hour with .period(d)"));
    }
    if let Err(sentence) = check_time(task, "period", period) {
        return Err(sentence);
    }
    if let Err(sentence) = check_time(task, "offset", offset) {
        return Err(sentence);
    }
    check_deadline(task, deadline, "period")
}

const fn check_sporadic(task: &TaskEntry, min_interval: Duration, deadline: Option<Duration>) -> Result<(), Sentence> {
    if min_interval.is_zero() {
        return Err(task_sentence(task).text(
            "is sporadic and has minimum interval 0; give it one of 1 us to 1 hour with .min_interval(d), so that what \
             releases it cannot take the whole core",
        ));
    }
    if let Err(sentence) = check_time(task, "minimum interval", min_interval) {
        return Err(sentence);
    }
    check_deadline(task, deadline, "minimum interval")
}

const fn check_deadline(task: &TaskEntry, deadline: Option<Duration>, usual: &'static str) -> Result<(), Sentence> {
    match deadline {
        Some(deadline) if deadline.is_zero() => Err(task_sentence(task)
            .text("has deadline 0; leave .deadline(d) out for a deadline equal to the ")
            .text(usual)),
        Some(deadline) => check_time(task, "deadline", deadline),
        None => Ok(()),
    }
}

const fn check_time(task: &TaskEntry, what: &str, time: Duration) -> Result<(), Sentence> {
    if !time.as_nanos().is_multiple_of(1_000) {
        return Err(task_sentence(task)
            .text("has ")
            .text(what)
            .text(" ")
            .number(time.as_nanos())
            .text(" ns; the system timer counts whole microseconds, so give a multiple of 1000 ns"));
    }
    if time.as_micros() > LONGEST.as_micros() {
        return Err(task_sentence(task)
            .text("has ")
            .text(what)
            .text(" ")
            .number(time.as_micros())
            .text(" us; the longest is 3600000000 us, an hour"));
    }
    Ok(())
}

const fn check_interrupt(interrupt: &InterruptEntry, others: &[Entry], reserved: Reserved) -> Result<(), Sentence> {
    let sentence =
        Sentence::new("takt: interrupt '").text(interrupt.name).text("' has INTID ").number(interrupt.intid as u128);
    if interrupt.intid >= reserved.intid_limit {
        return Err(sentence
            .text("; the GIC-400 of this board has the INTIDs 0 to ")
            .number(reserved.intid_limit.saturating_sub(1) as u128));
    }
    if interrupt.intid == reserved.system_timer || interrupt.intid == reserved.generic_timer {
        return Err(sentence.text(", which is the executive's own time base; use another"));
    }
    if interrupt.wcet.as_micros() > LONGEST.as_micros()
        || interrupt.minimum_interarrival.as_micros() > LONGEST.as_micros()
    {
        return Err(
            sentence.text(" and a time of more than an hour; give .wcet(d) and .min_interarrival(d) of up to an hour")
        );
    }
    if matches!(interrupt.trigger, Trigger::Edge) && interrupt.intid < 32 {
        return Err(sentence.text(
            ", which is software generated or a core's own, and triggers as the board has it; leave out .edge_triggered()",
        ));
    }
    let [pl011, mini_uart] = reserved.serial;
    if interrupt.intid == pl011 || interrupt.intid == mini_uart {
        return Err(sentence.text(", which has a handler already; read and write by takt::console and takt::serial"));
    }
    let [mailbox, inbox, halt] = reserved.software;
    if interrupt.intid == mailbox || interrupt.intid == inbox || interrupt.intid == halt {
        return Err(sentence.text(", by which the executive tells itself and other cores; use another of 0 to 12"));
    }
    if interrupt.core > 3 {
        return Err(sentence
            .text(" and is to be taken on core ")
            .number(interrupt.core as u128)
            .text("; the BCM2711 has the cores 0 to 3"));
    }
    if interrupt.core != 0 && interrupt.intid < 32 {
        return Err(sentence
            .text(", which is software generated or a core's own, and is taken on core 0 only; leave out .core(n)"));
    }
    let mut rest = others;
    while let [first, after @ ..] = rest {
        if let Entry::Interrupt(other) = first
            && other.intid == interrupt.intid
        {
            return Err(sentence.text(", and so has '").text(other.name).text("'; an interrupt has one handler"));
        }
        rest = after;
    }
    Ok(())
}

/// The order of urgency of a checked table.
#[derive(Clone, Debug)]
pub struct Order {
    /// How many tasks there are.
    pub tasks: usize,
    /// For each task by urgency, its place in the table.
    pub entry: PerTask<u16>,
    /// The priority of each task by urgency; [`Priority::IDLE`] in the places that no task has.
    pub priority: PerTask<Priority>,
    /// The ceilings of the mutexes that the tasks lock.
    pub ceilings: PrioritySet,
    /// Whether a task locks a mutex with inheritance.
    pub inherits: bool,
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "runs once, in the compiler for a table that was checked: names and interrupts differ, so it has at most \
              63 + 1,020 lines, and every index is below a length tested beside it"
)]
impl Order {
    /// No task.
    pub const NONE: Self = Self {
        tasks: 0,
        entry: PerTask::all(0),
        priority: PerTask::all(Priority::IDLE),
        ceilings: PrioritySet::EMPTY,
        inherits: false,
    };

    /// Sorts the tasks of `entries` by urgency; equals keep the order of the table. Interrupts and levels are left
    /// out, and so is what [`check`] refuses.
    #[must_use]
    pub const fn of(entries: &[Entry]) -> Self {
        let mut entry = [0_u16; CAPACITY];
        let mut priority = [Priority::IDLE; CAPACITY];
        let mut tasks = 0;
        let mut index = 0;
        while index < entries.len() {
            if let Entry::Task(task) = &entries[index]
                && let Some(own) = Priority::new(task.priority)
                && tasks < MOST_TASKS
            {
                let mut place = tasks;
                while place > 0 && own.is_more_urgent_than(priority[place - 1]) {
                    priority[place] = priority[place - 1];
                    entry[place] = entry[place - 1];
                    place -= 1;
                }
                priority[place] = own;
                entry[place] = index as u16;
                tasks += 1;
            }
            index += 1;
        }
        let (ceilings, inherits) = (ceilings(entries), any_inherits(entries));
        Self { tasks, entry: PerTask::new(entry), priority: PerTask::new(priority), ceilings, inherits }
    }
}

#[cfg(test)]
mod tests;
