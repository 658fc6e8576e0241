// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who is ready to run, most urgent first, first come first served among equals.
//!
//! The tasks of one priority form a *level*, which is named after its most urgent-ranked task. One bit per level in
//! one word tells which levels have a ready task, so the most urgent is a count of leading zeros. Within a level the
//! ready tasks hang in a queue. Every operation takes the same few instructions however many tasks there are.

use crate::{PerTask, TaskId};

/// The ready tasks of one core.
#[derive(Debug)]
pub struct ReadySet {
    /// The bit of a level's name is set while that level has a ready task; the idle task's level always has one.
    levels: u64,
    /// Each task's level.
    level: PerTask<TaskId>,
    /// The last task of each level's queue; meaningful while the level's bit is set.
    last: PerTask<TaskId>,
    /// The task behind each queued task. The queue is a ring: the first is behind the last.
    behind: PerTask<TaskId>,
}

impl ReadySet {
    /// Nobody but the idle task is ready. `level` names each task's level: the first in the order of urgency of the tasks
    /// that share its priority.
    pub const fn new(level: PerTask<TaskId>) -> Self {
        const NOBODY: PerTask<TaskId> = PerTask::all(TaskId::IDLE);
        Self { levels: TaskId::IDLE.bit(), level, last: NOBODY, behind: NOBODY }
    }

    /// The task to run: the first of the most urgent level that has one.
    #[inline(always)]
    #[must_use]
    pub fn most_urgent(&self) -> TaskId {
        self.behind[self.last[TaskId::first_of(self.levels)]]
    }

    /// Makes `task`, which is not ready, the last of its level.
    #[inline(always)]
    pub fn append(&mut self, task: TaskId) {
        let level = self.level[task];
        let mut first = task;
        if self.levels & level.bit() != 0 {
            let last = self.last[level];
            first = self.behind[last];
            self.behind[last] = task;
        }
        self.behind[task] = first;
        self.last[level] = task;
        self.levels |= level.bit();
    }

    /// Takes `task`, which is the first of its level, out.
    #[inline(always)]
    pub fn remove_first(&mut self, task: TaskId) {
        let level = self.level[task];
        let last = self.last[level];
        if last == task {
            self.levels &= !level.bit();
        } else {
            self.behind[last] = self.behind[task];
        }
    }

    /// Each task's level.
    pub const fn levels(&self) -> &PerTask<TaskId> {
        &self.level
    }

    /// Gives every task the level that `level` names for it; who is ready stays ready, the formerly more urgent first
    /// among those that share a level now. Takes time in proportion to the number of ready tasks: not for a task with a
    /// deadline.
    pub fn relevel(&mut self, level: PerTask<TaskId>) {
        let mut releveled = Self::new(level);
        while self.levels != TaskId::IDLE.bit() {
            let task = self.most_urgent();
            self.remove_first(task);
            releveled.append(task);
        }
        *self = releveled;
    }

    /// Makes `task`, which is the first of its level, the last, and answers who is the first now, where that is another.
    #[inline(always)]
    pub fn rotate(&mut self, task: TaskId) -> Option<TaskId> {
        let next = self.behind[task];
        if next == task {
            return None;
        }
        self.last[self.level[task]] = task;
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::ReadySet;
    use crate::{CAPACITY, PerTask, TaskId};

    fn task(rank: usize) -> TaskId {
        TaskId::new(rank).unwrap()
    }

    /// Tasks 0 alone, 1 to 3 equal, the rest alone.
    fn set() -> ReadySet {
        let mut level = [TaskId::IDLE; CAPACITY];
        for (rank, level) in level.iter_mut().enumerate() {
            *level = task(if (1..=3).contains(&rank) { 1 } else { rank });
        }
        ReadySet::new(PerTask::new(level))
    }

    #[test]
    fn an_empty_set_runs_the_idle_task() {
        assert_eq!(set().most_urgent(), TaskId::IDLE);
    }

    #[test]
    fn the_most_urgent_runs_and_leaves() {
        let mut ready = set();
        for rank in [62, 5, 0] {
            ready.append(task(rank));
            assert_eq!(ready.most_urgent(), task(rank));
        }
        ready.remove_first(task(0));
        assert_eq!(ready.most_urgent(), task(5));
        ready.remove_first(task(5));
        ready.remove_first(task(62));
        assert_eq!(ready.most_urgent(), TaskId::IDLE);
    }

    #[test]
    fn equals_come_in_the_order_they_became_ready() {
        let mut ready = set();
        for rank in [2, 3, 1] {
            ready.append(task(rank));
        }
        let mut order = std::vec::Vec::new();
        for _ in 0..3 {
            let next = ready.most_urgent();
            order.push(next.index());
            ready.remove_first(next);
        }
        assert_eq!(order, [2, 3, 1]);
    }

    #[test]
    fn rotating_gives_the_turn_to_the_next_equal() {
        let mut ready = set();
        for rank in [1, 2, 3] {
            ready.append(task(rank));
        }
        let mut order = std::vec::Vec::new();
        for _ in 0..7 {
            let next = ready.most_urgent();
            order.push(next.index());
            let _ = ready.rotate(next);
        }
        assert_eq!(order, [1, 2, 3, 1, 2, 3, 1]);
    }

    #[test]
    fn new_levels_keep_who_is_ready() {
        let mut ready = set();
        for rank in [2, 3, 0, 9] {
            ready.append(task(rank));
        }
        // Task 9 becomes the most urgent, the others share a level.
        let mut level = [task(1); CAPACITY];
        level[9] = task(0);
        level[63] = TaskId::IDLE;
        ready.relevel(PerTask::new(level));
        let mut order = std::vec::Vec::new();
        for _ in 0..4 {
            let next = ready.most_urgent();
            order.push(next.index());
            ready.remove_first(next);
        }
        assert_eq!(order, [9, 0, 2, 3]);
        assert_eq!(ready.most_urgent(), TaskId::IDLE);
    }

    #[test]
    fn rotating_alone_changes_nothing() {
        let mut ready = set();
        ready.append(task(7));
        assert_eq!(ready.rotate(task(7)), None);
        assert_eq!(ready.most_urgent(), task(7));
    }
}
