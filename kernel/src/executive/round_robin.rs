// SPDX-License-Identifier: MIT OR Apache-2.0
//! Levels whose tasks run in turn, for a slice of execution time each.
//!
//! A [`Watch`] looks when the first of the level can have executed for a slice since its turn began, at the earliest. If it has,
//! to a sixteenth of the slice, and others are ready, it goes behind them; the next one's turn begins. Otherwise the watch looks
//! again when it can have, but at least an eighth of a slice later: so the watch of a level never comes more often, and a turn
//! that somebody more urgent interrupts is a slice, to a sixteenth more or less. Who waits in between goes on with the turn that
//! it had, unless it was seen behind others.

use super::{Executive, Watch};
use crate::priority::Priority;
use crate::time::Instant;
use crate::{CAPACITY, TaskId};

/// The most levels whose tasks run in turn.
pub const MOST_IN_TURN: usize = 8;

/// How many times the watch of a level looks in the time of a slice, at the most.
pub const LOOKS_IN_A_SLICE: u64 = 8;

/// What part of a slice does not matter: half of what lies between two looks, and more than handling an interrupt takes.
const ROUNDED_AWAY: u64 = 2 * LOOKS_IN_A_SLICE;

/// The levels whose tasks run in turn.
#[derive(Debug)]
pub(super) struct InTurn {
    levels: [Level; MOST_IN_TURN],
    count: usize,
    /// How long each task had executed when its turn began, or when it was seen behind others last.
    began_half_ticks: [u64; CAPACITY],
}

#[derive(Clone, Copy, Debug)]
struct Level {
    priority: Priority,
    level: TaskId,
    slice_half_ticks: u64,
}

impl InTurn {
    /// None.
    pub(super) const NONE: Self = Self {
        levels: [Level { priority: Priority::IDLE, level: TaskId::IDLE, slice_half_ticks: 0 }; MOST_IN_TURN],
        count: 0,
        began_half_ticks: [0; CAPACITY],
    };
}

impl Executive {
    /// The tasks of this priority, whoever has it at a time, run in turn, for so long each. Answers the number of the level,
    /// whose [`Watch::Turn`] is to be due after a slice; `None` beyond [`MOST_IN_TURN`]. For the start of the system, behind
    /// [`Self::prepare`].
    pub fn run_in_turn(&mut self, priority: Priority, slice_half_ticks: u64) -> Option<TaskId> {
        let place = self.in_turn.levels.get_mut(self.in_turn.count)?;
        let number = TaskId::new(self.in_turn.count)?;
        *place = Level { priority, level: TaskId::IDLE, slice_half_ticks };
        self.in_turn.count = self.in_turn.count.saturating_add(1);
        self.find_levels_in_turn();
        Some(number)
    }

    /// Where these levels are, once a task has another priority.
    #[inline(never)]
    pub(super) fn find_levels_in_turn(&mut self) {
        for number in 0..self.in_turn.count {
            if let Some(&Level { priority, .. }) = self.in_turn.levels.get(number) {
                // Where nobody has the priority the next ones' level would be found.
                let is_there = TaskId::all().any(|task| self.priorities[task] == priority);
                let level = if is_there { self.level_of(priority) } else { TaskId::IDLE };
                if let Some(place) = self.in_turn.levels.get_mut(number) {
                    place.level = level;
                }
            }
        }
    }

    /// The [`Watch::Turn`] of this number is due, at `now`; `executed` says how long a task has executed up to then, in half
    /// ticks. Ends the turn of the first of the level, if that has executed for a slice and others are ready, and lets the watch
    /// be due again; the timer is to be armed afterwards. Who runs next is [`Self::choose`]'s. Takes a few instructions for each
    /// that is ready in the level.
    #[expect(clippy::indexing_slicing, reason = "an index is below the capacity")]
    pub fn look_at_turn(&mut self, number: TaskId, now: Instant, executed: impl Fn(TaskId) -> u64) {
        let Some(&Level { level, slice_half_ticks, .. }) = self.in_turn.levels.get(number.index()) else { return };
        let began = &mut self.in_turn.began_half_ticks;
        let mut next_half_ticks = slice_half_ticks;
        if let Some(first) = self.ready.first_in(level) {
            let mut others = 0_u32;
            self.ready.behind_first(level, |other| {
                began[other.index()] = executed(other);
                others = others.wrapping_add(1);
            });
            let done = executed(first).wrapping_sub(began[first.index()]);
            let missing = slice_half_ticks.saturating_sub(done);
            if others > 0 && missing > slice_half_ticks / ROUNDED_AWAY {
                next_half_ticks = missing.max(slice_half_ticks / LOOKS_IN_A_SLICE);
            } else {
                began[first.index()] = executed(first);
                let _ = self.ready.rotate(first);
            }
        }
        let _ = self.watch_at(Watch::Turn(number), now.after(next_half_ticks));
    }
}

