// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which mutexes with a ceiling a task says it locks, and the check that their ceilings are urgent enough.

use core::time::Duration;

use super::few::Few;
use super::inherits::any_inherits;
use super::{Entry, MOST_PLACES, TaskEntry, task_sentence};
use crate::priority::{Priority, PrioritySet};
use crate::sentence::Sentence;

/// The most mutexes that a task's line can name.
pub const MOST_HOLDS: usize = 8;

/// The longest time for which a task may say that it holds a mutex: a second.
pub const LONGEST_HOLD: Duration = Duration::from_secs(1);

/// A mutex that a task locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// The mutex's ceiling; 0 for preemption itself.
    pub ceiling: u8,
    /// The longest time for which the task holds it; [`u32::MAX`] where it says more than can be.
    pub longest_ns: u32,
}

impl Hold {
    /// A mutex of this ceiling, held for `longest` at the most.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "compared before")]
    pub const fn new(ceiling: u8, longest: Duration) -> Self {
        let longest_ns = longest.as_nanos();
        Self { ceiling, longest_ns: if longest_ns > LONGEST_HOLD.as_nanos() { u32::MAX } else { longest_ns as u32 } }
    }

    /// Preemption, locked for `longest` at the most.
    #[must_use]
    pub const fn preemption(longest: Duration) -> Self {
        Self::new(Priority::ABOVE_ALL.number(), longest)
    }
}

/// The mutexes of a task.
pub type Holds = Few<Hold, MOST_HOLDS>;

impl Holds {
    /// None.
    pub const NONE: Self = Self::none(Hold { ceiling: 0, longest_ns: 0 });
}

/// Checks what the task says of its mutexes.
pub(super) const fn check_holds(task: &TaskEntry) -> Result<(), Sentence> {
    if task.holds.are_too_many() {
        return Err(task_sentence(task)
            .text("locks more than ")
            .number(MOST_HOLDS as u128)
            .text(" mutexes; join some, or split the task"));
    }
    let mut rest = task.holds.as_slice();
    while let [hold, others @ ..] = rest {
        let sentence = match hold.ceiling {
            0 => task_sentence(task).text("locks preemption"),
            ceiling => task_sentence(task).text("locks a mutex of ceiling ").number(ceiling as u128),
        };
        let Some(ceiling) = Priority::ceiling(hold.ceiling) else {
            return Err(sentence.text("; a ceiling is a priority, 1 (most urgent) to 254"));
        };
        if let Some(own) = Priority::new(task.priority)
            && own.is_more_urgent_than(ceiling)
        {
            return Err(sentence
                .text(", which is less urgent than its own priority ")
                .number(task.priority as u128)
                .text("; give the mutex the ceiling of its most urgent user"));
        }
        if let Some(sentence) = no_such_time(sentence, hold.longest_ns) {
            return Err(sentence);
        }
        rest = others;
    }
    Ok(())
}

/// What is wrong with the longest time for which the task of the sentence holds a mutex, if anything.
pub(super) const fn no_such_time(sentence: Sentence, longest_ns: u32) -> Option<Sentence> {
    let time = match longest_ns {
        0 => " for no time",
        u32::MAX => " for more than a second",
        _ => return None,
    };
    Some(sentence.text(time).text("; give the longest time for which it holds it, 1 ns to 1 s"))
}

/// The ceilings of all mutexes that `entries` name.
pub(super) const fn ceilings(entries: &[Entry]) -> PrioritySet {
    let mut set = PrioritySet::EMPTY;
    let mut rest = entries;
    while let [first, others @ ..] = rest {
        if let Entry::Task(task) = first {
            let mut holds = task.holds.as_slice();
            while let [hold, other_holds @ ..] = holds {
                if let Some(ceiling) = Priority::ceiling(hold.ceiling) {
                    set = set.with(ceiling);
                }
                holds = other_holds;
            }
        }
        rest = others;
    }
    set
}

/// Checks that tasks and ceilings find a place each in the order of urgency.
pub(super) const fn check_places(entries: &[Entry], tasks: usize) -> Result<(), Sentence> {
    let ceilings = ceilings(entries).len();
    if any_inherits(entries) && tasks.saturating_add(ceilings) == MOST_PLACES {
        return Err(Sentence::new("takt: the table has ")
            .number(tasks as u128)
            .text(" tasks and ")
            .number(ceilings as u128)
            .text(" different ceilings; with a mutex with inheritance a core takes at most ")
            .number(MOST_PLACES.saturating_sub(1) as u128)
            .text(" together"));
    }
    if tasks.saturating_add(ceilings) > MOST_PLACES {
        return Err(Sentence::new("takt: the table has ")
            .number(tasks as u128)
            .text(" tasks and ")
            .number(ceilings as u128)
            .text(" different ceilings; together a core takes at most ")
            .number(MOST_PLACES as u128));
    }
    Ok(())
}
