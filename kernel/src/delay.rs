// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who waits for which instant: a list of the waiting tasks, the one due first in front.
//!
//! A release has to be short, so it takes the first off and is done. The work is in beginning to wait, which looks for
//! its place from the front: a few instructions for each task that is due earlier or at the same instant, so at most as
//! many steps as the table has tasks. Tasks due at the same instant stand in the order in which they began to wait.
//!
//! The list ends at the idle task, which waits for [`DelayQueue::never`], 2^62 half ticks after the start, so the first
//! has always a due instant. Instants compare wrapping; with every due instant less than 2^62 half ticks from every
//! other, the order is sound wherever the counter starts (1,300 years at 54 MHz).

use crate::time::Instant;
use crate::{PerTask, TaskId};

/// A task and when it is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// When.
    pub at: Instant,
    /// Who.
    pub task: TaskId,
}

/// What the tasks of one core wait for in time.
///
/// In the order in memory that the interrupt path asks for, as the [`ReadySet`](crate::ready::ReadySet).
#[derive(Debug)]
#[repr(C)]
pub struct DelayQueue {
    first: Due,
    /// Who stands behind each waiting task; the idle task behind the last.
    behind: PerTask<Behind>,
    /// When each waiting task is due; the idle task never.
    due: PerTask<Instant>,
}

/// As large as an address, so that an index into one such array is an index into others.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
struct Behind(TaskId);

/// How far from the start "never" is, in half ticks.
const NEVER_HALF_TICKS: u64 = 1 << 62;

impl DelayQueue {
    /// Nobody waits; the clock stands at `start`.
    pub const fn new(start: Instant) -> Self {
        let never = start.after(NEVER_HALF_TICKS);
        Self {
            first: Due { at: never, task: TaskId::IDLE },
            due: PerTask::all(never),
            behind: PerTask::all(Behind(TaskId::IDLE)),
        }
    }

    /// The clock stands at `start`; nobody waits, and nobody has waited yet.
    pub fn begin_at(&mut self, start: Instant) {
        let never = start.after(NEVER_HALF_TICKS);
        self.first = Due { at: never, task: TaskId::IDLE };
        self.due[TaskId::IDLE] = never;
    }

    /// What the first is due at while nobody waits.
    #[inline(always)]
    pub fn never(&self) -> Instant {
        self.due[TaskId::IDLE]
    }

    /// Who is due first, and when.
    #[inline(always)]
    #[must_use]
    pub const fn first(&self) -> Due {
        self.first
    }

    /// When `task` is due, if it waits. Takes a few instructions for each that is due before.
    #[must_use]
    pub fn due(&self, task: TaskId) -> Option<Instant> {
        let mut other = self.first.task;
        while other != task {
            if other == TaskId::IDLE {
                return None;
            }
            other = self.behind[other].0;
        }
        Some(self.due[task])
    }

    /// Takes the first off, who then waits no longer.
    #[inline(always)]
    pub fn take_first(&mut self) -> TaskId {
        let task = self.first.task;
        let next = self.behind[task].0;
        self.first = Due { at: self.due[next], task: next };
        task
    }

    /// Takes `task` off before its instant has come, wherever it stands. False, and nothing happens, where it does not wait.
    #[inline(always)]
    pub fn remove(&mut self, task: TaskId) -> bool {
        let mut before = self.first.task;
        if before == task {
            let _ = self.take_first();
            return true;
        }
        while before != TaskId::IDLE {
            let next = self.behind[before].0;
            if next == task {
                self.behind[before] = self.behind[task];
                return true;
            }
            before = next;
        }
        false
    }

