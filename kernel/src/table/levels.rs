// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which priorities have a policy other than first come, first served, and the check that this makes sense.

use super::{Entry, Kind};
use crate::executive::MOST_IN_TURN;
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

/// The shortest time for which a task may have its turn: a hundred microseconds.
pub const SHORTEST_SLICE_NS: u64 = 100_000;

/// The longest: a second.
pub const LONGEST_SLICE_NS: u64 = 1_000_000_000;

/// Checks a level among all `entries`, of which `others` stand behind it.
pub(super) const fn check_level(level: &LevelEntry, entries: &[Entry], others: &[Entry]) -> Result<(), Sentence> {
    if Priority::new(level.priority).is_none() {
        return Err(sentence(level).text("; give it that of its tasks, 1 (most urgent) to 254"));
    }
    if let Some(other) = of_the_same_priority(level, others) {
        return Err(sentence(level).text(", and so has '").text(other).text("'; a priority has one policy"));
    }
    if let Policy::RoundRobin { slice_ns } = level.policy
        && let Some(sentence) = check_slice(level, slice_ns, others)
    {
        return Err(sentence);
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

/// What is wrong with the slice of a level whose tasks run in turn, or with their number.
const fn check_slice(level: &LevelEntry, slice_ns: u64, mut others: &[Entry]) -> Option<Sentence> {
    let slice = match slice_ns {
        ..SHORTEST_SLICE_NS => Some(" and a slice below 100 us"),
        SHORTEST_SLICE_NS..=LONGEST_SLICE_NS => None,
        _ => Some(" and a slice of more than a second"),
    };
    if let Some(slice) = slice {
        return Some(sentence(level).text(slice).text("; give the time for which a task has its turn, 100 us to 1 s"));
    }
    let mut others_in_turn = 0_usize;
    while let [first, after @ ..] = others {
        if let Entry::Level(LevelEntry { policy: Policy::RoundRobin { .. }, .. }) = first {
            others_in_turn = others_in_turn.saturating_add(1);
        }
        others = after;
    }
    if others_in_turn < MOST_IN_TURN {
        return None;
    }
    let sentence = sentence(level).text(" and runs its tasks in turn, as do ").number(others_in_turn as u128);
    Some(sentence.text(" others; at most ").number(MOST_IN_TURN as u128).text(" levels can, so join some"))
}

/// The first level that needs execution times, as a sentence for an image that accounts none.
#[must_use]
pub const fn needs_execution_times(mut entries: &[Entry]) -> Option<Sentence> {
    while let [first, after @ ..] = entries {
        if let Entry::Level(level) = first
            && let Policy::RoundRobin { .. } = level.policy
        {
            return Some(sentence(level).text(
                " and runs its tasks in turn, but this image accounts no execution time; build it with the feature \
                 execution-time of the crate takt",
            ));
        }
        entries = after;
    }
    None
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
