// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who is ready to run, most urgent first, first come first served among equals.
//!
//! The tasks of one priority form a *level*; so does each ceiling of a mutex, between the tasks that are more urgent and
//! its equals. Levels are numbered by urgency, with as many numbers left out as a level has further tasks. One bit per
//! level in one word tells which levels have a ready task, so the most urgent is a count of leading zeros. Within a level
//! the ready tasks hang in a queue. Every operation of the interrupt path takes the same few instructions however many
//! tasks there are.
//!
//! **Who holds a mutex** stands in the ceiling's level as well, until the mutex is released: there is nothing to undo when
//! a more urgent task comes between, and choosing who runs does not even know.

use crate::waiters::Link;
use crate::{CAPACITY, PerTask, TaskId};

/// The ready tasks of one core.
///
/// The order in memory is for the interrupt path: a byte is reached by a short offset in the first 4 KiB of the core's
/// state only.
#[derive(Debug)]
#[repr(C)]
pub struct ReadySet {
    nodes: PerTask<Node>,
    /// The bit of a level is set while that level has a ready task; the idle task's level always has one.
    levels: u64,
    /// The levels that are ceilings': no task's own.
    ceilings: u64,
}

/// What is known of a task, and of the level of the same number. As large as an address, so that an index into one such
/// array is an index into others.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
struct Node {
    /// The task's level.
    level: TaskId,
    /// The task behind this one, while it is ready. A level's queue is a ring: the first is behind the last.
    behind: TaskId,
    /// Whether the task stands in a ceiling's level.
    holds: bool,
    /// The last task in the queue of the level of this number; meaningful while the level's bit is set. In a ceiling's
    /// level that is always who stands for the holder.
    last: TaskId,
    /// How the task waits, while it does.
    link: Link,
}

impl ReadySet {
    /// No tasks but the idle task.
    pub const fn empty() -> Self {
        const IDLE: TaskId = TaskId::IDLE;
        let nodes = PerTask::all(Node { level: IDLE, behind: IDLE, holds: false, last: IDLE, link: Link::NONE });
        Self { levels: IDLE.bit(), ceilings: 0, nodes }
    }

    /// The level of `task`.
    #[inline(always)]
    #[must_use]
    pub fn level(&self, task: TaskId) -> TaskId {
        self.nodes[task].level
    }

    /// The task to run: the first of the most urgent level that has one.
    #[inline(always)]
    #[must_use]
    pub fn most_urgent(&self) -> TaskId {
        self.first_of(TaskId::first_of(self.levels))
    }

    #[inline(always)]
    fn first_of(&self, level: TaskId) -> TaskId {
        self.nodes[self.nodes[level].last].behind
    }

    /// Makes `task`, which is not ready, the last of its level.
    #[inline(always)]
    pub fn append(&mut self, task: TaskId) {
        let level = self.level(task);
        let mut first = task;
        if self.levels & level.bit() != 0 {
            let last = self.nodes[level].last;
            first = self.nodes[last].behind;
            self.nodes[last].behind = task;
        }
        self.nodes[task].behind = first;
        self.nodes[level].last = task;
        self.levels |= level.bit();
    }

    /// Takes `task`, which is the first of its level, out.
    #[inline(always)]
    pub fn remove_first(&mut self, task: TaskId) {
        let level = self.level(task);
        let last = self.nodes[level].last;
        if last == task {
            self.levels &= !level.bit();
        } else {
            self.nodes[last].behind = self.nodes[task].behind;
        }
    }

    /// Makes `task`, which is the first of its level, the last, and answers who is the first now, where that is another.
    #[inline(always)]
    pub fn rotate(&mut self, task: TaskId) -> Option<TaskId> {
        let node = self.nodes[task];
        if node.behind == task {
            return None;
        }
        self.nodes[node.level].last = task;
        Some(node.behind)
    }