    /// Lets `task`, which does not wait, wait until `at`, behind those that are due at the same instant. Answers whether
    /// it is the first.
    ///
    /// An instant that is not before [`Self::never`] is taken as the last one that is: nobody lives to see either.
    #[inline(always)]
    pub fn insert(&mut self, task: TaskId, at: Instant) -> bool {
        let never = self.never();
        let at = if at.is_before(never) { at } else { never.before(1) };
        self.due[task] = at;
        if at.is_before(self.first.at) {
            self.behind[task].0 = self.first.task;
            self.first = Due { at, task };
            return true;
        }
        let mut before = self.first.task;
        let mut next = self.behind[before].0;
        while !at.is_before(self.due[next]) {
            before = next;
            next = self.behind[before].0;
        }
        self.behind[task].0 = next;
        self.behind[before].0 = task;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::DelayQueue;
    use crate::TaskId;
    use crate::time::Instant;

    fn task(rank: usize) -> TaskId {
        TaskId::new(rank).unwrap()
    }

    #[test]
    fn the_earliest_is_first_and_equals_keep_their_order() {
        for start in [0, u64::MAX - 150] {
            let start = Instant::from_half_ticks(start);
            let mut queue = DelayQueue::new(start);
            assert_eq!(queue.first().at, queue.never());
            assert!(queue.insert(task(5), start.after(200)));
            assert!(!queue.insert(task(3), start.after(200)));
            assert!(!queue.insert(task(9), start.after(300)));
            assert!(!queue.insert(task(0), start.after(200)));
            assert!(queue.insert(task(62), start.after(199)));
            let order: [usize; 5] = core::array::from_fn(|_| queue.take_first().index());
            assert_eq!(order, [62, 5, 3, 0, 9]);
            assert_eq!((queue.first().at, queue.first().task), (queue.never(), TaskId::IDLE));
        }
    }

    #[test]
    fn who_is_removed_is_gone_and_the_others_keep_their_order() {
        let start = Instant::from_half_ticks(u64::MAX - 150);
        for (removed, left) in [(5, [3, 9, 0]), (3, [5, 9, 0]), (9, [5, 3, 0]), (0, [5, 3, 9])] {
            let mut queue = DelayQueue::new(start);
            for (rank, later) in [(9, 200), (5, 100), (3, 150), (0, 300)] {
                let _ = queue.insert(task(rank), start.after(later));
            }
            assert!(!queue.remove(task(7)));
            let later = [300, 0, 0, 150, 0, 100, 0, 0, 0, 200][removed];
            assert_eq!((queue.due(task(7)), queue.due(task(removed))), (None, Some(start.after(later))));
            assert!(queue.remove(task(removed)));
            assert_eq!(queue.due(task(removed)), None);
            assert!(!queue.remove(task(removed)));
            let order: [usize; 3] = core::array::from_fn(|_| queue.take_first().index());
            assert_eq!(order, left);
            assert_eq!(queue.first().task, TaskId::IDLE);
            assert!(!queue.remove(task(0)));
        }
    }

    #[test]
    fn waiting_and_taking_agrees_with_a_sorted_list() {
        let start = Instant::from_half_ticks(u64::MAX - 500);
        for tasks in [1, 2, 3, 5, 8, 20, 63] {
            let mut queue = DelayQueue::new(start);
            let mut list: std::vec::Vec<(u64, usize)> = std::vec::Vec::new();
            let mut random = 12_345_u64;
            for _ in 0..3_000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let rank = (random >> 33) as usize % tasks;
                let later = (random >> 20) % 50;
                if list.iter().any(|&(_, other)| other == rank) {
                    let (_, first) = list.remove(0);
                    assert_eq!(queue.take_first(), task(first));
                } else {
                    let place = list.iter().position(|&(other, _)| other > later).unwrap_or(list.len());
                    list.insert(place, (later, rank));
                    assert_eq!(queue.insert(task(rank), start.after(later)), place == 0);
                }
                let expected = list.first().map_or(queue.never(), |&(later, _)| start.after(later));
                assert_eq!(queue.first().at, expected);
                if let Some(&(_, rank)) = list.first() {
                    assert_eq!(queue.first().task, task(rank));
                }
            }
        }
    }

    #[test]
    fn a_due_instant_may_lie_in_the_past() {
        let start = Instant::from_half_ticks(1_000);
        let mut queue = DelayQueue::new(start);
        assert!(queue.insert(task(2), start.after(5)));
        assert!(queue.insert(task(3), start.before(5)));
        assert_eq!(queue.first().task, task(3));
    }

    #[test]
    fn an_instant_beyond_never_comes_last_and_ends_no_walk() {
        let start = Instant::from_half_ticks(1_000);
        let mut queue = DelayQueue::new(start);
        assert!(queue.insert(task(2), start.after(u64::MAX >> 1)));
        assert!(!queue.insert(task(3), start.after(1 << 62)));
        assert!(queue.insert(task(4), start.after(7)));
        let order: [usize; 3] = core::array::from_fn(|_| queue.take_first().index());
        assert_eq!(order, [4, 2, 3]);
        assert_eq!(queue.first().task, TaskId::IDLE);
    }
}
