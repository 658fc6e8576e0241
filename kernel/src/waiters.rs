// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who waits for an object of the executive's: a semaphore, a queue, a mutex.
//!
//! The tasks that wait for one object hang in a chain, the latest in front. Beginning to wait is therefore short; who
//! takes one out looks at every waiter, usually one, for the most urgent and, among equals, the one that has waited
//! longest; where the equals run by deadline, for the earliest. So a priority that changes while its task waits counts at once, and no chain has to be put in order.

use crate::TaskId;
use crate::ready::ReadySet;

/// The tasks that wait for one object.
#[derive(Debug, Default)]
pub struct Waiters {
    /// Who came last. An object in which nobody waits is all zeros, so that it takes no room in an image.
    latest: Waiter,
}

/// A task that waits, as its number and a bit that is always set; or nobody, as 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Waiter(u8);

impl Waiter {
    const NOBODY: Self = Self(0);
    const SOMEBODY: u8 = 0x40;

    #[inline(always)]
    const fn new(task: TaskId) -> Self {
        Self(task.number() | Self::SOMEBODY)
    }

    #[inline(always)]
    const fn task(self) -> Option<TaskId> {
        if self.0 == 0 { None } else { Some(TaskId::from_number(self.0 & (Self::SOMEBODY - 1))) }
    }
}

/// What a waiting task's place among all tasks holds of its wait: in one byte, so that taking out who waits alone and
/// without a deadline looks once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link(u8);

impl Link {
    /// Waits without a deadline, and nobody has waited longer for the same object.
    pub(crate) const NONE: Self = Self(0);
    const TIMED: u8 = 0x80;

    /// Who has waited longer for the same object.
    const fn earlier(self) -> Waiter {
        Waiter(self.0 & !Self::TIMED)
    }

    const fn set_earlier(&mut self, earlier: Waiter) {
        self.0 = (self.0 & Self::TIMED) | earlier.0;
    }

    /// Whether it waits in time as well, and has neither been woken nor found that its time is over.
    #[inline(always)]
    pub(crate) const fn is_timed(self) -> bool {
        self.0 & Self::TIMED != 0
    }

    /// Says so.
    #[inline(always)]
    pub(crate) const fn set_timed(&mut self) {
        self.0 |= Self::TIMED;
    }
}

/// A task that was taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// Which.
    pub(crate) task: TaskId,
    /// Whether it waited in time as well.
    pub(crate) was_timed: bool,
}

impl Waiters {
    /// Nobody waits.
    #[must_use]
    pub const fn new() -> Self {
        Self { latest: Waiter::NOBODY }
    }

