// SPDX-License-Identifier: MIT OR Apache-2.0
//! Levels that run the earliest deadline first: their queues are in the order of the deadlines.
//!
//! Who becomes ready passes those that are to end earlier, a few instructions for each; equal deadlines keep their order. A
//! task has the deadline that was said of its job, or one that is earlier, of a task in such a level that waits for what it
//! holds: lent, as an urgency is. A task of which none was said has *never*, and so comes behind those that have one.

use super::{ByPolicy, ReadySet, Special};
use crate::time::Instant;
use crate::waiters::Waiters;
use crate::{CAPACITY, TaskId};

/// Where a task comes among those of its deadline.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Among {
    /// Before them: it has only changed its level, or its deadline.
    First,
    /// Behind them.
    Last,
}

impl ReadySet {
    /// No task has a deadline that comes before `never`.
    pub(crate) const fn begin_without_deadlines(&mut self, never: Instant) {
        self.deadlines = [never; CAPACITY];
    }

    /// Whether the own level of `task` runs the earliest deadline first; counts from the next [`Self::relevel`] on.
    pub(crate) const fn set_by_deadline(&mut self, task: TaskId, is_by_deadline: bool) {
        self.tasks_by_deadline &= !task.bit();
        if is_by_deadline {
            self.tasks_by_deadline |= task.bit();
        }
    }

