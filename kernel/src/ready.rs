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
//!
//! **Who is raised** by a task that waits for it (see [`inheritance`](crate::executive)) moves to the front of the other
//! level, and back to the front of its own. Every priority that can be inherited is a task's, so it has a level.
//!
//! **Who stands in a level that has a policy** is marked. The mark is looked at only where a task comes to others that are
//! ready already, and what it asks for is done out of line: see [`deadlines`].

mod deadlines;
mod marks;
mod relevel;

use deadlines::Among;
pub use marks::Locks;
use marks::Special;

use crate::time::Instant;
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
    /// The levels that run the earliest deadline first.
    by_deadline: u64,
    /// The tasks whose own levels do.
    tasks_by_deadline: u64,
    /// By when each task's present job is to end, or its next one while it waits for that.
    deadlines: [Instant; CAPACITY],
    /// The deadlines that tasks have been lent by those that wait for them; each meaningful while its task is marked so.
    lent: [Instant; CAPACITY],
}

/// What is known of a task, and of the level of the same number. As large as an address, so that an index into one such
/// array is an index into others.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
struct Node {
    /// The level in whose queue the task stands while it is ready.
    level: TaskId,
    /// The task behind this one, while it is ready. A level's queue is a ring: the first is behind the last.
    behind: TaskId,
    /// What is out of the ordinary with the task.
    special: Special,
    /// The last task in the queue of the level of this number; meaningful while the level's bit is set. In a ceiling's
    /// level that is always who stands for the holder.
    last: TaskId,
    /// How the task waits, while it does.
    link: Link,
    /// The level of the task's own priority.
    own: TaskId,
    /// The level of the most urgent of the task and of those that wait for what it holds.
    urgency: TaskId,
}

/// A task that is to become ready where others are, in a level that has a policy: [`ReadySet::append_by_policy`] is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the task is not ready yet"]
pub struct ByPolicy(pub(crate) TaskId);

/// The level of tasks whose time is over, who waited for a mutex with inheritance. Nobody else's: see
/// [`Levels::number`](crate::levels::Levels::number).
pub(crate) const OVERDUE: TaskId = TaskId::from_number(0);

impl ReadySet {
    /// No tasks but the idle task.
    pub const fn empty() -> Self {
        const IDLE: TaskId = TaskId::IDLE;
        let nodes = PerTask::all(Node {
            level: IDLE,
            behind: IDLE,
            special: Special::NOTHING,
            last: IDLE,
            link: Link::NONE,
            own: IDLE,
            urgency: IDLE,
        });
        let no_time = [Instant::from_half_ticks(0); CAPACITY];
        Self {
            levels: IDLE.bit(),
            ceilings: 0,
            by_deadline: 0,
            tasks_by_deadline: 0,
            deadlines: no_time,
            lent: no_time,
            nodes,
        }
    }

    /// The level in which `task` stands while it is ready.
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

    /// Makes `task`, which is not ready, the last of its level, or lets the level's policy place it.
    #[inline(always)]
    pub fn append(&mut self, task: TaskId) {
        if let Err(by_policy) = self.append_plainly(task) {
            self.append_by_policy(by_policy);
        }
    }

