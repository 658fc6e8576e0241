// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which priorities have a policy other than first come, first served, and the check that this makes sense.

use super::{Entry, Kind};
use crate::priority::Priority;
use crate::schedulability::Policy;
use crate::sentence::Sentence;

/// What the check looks at in a level's declaration.
#[derive(Clone, Copy, Debug)]
pub struct LevelEntry {
    /// The name in sentences.
    pub name: &'static str,
    /// Whose tasks it is about.
    pub priority: u8,
    /// Who of them is first.
    pub policy: Policy,
}

/// Checks a level among all `entries`, of which `others` stand behind it.
pub(super) const fn check_level(level: &LevelEntry, entries: &[Entry], others: &[Entry]) -> Result<(), Sentence> {
    if Priority::new(level.priority).is_none() {
        return Err(sentence(level).text("; give it that of its tasks, 1 (most urgent) to 254"));
    }
    if let Some(other) = of_the_same_priority(level, others) {
        return Err(sentence(level).text(", and so has '").text(other).text("'; a priority has one policy"));
    }
    let mut has_task = false;
    let mut rest = entries;
    while let [first, after @ ..] = rest {
        if let Entry::Task(task) = first
            && task.priority == level.priority
        {
            has_task = true;
            if matches!(level.policy, Policy::EarliestDeadlineFirst) && matches!(task.kind, Kind::Background) {
                return Err(sentence(level)
                    .text(" and runs the earliest deadline first, but its task '")
                    .text(task.name)
                    .text(
                        "' is a background task, which has no deadline; give it another priority, or make it periodic",
                    ));
            }
        }
        rest = after;
    }
    if has_task {
        return Ok(());
    }
    Err(sentence(level).text(", which no task has; give it that of its tasks, or leave the line out"))
}

const fn sentence(level: &LevelEntry) -> Sentence {
    Sentence::new("takt: level '").text(level.name).text("' has priority ").number(level.priority as u128)
}

const fn of_the_same_priority(level: &LevelEntry, mut others: &[Entry]) -> Option<&'static str> {
    while let [first, after @ ..] = others {
        if let Entry::Level(other) = first
            && other.priority == level.priority
        {
            return Some(other.name);
        }
        others = after;
    }
    None
}
