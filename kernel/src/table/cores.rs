// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table as each core sees it, and what concerns more than one core.

use super::holds::check_places;
use super::inherits::{check_raised, contain};
use super::{Entry, InterruptEntry, MOST_TASKS, TaskEntry};
use crate::sentence::Sentence;

/// How many cores the BCM2711 has.
pub const CORES: usize = 4;

/// The most ports in a table.
pub const MOST_PORTS: usize = 63;

/// What the check looks at in the declaration of what other cores act upon.
#[derive(Clone, Copy, Debug)]
pub struct PortEntry {
    /// The name in faults.
    pub name: &'static str,
    /// The core to which it belongs.
    pub core: u8,
}

/// What becomes of the other cores when one faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnCoreFault {
    /// They stop.
    #[default]
    Halt,
    /// They go on.
    Isolate,
}

/// What the check looks at in the line that says what becomes of the other cores when one faults.
#[derive(Clone, Copy, Debug)]
pub struct CoreFaultEntry {
    /// The name of the line.
    pub name: &'static str,
    /// What becomes of them.
    pub policy: OnCoreFault,
}

/// The same lines at the same places, where those of tasks and interrupts of other cores than `core` are [`Entry::Elsewhere`].
#[must_use]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "runs in the compiler")]
pub const fn of_core<const LINES: usize>(entries: &[Entry], core: u8) -> [Entry; LINES] {
    let mut own = [const { Entry::Elsewhere }; LINES];
    let mut index = 0;
    while index < LINES && index < entries.len() {
        let is_own = match &entries[index] {
            Entry::Task(task) => task.core == core,
            Entry::Interrupt(interrupt) => interrupt.core == core,
            Entry::Level(_) | Entry::Port(_) | Entry::CoreFault(_) | Entry::Elsewhere => true,
        };
        if is_own {
            own[index] = entries[index];
        }
        index += 1;
    }
    own
}

/// Checks what has to be so on each core: `own` are the entries [of core](of_core) `core`.
///
/// # Errors
/// A sentence that names the core, what is wrong, and what is right.
pub const fn check_core(own: &[Entry], core: u8) -> Result<(), Sentence> {
    let tasks = count_tasks(own);
    if tasks > MOST_TASKS {
        return Err(Sentence::new("takt: the table has ")
            .number(tasks as u128)
            .text(" tasks on core ")
            .number(core as u128)
            .text("; a core takes at most ")
            .number(MOST_TASKS as u128));
    }
    if let Err(sentence) = check_places(own, tasks) {
        return Err(sentence);
    }
    check_raised(own)
}

pub(super) const fn count_tasks(mut entries: &[Entry]) -> usize {
    let mut tasks = 0_usize;
    while let [first, others @ ..] = entries {
        if matches!(first, Entry::Task(_)) {
            tasks = tasks.saturating_add(1);
        }
        entries = others;
    }
    tasks
}

/// Whether a task runs on core `core`.
const fn is_used(mut entries: &[Entry], core: u8) -> bool {
    while let [first, others @ ..] = entries {
        if let Entry::Task(TaskEntry { core: own, .. }) = first
            && *own == core
        {
            return true;
        }
        entries = others;
    }
    false
}

/// Checks that the core that takes an interrupt runs.
pub(super) const fn check_taken(interrupt: &InterruptEntry, entries: &[Entry]) -> Result<(), Sentence> {
    if interrupt.core == 0 || is_used(entries, interrupt.core) {
        return Ok(());
    }
    Err(Sentence::new("takt: interrupt '")
        .text(interrupt.name)
        .text("' is to be taken on core ")
        .number(interrupt.core as u128)
        .text(", on which the table has no task, so that it sleeps; give it a core with tasks"))
}

/// Checks a port.
pub(super) const fn check_port(port: &PortEntry, entries: &[Entry]) -> Result<(), Sentence> {
    if is_used(entries, port.core) {
        // Else nobody looks at an inbox.
        let others_run = is_used(entries, 1) || is_used(entries, 2) || is_used(entries, 3);
        if !others_run {
            return Err(Sentence::new("takt: port '").text(port.name).text(
                "' is the way for other cores, and every task of the table is on core 0; use the object itself, a MessageQueue in \
                 place of Lanes, or place a task on another core with .core(n)",
            ));
        }
        return Ok(());
    }
    Err(Sentence::new("takt: port '")
        .text(port.name)
        .text("' belongs to core ")
        .number(port.core as u128)
        .text(", on which the table has no task; give it the core of the tasks that use it"))
}

/// Checks that there are not more ports than an inbox has bits, and one line at the most that says what becomes of the others.
pub(super) const fn check_few(entries: &[Entry]) -> Result<(), Sentence> {
    let (mut ports, mut first_fault, mut rest) = (0_usize, None, entries);
    while let [first, others @ ..] = rest {
        match first {
            Entry::Port(_) => ports = ports.saturating_add(1),
            Entry::CoreFault(line) => {
                if let Some(former) = first_fault {
                    return Err(Sentence::new("takt: both '")
                        .text(former)
                        .text("' and '")
                        .text(line.name)
                        .text("' say what becomes of the other cores when one faults; keep one of the lines"));
                }
                first_fault = Some(line.name);
            }
            Entry::Task(_) | Entry::Interrupt(_) | Entry::Level(_) | Entry::Elsewhere => {}
        }
        rest = others;
    }
    if ports > MOST_PORTS {
        return Err(Sentence::new("takt: the table has ")
            .number(ports as u128)
            .text(" ports; at most ")
            .number(MOST_PORTS as u128)
            .text(" have a bit in a core's inbox: let tasks share some"));
    }
    Ok(())
}

/// Checks that no mutex with inheritance is locked on two cores.
pub(super) const fn check_no_mutex_crosses(task: &TaskEntry, mut others: &[Entry]) -> Result<(), Sentence> {
    while let [first, rest @ ..] = others {
        if let Entry::Task(other) = first
            && other.core != task.core
        {
            let mut named = task.inherits.as_slice();
            while let [inherit, more @ ..] = named {
                if contain(other.inherits.as_slice(), inherit.mutex) {
                    return Err(Sentence::new("takt: mutex '")
                        .text(inherit.mutex)
                        .text("' is locked by task '")
                        .text(task.name)
                        .text("' on core ")
                        .number(task.core as u128)
                        .text(" and by task '")
                        .text(other.name)
                        .text("' on core ")
                        .number(other.core as u128)
                        .text(
                            "; a mutex does not cross cores: let a task on one of them do the work, and send it messages",
                        ));
                }
                named = more;
            }
        }
        others = rest;
    }
    Ok(())
}
