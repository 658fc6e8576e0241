// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instants at which somebody's execution time is looked at: places in the delay queue that are no tasks.
//!
//! What is watched runs for so long at the earliest, so its watch is due then. Whoever looks finds that it has, or lets the watch
//! be due as much later as is missing. Nothing has to be done where a task is preempted or goes on.
//!
//! A place stands in the idle task's level, which always has a ready task, and is marked: so a release meets it where it meets
//! a policy ([`ReadySet`](crate::ready::ReadySet)).

use super::{ByPolicy, Executive};
use crate::time::Instant;
use crate::{CAPACITY, TaskId};

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Whether the present job of this task has used up its budget.
    Budget(TaskId),
    /// Whether the turn has ended in the level of this number among those whose tasks run in turn.
    Turn(TaskId),
}

/// Behind the places of tasks and of holders.
const BUDGETS: usize = 2 * CAPACITY;
const TURNS: usize = 3 * CAPACITY;

impl Watch {
    const fn place(self) -> TaskId {
        let (first, number) = match self {
            Self::Budget(task) => (BUDGETS, task),
            Self::Turn(number) => (TURNS, number),
        };
        #[expect(clippy::cast_possible_truncation, reason = "four times 64 places are all that a byte tells apart")]
        TaskId::from_number(first as u8 | number.index() as u8)
    }

    pub(super) fn of(place: TaskId) -> Option<Self> {
        let number = TaskId::new(place.index())?;
        match usize::from(place.number()) {
            TURNS.. => Some(Self::Turn(number)),
            BUDGETS.. => Some(Self::Budget(number)),
            _ => None,
        }
    }
}

impl ByPolicy {
    /// What is to be looked at, where it is no task that is due.
    #[must_use]
    pub fn watch(self) -> Option<Watch> {
        Watch::of(self.0)
    }
}

impl Executive {
    /// Lets `watch` be due at `at`, and not when it was to be due before. Answers whether that is the first deadline now, for
    /// which the timer is to be armed. Takes a few instructions for each that is due earlier.
    #[must_use = "the timer has to be armed for a new first deadline"]
    pub fn watch_at(&mut self, watch: Watch, at: Instant) -> bool {
        let place = watch.place();
        self.end_watch(watch);
        self.ready.mark_watch(place);
        self.delays.insert(place, at)
    }

    /// Nothing is looked at any more. The timer may stay armed for the instant, at which nobody is due then.
    pub fn end_watch(&mut self, watch: Watch) {
        let _ = self.delays.remove(watch.place());
    }
}

#[cfg(test)]
mod tests {
    use super::{BUDGETS, Watch};
    use crate::executive::Executive;
    use crate::priority::{Priority, PrioritySet};
    use crate::time::Instant;
    use crate::{CAPACITY, PerTask, TaskId};

    fn at(half_ticks: u64) -> Instant {
        Instant::from_half_ticks(half_ticks)
    }

    #[test]
    fn each_watch_has_a_place_of_its_own_and_is_found_there() {
        let mut places = std::collections::HashSet::new();
        for task in TaskId::all() {
            assert_eq!(Watch::of(task), None);
            assert_eq!(Watch::of(TaskId::holder_at(task)), None);
            for watch in [Watch::Budget(task), Watch::Turn(task)] {
                assert_eq!(Watch::of(watch.place()), Some(watch));
                assert!(usize::from(watch.place().number()) >= BUDGETS);
                assert!(places.insert(watch.place().number()));
            }
        }
    }

    #[test]
    fn a_watch_is_due_in_time_and_makes_nobody_ready() {
        let [first, second] = [0, 1].map(|rank| TaskId::new(rank).unwrap());
        let mut priorities = [Priority::IDLE; CAPACITY];
        (priorities[0], priorities[1]) = (Priority::new(10).unwrap(), Priority::new(20).unwrap());
        let mut executive = Executive::new(&PerTask::new(priorities), PrioritySet::EMPTY, false, at(0));
        executive.start(first);
        executive.start(second);
        let _ = executive.choose();
        assert!(executive.wait_until(at(100)));
        let _ = executive.choose();
        assert!(executive.watch_at(Watch::Budget(second), at(50)));
        assert!(!executive.watch_at(Watch::Turn(first), at(150)), "the other watch is the first");
        assert!(!executive.watch_at(Watch::Budget(second), at(120)), "it is moved, behind the task");
        assert_eq!(executive.release_first(), Ok(first));
        let due = executive.release_first().unwrap_err();
        assert_eq!(due.watch(), Some(Watch::Budget(second)));
        assert_eq!(executive.choose().map(|switch| switch.to), Some(first));
        executive.end_watch(Watch::Turn(first));
        assert_eq!(executive.first_deadline().at, executive.never());
    }
}
