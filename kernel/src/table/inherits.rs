// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which mutexes with inheritance a task says it locks, and the check of what goes with them.

use core::time::Duration;

use super::few::Few;
use super::holds::{Hold, no_such_time};
use super::{Entry, TaskEntry, equal, task_sentence};
use crate::priority::Priority;
use crate::sentence::Sentence;

/// The most mutexes with inheritance that a task's line can name.
pub const MOST_INHERITS: usize = 6;

/// A mutex with inheritance that a task locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inherit {
    /// The mutex's name.
    pub mutex: &'static str,
    /// The longest time for which the task holds it; [`u32::MAX`] where it says more than can be.
    pub longest_ns: u32,
}

impl Inherit {
    /// The mutex of this name, held for `longest` at the most.
    #[must_use]
    pub const fn new(mutex: &'static str, longest: Duration) -> Self {
        Self { mutex, longest_ns: Hold::new(0, longest).longest_ns }
    }
}

/// The mutexes with inheritance of a task.
pub type Inherits = Few<Inherit, MOST_INHERITS>;

impl Inherits {
    /// None.
    pub const NONE: Self = Self::none(Inherit { mutex: "", longest_ns: 0 });

    /// Whether the mutex of this name is one of them.
    #[must_use]
    pub const fn contain(&self, mutex: &str) -> bool {
        contain(self.as_slice(), mutex)
    }

    const fn share_one(&self, other: &Self) -> bool {
        let mut rest = self.as_slice();
        while let [first, others @ ..] = rest {
            if other.contain(first.mutex) {
                return true;
            }
            rest = others;
        }
        false
    }
}

pub(super) const fn contain(mut inherits: &[Inherit], mutex: &str) -> bool {
    while let [first, others @ ..] = inherits {
        if equal(first.mutex.as_bytes(), mutex.as_bytes()) {
            return true;
        }
        inherits = others;
    }
    false
}

/// Checks what the task says of its mutexes with inheritance.
pub(super) const fn check_inherits(task: &TaskEntry) -> Result<(), Sentence> {
    if task.inherits.are_too_many() {
        return Err(task_sentence(task)
            .text("locks more than ")
            .number(MOST_INHERITS as u128)
            .text(" mutexes with inheritance; join some, or split the task"));
    }
    let mut rest = task.inherits.as_slice();
    while let [inherit, others @ ..] = rest {
        let sentence = task_sentence(task).text("locks mutex '").text(inherit.mutex).text("'");
        if inherit.mutex.is_empty() {
            return Err(sentence.text("; give it the name that the mutex has"));
        }
        if contain(others, inherit.mutex) {
            return Err(sentence.text(" twice; name it once, with the longest time for which the task holds it"));
        }
        if let Some(sentence) = no_such_time(sentence, inherit.longest_ns) {
            return Err(sentence);
        }
        rest = others;
    }
    Ok(())
}

/// Whether a task locks a mutex with inheritance.
pub(super) const fn any_inherits(mut entries: &[Entry]) -> bool {
    while let [first, others @ ..] = entries {
        if let Entry::Task(task) = first
            && !task.inherits.as_slice().is_empty()
        {
            return true;
        }
        entries = others;
    }
    false
}

/// Checks that no task can become more urgent, by what it inherits, than a ceiling of its own: then another could hold that
/// mutex while the task runs.
pub(super) const fn check_raised(entries: &[Entry]) -> Result<(), Sentence> {
    let mut rest = entries;
    while let [first, others @ ..] = rest {
        if let Entry::Task(task) = first
            && !task.inherits.as_slice().is_empty()
            && let Some(most) = most_urgent_above(entries, task)
            && let Some(ceiling) = lesser_ceiling(task, most.priority)
        {
            return Err(task_sentence(task)
                .text("locks a mutex of ceiling ")
                .number(ceiling as u128)
                .text(" and inherits the priority ")
                .number(most.priority as u128)
                .text(" of task '")
                .text(most.name)
                .text("', which is more urgent; give the mutex that ceiling, or both mutexes inheritance"));
        }
        rest = others;
    }
    Ok(())
}

/// A ceiling of the task's that is less urgent than `priority`.
const fn lesser_ceiling(task: &TaskEntry, priority: u8) -> Option<u8> {
    let Some(priority) = Priority::new(priority) else { return None };
    let mut holds = task.holds.as_slice();
    while let [hold, others @ ..] = holds {
        if let Some(ceiling) = Priority::new(hold.ceiling)
            && priority.is_more_urgent_than(ceiling)
        {
            return Some(hold.ceiling);
        }
        holds = others;
    }
    None
}

/// The most urgent task whose priority `own` may inherit: one that shares a mutex with it, or with one that does, and so on.
/// `None` where the task has no ceiling that this could be compared with.
const fn most_urgent_above<'a>(entries: &'a [Entry], own: &'a TaskEntry) -> Option<&'a TaskEntry> {
    if own.holds.as_slice().is_empty() {
        return None;
    }
    let mut linked = Linked { tasks: 0, most_urgent: own };
    // Each round but the last links one more task.
    while linked.link_more(entries, own) {}
    Some(linked.most_urgent)
}

/// The tasks that are linked with one, by their places among the tasks, and the most urgent of them.
struct Linked<'a> {
    tasks: u64,
    most_urgent: &'a TaskEntry,
}

impl<'a> Linked<'a> {
    const fn has(&self, place: u32) -> bool {
        self.tasks & 1_u64.wrapping_shl(place) != 0
    }

    const fn link_more(&mut self, entries: &'a [Entry], own: &TaskEntry) -> bool {
        let before = self.tasks;
        let (mut rest, mut place) = (entries, 0_u32);
        while let [first, others @ ..] = rest {
            if let Entry::Task(task) = first {
                if !self.has(place) && (task.inherits.share_one(&own.inherits) || self.shares_one(entries, task)) {
                    self.tasks |= 1_u64.wrapping_shl(place);
                    if task.priority < self.most_urgent.priority {
                        self.most_urgent = task;
                    }
                }
                place = place.saturating_add(1);
            }
            rest = others;
        }
        self.tasks != before
    }

    /// Whether `task` shares a mutex with one that is linked.
    const fn shares_one(&self, entries: &[Entry], task: &TaskEntry) -> bool {
        let (mut rest, mut place) = (entries, 0_u32);
        while let [first, others @ ..] = rest {
            if let Entry::Task(other) = first {
                if self.has(place) && task.inherits.share_one(&other.inherits) {
                    return true;
                }
                place = place.saturating_add(1);
            }
            rest = others;
        }
        false
    }
}