    /// Whether nobody waits.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.latest.0 == 0
    }

    /// `task`, which waits for nothing, waits for this.
    #[inline(always)]
    pub(crate) fn add(&mut self, ready: &mut ReadySet, task: TaskId) {
        *ready.link(task) = Link(self.latest.0);
        self.latest = Waiter::new(task);
    }

    /// Who waits alone and without a deadline; `None` where that is not how it is.
    #[inline(always)]
    pub(crate) fn alone(&self, ready: &mut ReadySet) -> Option<TaskId> {
        let latest = self.latest.task()?;
        if *ready.link(latest) == Link::NONE { Some(latest) } else { None }
    }

    /// Who waits alone, where somebody does; the idle task where nobody waits.
    #[inline(always)]
    pub(crate) const fn the_one(&self) -> TaskId {
        TaskId::from_number(self.latest.0 & (Waiter::SOMEBODY - 1))
    }

    /// Takes out who waits [alone](Self::alone).
    #[inline(always)]
    pub(crate) const fn clear(&mut self) {
        self.latest = Waiter::NOBODY;
    }

    /// Puts back who was alone.
    #[inline(always)]
    pub(crate) const fn put_back(&mut self, task: TaskId) {
        self.latest = Waiter::new(task);
    }

    /// Takes out who is to have the object: the most urgent, the earliest deadline where that counts, the one that
    /// has waited longest among equals.
    #[inline(always)]
    pub(crate) fn take(&mut self, ready: &mut ReadySet) -> Option<Taken> {
        if let Some(task) = self.alone(ready) {
            self.clear();
            return Some(Taken { task, was_timed: false });
        }
        self.take_one_of(ready, |_| true)
    }

    /// As [`Self::take`], of those that `may_have` it.
    pub(crate) fn take_one_of(&mut self, ready: &mut ReadySet, may_have: impl Fn(TaskId) -> bool) -> Option<Taken> {
        let mut chosen: Option<TaskId> = None;
        let mut next = self.latest.task();
        while let Some(task) = next {
            let is_before = chosen.is_none_or(|other| !ready.comes_before(other, task));
            if is_before && may_have(task) {
                chosen = Some(task);
            }
            next = ready.link(task).earlier().task();
        }
        let task = chosen?;
        let was_timed = ready.link(task).is_timed();
        self.remove(ready, task);
        Some(Taken { task, was_timed })
    }

    /// How urgent the most urgent is, as a level; that of the idle task where nobody waits.
    pub(crate) fn urgency(&self, ready: &mut ReadySet) -> TaskId {
        let mut most = TaskId::IDLE;
        self.for_each(ready, |ready, task| {
            let urgency = ready.urgency(task);
            if urgency.number() < most.number() {
                most = urgency;
            }
        });
        most
    }

    /// Looks at each, the latest first.
    pub(crate) fn for_each(&self, ready: &mut ReadySet, mut look: impl FnMut(&mut ReadySet, TaskId)) {
        let mut next = self.latest.task();
        while let Some(task) = next {
            look(ready, task);
            next = ready.link(task).earlier().task();
        }
    }

    /// Takes `task` out, which waits for this no longer.
    pub(crate) fn remove(&mut self, ready: &mut ReadySet, task: TaskId) {
        let behind = ready.link(task).earlier();
        *ready.link(task) = Link::NONE;
        let mut later = None;
        let mut next = self.latest.task();
        while let Some(other) = next.filter(|&other| other != task) {
            later = Some(other);
            next = ready.link(other).earlier().task();
        }
        match later {
            None => self.latest = behind,
            Some(later) => ready.link(later).set_earlier(behind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Waiters;
    use crate::TaskId;
    use crate::ready::ReadySet;
    use crate::time::Instant;

    fn task(rank: usize) -> TaskId {
        TaskId::new(rank).unwrap()
    }

    /// Two tasks a level: 0 and 1, 2 and 3, ...
    fn levels() -> ReadySet {
        let mut ready = ReadySet::empty();
        ready.relevel(0, |id, _| task(id.index() & !1), 0, |_| None);
        ready
    }

    /// The order in which these, who came in this order, are taken out.
    fn order(came: &[usize]) -> std::vec::Vec<usize> {
        let (mut ready, mut waiters) = (levels(), Waiters::new());
        for &rank in came {
            waiters.add(&mut ready, task(rank));
        }
        std::iter::from_fn(|| waiters.take(&mut ready).map(|taken| taken.task.index())).collect()
    }

    #[test]
    fn the_most_urgent_is_first_and_the_longest_waiting_among_equals() {
        assert!(order(&[]).is_empty());
        assert_eq!(order(&[7]), [7]);
        assert_eq!(order(&[5, 3, 2, 4, 9]), [3, 2, 5, 4, 9]);
        assert_eq!(order(&[1, 0]), [1, 0]);
        assert_eq!(order(&[0, 1]), [0, 1]);
    }

    #[test]
    fn among_equals_by_deadline_the_earliest_is_first() {
        let (mut ready, mut waiters) = (levels(), Waiters::new());
        [2, 4, 7, 9].into_iter().for_each(|rank| ready.set_by_deadline(task(rank), true));
        ready.relevel(0, |_, _| task(0), 0, |_| None);
        for (rank, half_ticks) in [(4, 20), (7, 10), (2, 20), (9, 30)] {
            ready.set_deadline(task(rank), Instant::from_half_ticks(half_ticks));
            waiters.add(&mut ready, task(rank));
        }
        let order: std::vec::Vec<_> =
            std::iter::from_fn(|| waiters.take(&mut ready).map(|taken| taken.task.index())).collect();
        assert_eq!(order, [7, 4, 2, 9]);
    }

    #[test]
    fn who_gives_up_is_gone_wherever_it_stood() {
        for gone in 0..4 {
            let (mut ready, mut waiters) = (levels(), Waiters::new());
            for rank in [0, 2, 4, 6] {
                waiters.add(&mut ready, task(rank));
            }
            waiters.remove(&mut ready, task(gone * 2));
            let rest: std::vec::Vec<_> =
                std::iter::from_fn(|| waiters.take(&mut ready).map(|taken| taken.task.index())).collect();
            let expected: std::vec::Vec<_> = [0, 2, 4, 6].into_iter().filter(|&rank| rank != gone * 2).collect();
            assert_eq!(rest, expected);
            assert!(waiters.is_empty());
        }
    }
}