    /// Lets `holder`, which is running, stand in the level of the ceiling with the bit `ceiling` too: one that nobody stands
    /// in. Answers whether it stood in another ceiling's level before, which [`Self::release`] has to know.
    #[inline(always)]
    pub fn hold(&mut self, ceiling: u64, holder: TaskId) -> bool {
        self.nodes[TaskId::holder_at(TaskId::first_of(ceiling))].behind = holder;
        self.levels |= ceiling;
        core::mem::replace(&mut self.nodes[holder].holds, true)
    }

    /// Takes `holder` out of the level of the ceiling with the bit `ceiling`, in which it stands. `held` is what
    /// [`Self::hold`] answered.
    #[inline(always)]
    pub fn release(&mut self, ceiling: u64, holder: TaskId, held: bool) {
        self.levels &= !ceiling;
        self.nodes[holder].holds = held;
    }

    /// Whether `task` stands in a ceiling's level.
    #[inline(always)]
    #[must_use]
    pub fn holds(&self, task: TaskId) -> bool {
        self.nodes[task].holds
    }

    /// Whether `task` is ready. Takes a few instructions for each of its equals that is.
    #[must_use]
    pub fn is_ready(&self, task: TaskId) -> bool {
        let level = self.level(task);
        if self.levels & level.bit() == 0 {
            return false;
        }
        let last = self.nodes[level].last;
        let mut other = last;
        while other != task {
            other = self.nodes[other].behind;
            if other == last {
                return false;
            }
        }
        true
    }

    /// Whether `task` waits for an object in time as well.
    #[must_use]
    pub(crate) fn waits_for_a_time(&self, task: TaskId) -> bool {
        self.nodes[task].link.is_timed()
    }

    /// The bits of the levels that have a ready task or a holder.
    #[inline(always)]
    #[must_use]
    pub const fn levels(&self) -> u64 {
        self.levels
    }

    /// How `task` waits.
    #[inline(always)]
    pub(crate) fn link(&mut self, task: TaskId) -> &mut Link {
        &mut self.nodes[task].link
    }

    /// Gives the tasks and the ceilings other levels: each task the one that `level_of` says, which is given the task and its
    /// former level. There are as many ceilings as before, whose levels' bits `ceilings` has. Who is ready stays ready, the formerly more urgent first among those that share a level now, and who holds a
    /// mutex goes on holding it. Takes time in proportion to the number of tasks.
    pub fn relevel(&mut self, ceilings: u64, level_of: impl Fn(TaskId, TaskId) -> TaskId) {
        let mut holders = [None; CAPACITY];
        let former = bits(core::mem::replace(&mut self.ceilings, ceilings));
        for (holder, ceiling) in holders.iter_mut().zip(former) {
            if self.levels & ceiling.bit() != 0 {
                let task = self.first_of(ceiling);
                self.levels &= !ceiling.bit();
                *holder = Some(task);
            }
        }
        let mut ready = [TaskId::IDLE; CAPACITY];
        for place in &mut ready {
            let task = self.most_urgent();
            if task == TaskId::IDLE {
                break;
            }
            self.remove_first(task);
            *place = task;
        }
        for task in TaskId::all() {
            self.nodes[task].level = level_of(task, self.nodes[task].level);
        }
        for task in ready.into_iter().take_while(|&task| task != TaskId::IDLE) {
            self.append(task);
        }
        // The ceilings have kept their order.
        for (holder, ceiling) in holders.into_iter().zip(bits(ceilings)) {
            self.nodes[ceiling].last = TaskId::holder_at(ceiling);
            if let Some(holder) = holder {
                let _ = self.hold(ceiling.bit(), holder);
            }
        }
    }
}

/// The levels whose bits are set, the most urgent first.
fn bits(mut set: u64) -> impl Iterator<Item = TaskId> {
    core::iter::from_fn(move || {
        let first = TaskId::first_of(set);
        let is_one = set != 0;
        set &= !first.bit();
        is_one.then_some(first)
    })
}

