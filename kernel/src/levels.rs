// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which level each task and each ceiling has among the [`ReadySet`](crate::ready::ReadySet)'s.
//!
//! A level's number is how many tasks, ceilings and reserved levels are more urgent. A ceiling comes before the tasks of its own priority:
//! who holds its mutex runs before they do.

use crate::priority::{Priority, PrioritySet};
use crate::{PerTask, TaskId};

/// As many as a byte has values.
pub const PRIORITIES: usize = 1 << u8::BITS;

/// The bit of each ceiling's level, by its priority's number; 0 for a priority that is no ceiling.
pub type CeilingBits = [u64; PRIORITIES];

/// The levels of one core.
#[derive(Debug)]
pub struct Levels {
    /// That of the tasks of each priority, as a number.
    tasks: [u8; PRIORITIES],
    /// The bits of the ceilings' levels.
    pub ceilings: u64,
}

impl Levels {
    /// Of tasks with these priorities (a place that no task has, and the idle task, have [`Priority::IDLE`]) and of these
    /// ceilings, at most 63 together, behind the first `reserved` levels, which count as well; the ceilings' bits are left in
    /// `bits`. Takes a few instructions for each task and
    /// each possible priority.
    #[must_use]
    pub fn number(
        priorities: &PerTask<Priority>,
        ceilings: &PrioritySet,
        reserved: u8,
        bits: &mut CeilingBits,
    ) -> Self {
        let mut levels = Self { tasks: [0; PRIORITIES], ceilings: 0 };
        for task in TaskId::all() {
            if let Some(count) = levels.tasks.get_mut(usize::from(priorities[task].number())) {
                *count = count.wrapping_add(1);
            }
        }
        // From how many tasks a priority has to how many tasks, ceilings and reserved levels come before them.
        let mut before = reserved;
        for (number, (bit, tasks)) in bits.iter_mut().zip(&mut levels.tasks).enumerate() {
            *bit = 0;
            let priority = u8::try_from(number).ok().and_then(Priority::ceiling);
            if priority.is_some_and(|priority| ceilings.contains(priority)) {
                *bit = at(before).bit();
                levels.ceilings |= *bit;
                before = before.wrapping_add(1);
            }
            before = before.wrapping_add(core::mem::replace(tasks, before));
        }
        levels
    }

    /// That of the tasks of this priority.
    #[must_use]
    pub fn of(&self, priority: Priority) -> TaskId {
        match self.tasks.get(usize::from(priority.number())) {
            Some(&number) if priority != Priority::IDLE => at(number),
            _ => TaskId::IDLE,
        }
    }
}

/// Where a level lies once a task has another priority: `former` and `present` say whether the task was and is counted among
/// those that come before the level.
#[inline(always)]
#[must_use]
pub fn shifted(level: TaskId, former: bool, present: bool) -> TaskId {
    match (former, present) {
        (true, false) => at(level.number().saturating_sub(1)),
        (false, true) => at(level.number().saturating_add(1)),
        _ => level,
    }
}

/// The level behind those of all priorities, where one is left over: of tasks that are demoted.
#[must_use]
pub const fn least() -> TaskId {
    TaskId::from_number(TaskId::IDLE.number().wrapping_sub(1))
}

fn at(number: u8) -> TaskId {
    TaskId::new(usize::from(number)).unwrap_or(TaskId::IDLE)
}

#[cfg(test)]
mod tests {
    use super::{Levels, PRIORITIES};
    use crate::priority::{Priority, PrioritySet};
    use crate::{CAPACITY, PerTask};

    fn priority(number: u8) -> Priority {
        Priority::new(number).unwrap()
    }

    /// The numbers of the levels of tasks with these priorities and of these ceilings.
    fn levels(tasks: &[u8], ceilings: &[u8]) -> (std::vec::Vec<usize>, std::vec::Vec<usize>) {
        let mut priorities = [Priority::IDLE; CAPACITY];
        for (place, &number) in priorities.iter_mut().zip(tasks) {
            *place = priority(number);
        }
        let set = ceilings.iter().fold(PrioritySet::EMPTY, |set, &number| set.with(Priority::ceiling(number).unwrap()));
        let mut bits = [0; PRIORITIES];
        let levels = Levels::number(&PerTask::new(priorities), &set, 0, &mut bits);
        let task = tasks.iter().map(|&number| levels.of(priority(number)).index()).collect();
        let ceiling = ceilings.iter().map(|&number| bits[usize::from(number)].leading_zeros() as usize).collect();
        assert_eq!(bits.iter().fold(0, |all, bit| all | bit), levels.ceilings);
        (task, ceiling)
    }

    #[test]
    fn a_level_is_the_number_of_the_more_urgent() {
        assert_eq!(levels(&[10, 10, 20, 254], &[]).0, [0, 0, 2, 3]);
        assert_eq!(levels(&[20, 10], &[]).0, [1, 0]);
    }

    #[test]
    fn a_ceiling_comes_before_its_equals() {
        assert_eq!(levels(&[10, 10, 20], &[10, 15, 20, 30]), ([1, 1, 5].into(), [0, 3, 4, 6].into()));
        assert_eq!(levels(&[1, 254], &[1, 254]), ([1, 3].into(), [0, 2].into()));
        assert_eq!(levels(&[1, 1], &[0, 1]), ([2, 2].into(), [0, 1].into()), "above all");
    }
}
