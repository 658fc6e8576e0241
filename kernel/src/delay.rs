// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who waits for which instant: a tournament among the tasks, whose winner is the one due first.
//!
//! The tasks are the leaves of a binary tree; every inner node holds the earlier of its two children, so the root is
//! the next deadline. Giving a task another due instant replays the matches from its leaf to the root: one comparison
//! per round, and as many rounds as the table has binary digits of tasks, whatever waits and whenever it is due.
//! That constant cost is the reason for a tournament where a sorted list or a heap would do.
//!
//! A release has to be short, so it replays nothing: the second of the tournament, the earliest of those that lost to the
//! winner, is found when a task begins to wait, and takes the winner's place when the winner is taken out. The leaf of
//! the one taken out is put right by whatever comes next; mostly that is the same task, waiting again. Another release
//! before that replays.
//!
//! A task that waits for nothing is due at [`DelayQueue::never`], 2^62 half ticks after the start, so no node is
//! ever empty. Instants compare wrapping; with every due instant less than 2^62 half ticks from every other, the order
//! is sound wherever the counter starts (1,300 years at 54 MHz).

use crate::time::Instant;
use crate::{CAPACITY, TaskId};

/// A task and when it is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// When.
    pub at: Instant,
    /// Who.
    pub task: TaskId,
}

/// What the tasks of one core wait for in time.
#[derive(Debug)]
pub struct DelayQueue {
    /// Node 1 is the root, node *n* has the children 2*n* and 2*n* + 1, and task *t* is the leaf `leaves` + *t*.
    nodes: [Due; 2 * CAPACITY],
    /// How many leaves: a power of two, at least 2.
    leaves: usize,
    never: Instant,
    /// Who is due first: the root, or, while somebody is out, who was the second.
    first: Due,
    standing: Standing,
}

/// What is known of the tournament beside its first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// The tree is right, and this is its second.
    Second(Due),
    /// This task was taken out and still has its old place in the tree.
    Out(TaskId),
    /// The tree is right, and nobody has looked for its second.
    Unknown,
}

/// How far from the start "never" is, in half ticks.
const NEVER_HALF_TICKS: u64 = 1 << 62;

impl DelayQueue {
    /// Nobody waits. Room for `tasks` tasks (1 to 64); the clock stands at `start`.
    pub const fn new(tasks: usize, start: Instant) -> Self {
        let never = start.after(NEVER_HALF_TICKS);
        let leaves = if tasks <= 2 {
            2
        } else if tasks >= CAPACITY {
            CAPACITY
        } else {
            tasks.next_power_of_two()
        };
        let nobody = Due { at: never, task: TaskId::IDLE };
        Self { nodes: [nobody; 2 * CAPACITY], leaves, never, first: nobody, standing: Standing::Second(nobody) }
    }

    /// The due instant of a task that waits for nothing.
    #[inline(always)]
    pub const fn never(&self) -> Instant {
        self.never
    }

    /// Who is due first, and when; among equals the more urgent task.
    #[inline(always)]
    #[must_use]
    pub const fn first(&self) -> Due {
        self.first
    }