#[cfg(test)]
mod tests {
    use super::ReadySet;
    use crate::{CAPACITY, TaskId};

    fn with_levels(level: [TaskId; CAPACITY], ceilings: u64) -> ReadySet {
        let mut ready = ReadySet::empty();
        ready.relevel(ceilings, |task, _| level[task.index()]);
        ready
    }

    fn task(rank: usize) -> TaskId {
        TaskId::new(rank).unwrap()
    }

    /// Tasks 0 alone, 1 to 3 equal, the rest alone.
    fn set() -> ReadySet {
        let mut level = [TaskId::IDLE; CAPACITY];
        for (rank, level) in level.iter_mut().enumerate() {
            *level = task(if (1..=3).contains(&rank) { 1 } else { rank });
        }
        with_levels(level, 0)
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
        ready.relevel(0, |task, _| level[task.index()]);
        let mut order = std::vec::Vec::new();
        for _ in 0..4 {
            let next = ready.most_urgent();
            order.push(next.index());
            ready.remove_first(next);
        }
        assert_eq!(order, [9, 0, 2, 3]);
        assert_eq!(ready.most_urgent(), TaskId::IDLE);
    }

    /// Tasks 0, 2 and 4 to 63 in the levels of their numbers, with ceilings in the levels 1 and 3.
    fn with_ceilings() -> ReadySet {
        let level = std::array::from_fn(|rank| if rank == 1 || rank == 3 { TaskId::IDLE } else { task(rank) });
        with_levels(level, task(1).bit() | task(3).bit())
    }

    #[test]
    fn a_holder_runs_at_the_ceiling() {
        let (mut ready, [inner, outer]) = (with_ceilings(), [task(1).bit(), task(3).bit()]);
        ready.append(task(5));
        assert!(!ready.hold(outer, task(5)) && ready.holds(task(5)));
        ready.append(task(4));
        assert_eq!(ready.most_urgent(), task(5));
        ready.append(task(2));
        assert_eq!(ready.most_urgent(), task(2), "more urgent than the ceiling");
        ready.remove_first(task(2));
        assert!(ready.hold(inner, task(5)));
        ready.append(task(2));
        assert_eq!(ready.most_urgent(), task(5));
        ready.release(inner, task(5), true);
        assert_eq!(ready.most_urgent(), task(2));
        ready.remove_first(task(2));
        assert!(ready.holds(task(5)));
        ready.release(outer, task(5), false);
        assert_eq!(ready.most_urgent(), task(4));
        assert!(!ready.holds(task(5)));
    }

    #[test]
    fn new_levels_keep_who_holds_a_mutex() {
        let mut ready = with_ceilings();
        ready.append(task(6));
        assert!(!ready.hold(task(3).bit(), task(6)));
        // Task 9 becomes more urgent than both ceilings, which move down by one.
        let mut level: [_; CAPACITY] = std::array::from_fn(|rank| task(if rank < 9 { rank + 1 } else { rank }));
        level[9] = task(1);
        level[63] = TaskId::IDLE;
        ready.relevel(task(2).bit() | task(4).bit(), |task, _| level[task.index()]);
        assert!(ready.holds(task(6)));
        ready.append(task(4));
        assert_eq!(ready.most_urgent(), task(6));
        ready.append(task(9));
        assert_eq!(ready.most_urgent(), task(9));
        ready.remove_first(task(9));
        ready.release(task(4).bit(), task(6), false);
        assert_eq!(ready.most_urgent(), task(4));
        ready.remove_first(task(4));
        assert_eq!(ready.most_urgent(), task(6));
    }

    #[test]
    fn rotating_alone_changes_nothing() {
        let mut ready = set();
        ready.append(task(7));
        assert_eq!(ready.rotate(task(7)), None);
        assert_eq!(ready.most_urgent(), task(7));
    }
}