#[cfg(test)]
mod tests {
    use super::{Executive, MOST_IN_TURN, Watch};
    use crate::priority::{Priority, PrioritySet};
    use crate::time::Instant;
    use crate::{CAPACITY, PerTask, TaskId};

    fn task(rank: usize) -> TaskId {
        TaskId::new(rank).unwrap()
    }

    fn priority(number: u8) -> Priority {
        Priority::new(number).unwrap()
    }

    /// Tasks of these priorities, ready; those of priority 20 run in turn, for 80 half ticks each.
    fn in_turn(priorities: &[u8]) -> (Executive, TaskId) {
        let mut all = [Priority::IDLE; CAPACITY];
        for (place, &number) in all.iter_mut().zip(priorities) {
            *place = priority(number);
        }
        let mut executive = Executive::new(&PerTask::new(all), PrioritySet::EMPTY, false, Instant::from_half_ticks(0));
        let number = executive.run_in_turn(priority(20), 80).unwrap();
        (0..priorities.len()).for_each(|rank| executive.start(task(rank)));
        let _ = executive.choose();
        (executive, number)
    }

    /// Looks at this instant, when everybody has executed for so long, and answers who runs then and when the next look is due.
    fn look(executive: &mut Executive, number: TaskId, now: u64, executed: &[u64]) -> (usize, u64) {
        let executed = |task: TaskId| executed.get(task.index()).copied().unwrap_or(0);
        executive.look_at_turn(number, Instant::from_half_ticks(now), executed);
        let _ = executive.choose();
        let due = executive.first_deadline();
        assert_eq!(Watch::of(due.task), Some(Watch::Turn(number)));
        (executive.running().index(), due.at.half_ticks())
    }

    #[test]
    fn each_has_a_slice() {
        let (mut executive, number) = in_turn(&[20, 20, 20]);
        assert_eq!(look(&mut executive, number, 80, &[80, 0, 0]), (1, 160));
        assert_eq!(look(&mut executive, number, 160, &[80, 80, 0]), (2, 240));
        assert_eq!(look(&mut executive, number, 240, &[80, 80, 80]), (0, 320));
    }

    #[test]
    fn what_somebody_more_urgent_took_comes_behind() {
        let (mut executive, number) = in_turn(&[20, 20]);
        assert_eq!(look(&mut executive, number, 80, &[50, 0]), (0, 110), "as much later as is missing");
        assert_eq!(look(&mut executive, number, 110, &[74, 0]), (0, 120), "not sooner than an eighth of a slice");
        assert_eq!(look(&mut executive, number, 120, &[84, 0]), (1, 200));
        assert_eq!(look(&mut executive, number, 200, &[84, 75]), (0, 280), "a sixteenth does not matter");
    }

    #[test]
    fn who_is_alone_goes_on_and_begins_a_turn_when_it_is_not() {
        let (mut executive, number) = in_turn(&[20, 20, 30]);
        executive.block();
        let _ = executive.choose();
        assert_eq!(look(&mut executive, number, 80, &[10, 70, 0]), (1, 160));
        executive.wake(task(0));
        assert_eq!(look(&mut executive, number, 160, &[10, 150, 0]), (0, 240), "it had a slice since it was seen");
        executive.block();
        let _ = executive.choose();
        executive.block();
        assert_eq!(executive.choose().map(|switch| switch.to), Some(task(2)));
        assert_eq!(look(&mut executive, number, 240, &[20, 160, 60]), (2, 320), "nobody of the level is ready");
    }

    #[test]
    fn the_level_is_found_again_when_priorities_change() {
        let (mut executive, number) = in_turn(&[20, 20, 30, 30]);
        executive.set_priority(task(2), priority(10));
        let _ = executive.choose();
        executive.block();
        let _ = executive.choose();
        assert_eq!(look(&mut executive, number, 80, &[80, 0, 0, 0]), (1, 160));
        for rank in [0, 1] {
            executive.set_priority(task(rank), priority(30));
        }
        let _ = executive.choose();
        let first = executive.running().index();
        assert_eq!(look(&mut executive, number, 160, &[99, 99, 99, 99]), (first, 240), "first come, first served");
        executive.set_priority(task(3), priority(20));
        let _ = executive.choose();
        assert_eq!(executive.running(), task(3));
    }

    #[test]
    fn there_are_places_for_a_few_levels() {
        let (mut executive, _) = in_turn(&[20]);
        for number in 1..MOST_IN_TURN {
            assert_eq!(executive.run_in_turn(priority(100), 80), TaskId::new(number));
        }
        assert_eq!(executive.run_in_turn(priority(100), 80), None);
    }
}