    /// Whether the next [`Self::take_first`] replays nothing.
    #[inline(always)]
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        matches!(self.standing, Standing::Second(_))
    }

    /// Takes the first out, who then waits no longer.
    #[inline(always)]
    pub fn take_first(&mut self) -> TaskId {
        let task = self.first.task;
        match self.standing {
            Standing::Second(second) => {
                self.first = second;
                self.standing = Standing::Out(task);
            }
            Standing::Out(out) => {
                self.replay_below(out, task);
                self.replay(task, self.never);
                self.standing = Standing::Unknown;
            }
            Standing::Unknown => self.replay(task, self.never),
        }
        task
    }

    /// Lets `task` wait until `at`.
    #[inline(always)]
    pub fn set(&mut self, task: TaskId, at: Instant) {
        if self.standing != Standing::Out(task) {
            self.settle();
        }
        self.replay(task, at);
        self.standing = Standing::Second(self.second());
    }

    /// Puts the leaf of the one taken out right.
    #[inline(always)]
    fn settle(&mut self) {
        if let Standing::Out(task) = self.standing {
            self.replay(task, self.never);
        }
        self.standing = Standing::Unknown;
    }

    /// Puts the way of `out` right up to where it meets that of `task`, which is about to be replayed.
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "every node index is below twice the capacity")]
    fn replay_below(&mut self, out: TaskId, task: TaskId) {
        let mut winner = Due { at: self.never, task: out };
        let mut node = (self.leaves | out.index()) % (2 * CAPACITY);
        let mut meeting = (self.leaves | task.index()) % (2 * CAPACITY);
        self.nodes[node] = winner;
        while node / 2 != meeting / 2 {
            winner = earlier(winner, self.nodes[node ^ 1], node & 1);
            node /= 2;
            meeting /= 2;
            self.nodes[node] = winner;
        }
    }

    /// Plays the matches from the leaf of `task`, which is due at `at`, to the root.
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "every node index is below twice the capacity")]
    fn replay(&mut self, task: TaskId, at: Instant) {
        let mut winner = Due { at, task };
        let mut node = (self.leaves | task.index()) % (2 * CAPACITY);
        self.nodes[node] = winner;
        while node > 1 {
            winner = earlier(winner, self.nodes[node ^ 1], node & 1);
            node /= 2;
            self.nodes[node] = winner;
        }
        self.first = winner;
    }

    /// Finds the second: it lost to the winner, so it is the sibling of a node on the winner's way.
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "every node index is below twice the capacity")]
    fn second(&self) -> Due {
        let mut node = (self.leaves | self.first.task.index()) % (2 * CAPACITY);
        let mut second = self.nodes[node ^ 1];
        while node > 3 {
            node /= 2;
            second = earlier(second, self.nodes[node ^ 1], node & 1);
        }
        second
    }
}

/// The earlier of `own` and its `sibling`; where both are due at once, the left one of the two, which is the more urgent.
/// `is_right` is 1 where `own` is the right one, else 0.
#[inline(always)]
const fn earlier(own: Due, sibling: Due, is_right: usize) -> Due {
    if sibling.at.since(own.at) < is_right as i64 { sibling } else { own }
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
    fn the_earliest_is_first_and_ties_go_to_the_more_urgent() {
        for start in [0, u64::MAX - 150] {
            let start = Instant::from_half_ticks(start);
            for tasks in [1, 2, 3, 8, 63] {
                let mut queue = DelayQueue::new(tasks, start);
                assert_eq!(queue.first().at, queue.never());
                for rank in (0..tasks).rev() {
                    queue.set(task(rank), start.after(200));
                    assert_eq!(queue.first().task, task(rank));
                }
                queue.set(task(tasks - 1), start.after(100));
                assert_eq!(queue.first().task, task(tasks - 1));
                for _ in 0..tasks {
                    assert!(queue.first().at != queue.never());
                    let _ = queue.take_first();
                }
                assert_eq!(queue.first().at, queue.never());
            }
        }
    }

    #[test]
    fn taking_out_and_waiting_again_agrees_with_a_sorted_list() {
        let start = Instant::from_half_ticks(u64::MAX - 500);
        for tasks in [1, 2, 3, 5, 8, 20, 63] {
            let mut queue = DelayQueue::new(tasks, start);
            let mut list: std::vec::Vec<(u64, usize)> = std::vec::Vec::new();
            let mut random = 12_345_u64;
            for _ in 0..3_000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let rank = (random >> 33) as usize % tasks;
                let later = (random >> 20) % 50;
                list.sort_unstable();
                if list.iter().any(|&(_, other)| other == rank) {
                    let (_, first) = list.remove(0);
                    assert_eq!(queue.take_first(), task(first));
                } else {
                    list.push((later, rank));
                    queue.set(task(rank), start.after(later));
                }
                list.sort_unstable();
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
        let mut queue = DelayQueue::new(4, start);
        queue.set(task(2), start.after(5));
        queue.set(task(3), start.before(5));
        assert_eq!(queue.first().task, task(3));
    }
}