    /// Makes `task`, which is not ready, the last of its level.
    ///
    /// # Errors
    /// Where it is marked and comes to others that are ready: then nothing has happened.
    #[inline(always)]
    pub fn append_plainly(&mut self, task: TaskId) -> Result<(), ByPolicy> {
        let level = self.level(task);
        let mut first = task;
        if self.levels & level.bit() != 0 {
            if self.nodes[task].special.mark() != 0 {
                return Err(ByPolicy(task));
            }
            let last = self.nodes[level].last;
            first = self.nodes[last].behind;
            self.nodes[last].behind = task;
        }
        self.nodes[task].behind = first;
        self.nodes[level].last = task;
        self.levels |= level.bit();
        Ok(())
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
    /// in. Answers what it held before, which [`Self::release`] has to know.
    #[inline(always)]
    pub fn hold(&mut self, ceiling: u64, holder: TaskId) -> Locks {
        self.nodes[TaskId::holder_at(TaskId::first_of(ceiling))].behind = holder;
        self.levels |= ceiling;
        let special = &mut self.nodes[holder].special;
        let before = special.locks();
        special.set_locks(before.with_ceiling());
        before
    }

    /// Takes `holder` out of the level of the ceiling with the bit `ceiling`, in which it stands. `before` is what
    /// [`Self::hold`] answered.
    #[inline(always)]
    pub fn release(&mut self, ceiling: u64, holder: TaskId, before: Locks) {
        self.levels &= !ceiling;
        self.nodes[holder].special.set_locks(before);
    }

    /// What `task` holds.
    #[inline(always)]
    #[must_use]
    pub fn locks(&self, task: TaskId) -> Locks {
        self.nodes[task].special.locks()
    }

    /// Whether `task` holds no mutex, and stands in a level that is first come, first served.
    #[inline(always)]
    #[must_use]
    pub fn is_ordinary(&self, task: TaskId) -> bool {
        self.nodes[task].special.is_nothing()
    }

    #[inline(always)]
    pub(crate) fn set_locks(&mut self, task: TaskId, locks: Locks) {
        self.nodes[task].special.set_locks(locks);
    }

    /// The first of this level, where it has one.
    pub(crate) fn first_in(&self, level: TaskId) -> Option<TaskId> {
        (self.levels & level.bit() != 0).then(|| self.first_of(level))
    }

    /// Shows those that are ready in this level behind its first, which it has.
    pub(crate) fn behind_first(&self, level: TaskId, mut see: impl FnMut(TaskId)) {
        let last = self.nodes[level].last;
        let mut task = self.nodes[last].behind;
        while task != last {
            task = self.nodes[task].behind;
            see(task);
        }
    }

    /// The place of a [`Watch`](crate::executive::Watch) is never made ready.
    pub(crate) fn mark_watch(&mut self, place: TaskId) {
        self.nodes[place].special.set_mark(0, Special::WATCH);
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

    /// The level of `task`'s own priority.
    #[must_use]
    pub fn own(&self, task: TaskId) -> TaskId {
        self.nodes[task].own
    }

    /// The level of `task`, of those that wait for what it holds, and of those that wait for them: the most urgent.
    #[inline(always)]
    #[must_use]
    pub fn urgency(&self, task: TaskId) -> TaskId {
        self.nodes[task].urgency
    }

    pub(crate) fn set_urgency(&mut self, task: TaskId, urgency: TaskId) {
        self.nodes[task].urgency = urgency;
    }

    /// Lets `task`, which is not ready, stand in `level` when it is.
    pub(crate) fn set_level(&mut self, task: TaskId, level: TaskId) {
        let by_deadline = if self.runs_by_deadline(level) { Special::BY_DEADLINE } else { 0 };
        let node = &mut self.nodes[task];
        node.level = level;
        node.special.set_mark(Special::LENT, by_deadline);
    }

    /// The same, where that level is first come, first served.
    #[inline(always)]
    pub(crate) fn set_plain_level(&mut self, task: TaskId, level: TaskId) {
        let node = &mut self.nodes[task];
        node.level = level;
        node.special.set_mark(0, 0);
    }

    /// Moves `task`, which is ready, to the front of the level of its urgency, which is first come, first served. Takes a few
    /// instructions for each ready task of its former level.
    pub(crate) fn requeue_plainly(&mut self, task: TaskId) {
        self.remove(task);
        self.set_plain_level(task, self.nodes[task].urgency);
        self.prepend(task);
    }

    /// Moves `task`, which is ready, to the front of the level of its urgency; in one that runs the earliest deadline first, to
    /// the front of those of its deadline. Takes a few instructions for each ready task of its former level, and for each of
    /// an earlier deadline.
    #[inline(never)]
    pub(crate) fn requeue(&mut self, task: TaskId) {
        let urgency = self.nodes[task].urgency;
        if !self.runs_by_deadline(urgency) {
            return self.requeue_plainly(task);
        }
        self.remove(task);
        self.set_level(task, urgency);
        self.place_by_deadline(task, Among::First);
    }

    /// Makes `task`, which is ready, the first of its level, whatever the policy: for one that is about to leave it.
    pub(crate) fn bring_to_front(&mut self, task: TaskId) {
        self.remove(task);
        self.prepend(task);
    }

    /// Takes `task`, which is ready, out, wherever it stands in its level.
    pub(crate) fn remove(&mut self, task: TaskId) {
        let level = self.level(task);
        let mut before = self.nodes[level].last;
        while self.nodes[before].behind != task {
            before = self.nodes[before].behind;
        }
        if before == task {
            self.levels &= !level.bit();
            return;
        }
        self.nodes[before].behind = self.nodes[task].behind;
        if self.nodes[level].last == task {
            self.nodes[level].last = before;
        }
    }

    /// Makes `task`, which is not ready, the first of its level.
    fn prepend(&mut self, task: TaskId) {
        let level = self.level(task);
        let mut first = task;
        if self.levels & level.bit() == 0 {
            self.nodes[level].last = task;
        } else {
            let last = self.nodes[level].last;
            first = self.nodes[last].behind;
            self.nodes[last].behind = task;
        }
        self.nodes[task].behind = first;
        self.levels |= level.bit();
    }
}

#[cfg(test)]
mod tests {
    use super::ReadySet;
    use crate::{CAPACITY, TaskId};

    fn with_levels(level: [TaskId; CAPACITY], ceilings: u64) -> ReadySet {
        let mut ready = ReadySet::empty();
        ready.relevel(ceilings, |task, _| level[task.index()], 0, |_| None);
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
        ready.relevel(0, |task, _| level[task.index()], 0, |_| None);
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
        let before = ready.hold(outer, task(5));
        assert!(before.is_none() && ready.locks(task(5)).has_ceiling());
        ready.append(task(4));
        assert_eq!(ready.most_urgent(), task(5));
        ready.append(task(2));
        assert_eq!(ready.most_urgent(), task(2), "more urgent than the ceiling");
        ready.remove_first(task(2));
        let held = ready.hold(inner, task(5));
        assert!(held.has_ceiling());
        ready.append(task(2));
        assert_eq!(ready.most_urgent(), task(5));
        ready.release(inner, task(5), held);
        assert_eq!(ready.most_urgent(), task(2));
        ready.remove_first(task(2));
        assert!(ready.locks(task(5)).has_ceiling());
        ready.release(outer, task(5), before);
        assert_eq!(ready.most_urgent(), task(4));
        assert!(ready.locks(task(5)).is_none());
    }

    #[test]
    fn new_levels_keep_who_holds_a_mutex() {
        let mut ready = with_ceilings();
        ready.append(task(6));
        let before = ready.hold(task(3).bit(), task(6));
        assert!(before.is_none());
        // Task 9 becomes more urgent than both ceilings, which move down by one.
        let mut level: [_; CAPACITY] = std::array::from_fn(|rank| task(if rank < 9 { rank + 1 } else { rank }));
        level[9] = task(1);
        level[63] = TaskId::IDLE;
        ready.relevel(task(2).bit() | task(4).bit(), |task, _| level[task.index()], 0, |_| None);
        assert!(ready.locks(task(6)).has_ceiling());
        ready.append(task(4));
        assert_eq!(ready.most_urgent(), task(6));
        ready.append(task(9));
        assert_eq!(ready.most_urgent(), task(9));
        ready.remove_first(task(9));
        ready.release(task(4).bit(), task(6), before);
        assert_eq!(ready.most_urgent(), task(4));
        ready.remove_first(task(4));
        assert_eq!(ready.most_urgent(), task(6));
    }

    #[test]
    fn a_raised_task_comes_first_in_the_other_level_and_in_its_own_again() {
        for raised in [5, 6, 7] {
            let level = std::array::from_fn(|rank| task(if (5..=7).contains(&rank) { 5 } else { rank.min(1) }));
            let mut ready = with_levels(level, 0);
            for rank in [5, 6, 7, 2, 3] {
                ready.append(task(rank));
            }
            ready.set_urgency(task(raised), task(1));
            ready.requeue(task(raised));
            assert_eq!(ready.most_urgent(), task(raised));
            ready.set_urgency(task(raised), task(5));
            ready.requeue(task(raised));
            let mut order = std::vec::Vec::new();
            while ready.most_urgent() != TaskId::IDLE {
                order.push(ready.most_urgent().index());
                ready.remove_first(ready.most_urgent());
            }
            let rest = [5, 6, 7].into_iter().filter(|&rank| rank != raised);
            assert!(order.iter().copied().eq([2, 3, raised].into_iter().chain(rest)), "{order:?}");
        }
    }

    #[test]
    fn rotating_alone_changes_nothing() {
        let mut ready = set();
        ready.append(task(7));
        assert_eq!(ready.rotate(task(7)), None);
        assert_eq!(ready.most_urgent(), task(7));
    }
}
