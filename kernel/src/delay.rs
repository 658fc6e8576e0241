//! Who waits for which instant: a tournament among the tasks, whose winner is the one due first.
//!
//! The tasks are the leaves of a binary tree; every inner node holds the earlier of its two children, so the root is
//! the next deadline. Giving a task another due instant replays the matches from its leaf to the root: one comparison
//! per round, and as many rounds as the table has binary digits of tasks, whatever waits and whenever it is due.
//! That constant cost is the reason for a tournament where a sorted list or a heap would do.
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
        Self { nodes: [Due { at: never, task: TaskId::IDLE }; 2 * CAPACITY], leaves, never }
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
        self.nodes[1]
    }

    /// Lets `task` wait until `at`.
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "every node index is below twice the capacity")]
    pub fn set(&mut self, task: TaskId, at: Instant) {
        let mut winner = Due { at, task };
        let mut node = (self.leaves | task.index()) % (2 * CAPACITY);
        self.nodes[node] = winner;
        while node > 1 {
            let sibling = self.nodes[node ^ 1];
            // A right child yields to its left sibling when both are due at once: the left one is more urgent.
            let head_start = (node & 1) as i64;
            if sibling.at.since(winner.at) < head_start {
                winner = sibling;
            }
            node /= 2;
            self.nodes[node] = winner;
        }
    }

    /// `task` no longer waits.
    #[inline(always)]
    pub fn clear(&mut self, task: TaskId) {
        self.set(task, self.never);
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
                for rank in 0..tasks {
                    queue.clear(task(rank));
                }
                assert_eq!(queue.first().at, queue.never());
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