    /// The job of `task`, which is not ready or about to leave its level, is to end by `deadline`.
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "an index is below the capacity")]
    pub fn set_deadline(&mut self, task: TaskId, deadline: Instant) {
        self.deadlines[task.index()] = deadline;
    }

    /// By when `task` is to end, with what it has been lent.
    #[expect(clippy::indexing_slicing, reason = "as above")]
    fn deadline(&self, task: TaskId) -> Instant {
        let is_lent = self.nodes[task].special.mark() & Special::LENT != 0;
        let of = if is_lent { &self.lent } else { &self.deadlines };
        of[task.index()]
    }

    pub(crate) fn set_own(&mut self, task: TaskId, own: TaskId) {
        self.nodes[task].own = own;
    }

    /// A task whose own level runs the earliest deadline first comes back to `level`, which may have had none.
    pub(crate) const fn let_run_by_deadline(&mut self, level: TaskId) {
        self.by_deadline |= level.bit();
    }

    pub(crate) const fn runs_by_deadline(&self, level: TaskId) -> bool {
        self.by_deadline & level.bit() != 0
    }

    /// Whether `task` is more urgent than `other`, or as urgent with an earlier deadline where that counts.
    pub(crate) fn comes_before(&self, task: TaskId, other: TaskId) -> bool {
        let (own, others) = (self.urgency(task), self.urgency(other));
        if own != others || !self.runs_by_deadline(own) {
            return own.number() < others.number();
        }
        self.deadline(task).is_before(self.deadline(other))
    }

    /// Lets `owner` be as urgent as `task`.
    #[inline(never)]
    #[expect(clippy::indexing_slicing, reason = "as above")]
    pub(super) fn lend(&mut self, task: TaskId, owner: TaskId) {
        let deadline = self.deadline(task);
        let urgency = self.urgency(task);
        let lent = if self.runs_by_deadline(urgency) { Special::LENT } else { 0 };
        let node = &mut self.nodes[owner];
        node.urgency = urgency;
        node.special.set_mark(!Special::LENT, lent);
        self.lent[owner.index()] = deadline;
    }

    /// Lets `owner` be as urgent as the most urgent of itself and of these, which wait for what it holds. Answers whether it was
    /// another before.
    pub(crate) fn settle_with(&mut self, owner: TaskId, waiters: &[Waiters]) -> bool {
        let former = (self.urgency(owner), self.deadline(owner));
        let node = &mut self.nodes[owner];
        node.urgency = node.own;
        node.special.set_mark(!Special::LENT, 0);
        for waiting in waiters {
            waiting.for_each(self, |ready, waiter| {
                if ready.comes_before(waiter, owner) {
                    ready.lend(waiter, owner);
                }
            });
        }
        former != (self.urgency(owner), self.deadline(owner))
    }

    /// Makes the task ready, at the place that its level's policy gives it.
    #[cold]
    #[inline(never)]
    pub(crate) fn append_by_policy(&mut self, ByPolicy(task): ByPolicy) {
        if self.runs_by_deadline(self.level(task)) {
            self.place_by_deadline(task, Among::Last);
        } else {
            // It has been lent a deadline, and stands elsewhere meanwhile.
            let level = self.level(task);
            self.prepend(task);
            self.nodes[level].last = task;
        }
    }

    /// Lets those of the level of `task` that come before it by their policy be ahead: `task` is its first, and becomes the
    /// last of its equals.
    pub(crate) fn requeue_as_last(&mut self, task: TaskId) {
        self.remove_first(task);
        self.append(task);
    }

    /// The same, wherever in its level the task stands.
    pub(crate) fn requeue_as_last_anywhere(&mut self, task: TaskId) {
        self.remove(task);
        self.append(task);
    }

    /// Makes `task`, which is not ready, ready in its level, which runs the earliest deadline first.
    #[inline(never)]
    pub(super) fn place_by_deadline(&mut self, task: TaskId, among: Among) {
        self.prepend(task);
        let (level, own) = (self.level(task), self.deadline(task));
        let last = self.nodes[level].last;
        let first = self.nodes[task].behind;
        let (mut before, mut next) = (last, first);
        while next != task {
            let other = self.deadline(next);
            let comes_first = if among == Among::First { !other.is_before(own) } else { own.is_before(other) };
            if comes_first {
                break;
            }
            before = next;
            next = self.nodes[next].behind;
        }
        if next == first {
            return;
        }
        // Behind `before`, and whoever was the first is that again.
        self.nodes[last].behind = first;
        self.nodes[task].behind = self.nodes[before].behind;
        self.nodes[before].behind = task;
        if before == last {
            self.nodes[level].last = task;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ReadySet;
    use crate::TaskId;
    use crate::time::Instant;

    fn task(rank: usize) -> TaskId {
        TaskId::new(rank).unwrap()
    }

    /// Tasks 1 to 5 in a level that runs the earliest deadline first, each with its deadline.
    fn by_deadline(deadlines: [u64; 5]) -> ReadySet {
        let mut ready = ReadySet::empty();
        (1..=5).for_each(|rank| ready.set_by_deadline(task(rank), true));
        ready.relevel(0, |id, _| task(if (1..=5).contains(&id.index()) { 1 } else { id.index() }), 0, |_| None);
        for (rank, half_ticks) in (1..).zip(deadlines) {
            ready.set_deadline(task(rank), Instant::from_half_ticks(half_ticks));
        }
        ready
    }

    /// Takes all out, in the order in which they would run.
    fn order(mut ready: ReadySet) -> std::vec::Vec<usize> {
        let mut order = std::vec::Vec::new();
        while ready.most_urgent() != TaskId::IDLE {
            let first = ready.most_urgent();
            order.push(first.index());
            ready.remove_first(first);
        }
        order
    }

    #[test]
    fn the_earliest_is_first_and_equals_keep_their_order() {
        let deadlines = [u64::MAX - 5, 3, 3, 3, 9];
        for came in [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [3, 5, 1, 2, 4], [4, 1, 3, 5, 2]] {
            let mut ready = by_deadline(deadlines);
            came.into_iter().for_each(|rank| ready.append(task(rank)));
            let equals = came.into_iter().filter(|rank| (2..=4).contains(rank));
            let expected: std::vec::Vec<_> = [1].into_iter().chain(equals).chain([5]).collect();
            assert_eq!(order(ready), expected);
        }
    }

    #[test]
    fn who_yields_lets_those_of_its_deadline_run() {
        let mut ready = by_deadline([3, 3, 9, 9, 9]);
        (1..=3).for_each(|rank| ready.append(task(rank)));
        ready.requeue_as_last(task(1));
        assert_eq!(order(ready), [2, 1, 3]);
    }

    #[test]
    fn a_deadline_is_lent_and_taken_back() {
        let mut ready = by_deadline([3, 5, 7, 9, 9]);
        (2..=4).for_each(|rank| ready.append(task(rank)));
        assert!(ready.comes_before(task(1), task(4)) && !ready.comes_before(task(4), task(1)));
        ready.lend(task(1), task(4));
        ready.requeue(task(4));
        assert!(ready.most_urgent() == task(4) && !ready.comes_before(task(1), task(4)));
        assert!(ready.settle_with(task(4), &[]));
        ready.requeue(task(4));
        assert_eq!(order(ready), [2, 3, 4]);
    }

    #[test]
    fn a_deadline_is_lent_to_a_less_urgent_task_as_well() {
        let mut ready = by_deadline([3, 5, 5, 7, 9]);
        [2, 3, 4, 8].into_iter().for_each(|rank| ready.append(task(rank)));
        ready.lend(task(2), task(8));
        ready.requeue(task(8));
        ready.append(task(1));
        assert_eq!(order(ready), [1, 8, 2, 3, 4]);
    }

    #[test]
    fn who_is_about_to_leave_comes_first_whatever_its_deadline() {
        let mut ready = by_deadline([3, 5, 7, 9, 9]);
        (1..=3).for_each(|rank| ready.append(task(rank)));
        ready.bring_to_front(task(3));
        ready.remove_first(task(3));
        assert_eq!(order(ready), [1, 2]);
    }
}
