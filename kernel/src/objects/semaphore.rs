// SPDX-License-Identifier: MIT OR Apache-2.0
//! A counting semaphore.

use super::{Wait, WaitCounts};
use crate::TaskId;
use crate::executive::Executive;
use crate::time::Instant;
use crate::waiters::Waiters;

/// How many of something there are, and who waits for one.
///
/// In this order, since the compiler would load neighbours as a pair, for which it first has to make their address.
#[derive(Debug)]
#[repr(C)]
pub struct Semaphore {
    count: u32,
    waiters: Waiters,
    most: u32,
    counts: SemaphoreCounts,
}

/// What happened to a semaphore.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SemaphoreCounts {
    /// How often tasks waited for it.
    pub wait: WaitCounts,
    /// The highest count it had.
    pub highest: u32,
    /// How often it was given while it had its most.
    pub dropped: u64,
}

/// What became of one that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// It is counted.
    Counted,
    /// It is lost: there were as many as there can be.
    Dropped,
    /// This task waited for it and has it.
    Woke(TaskId),
}

impl Semaphore {
    /// `count` to begin with, and never more than `most`.
    #[must_use]
    pub const fn new(count: u32, most: u32) -> Self {
        let wait = WaitCounts { waits: 0, time_outs: 0 };
        Self { count, most, waiters: Waiters::new(), counts: SemaphoreCounts { wait, highest: count, dropped: 0 } }
    }

    /// How many there are.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// What happened so far.
    #[must_use]
    pub const fn counts(&self) -> SemaphoreCounts {
        let mut counts = self.counts;
        if counts.highest < self.count {
            counts.highest = self.count;
        }
        counts
    }

    /// Takes one, if there is one.
    #[inline(always)]
    #[must_use]
    pub fn try_take(&mut self) -> bool {
        let count = self.count;
        if count == 0 {
            return false;
        }
        // Between two that are taken the count only grows: it is enough to look here.
        self.counts.highest = self.counts.highest.max(count);
        self.count = count.wrapping_sub(1);
        true
    }

    /// The running task takes one or waits for one.
    #[inline(always)]
    pub fn take(&mut self, executive: &mut Executive, until: Option<Instant>) -> Wait {
        if self.try_take() {
            return Wait::Not;
        }
        self.counts.wait.waits = self.counts.wait.waits.wrapping_add(1);
        executive.wait(&mut self.waiters, until)
    }

    /// The running task, which waited for a time, runs again: whether it has none.
    #[inline(always)]
    #[must_use]
    pub fn has_given_up(&mut self, executive: &mut Executive) -> bool {
        let has_given_up = executive.has_given_up(&mut self.waiters);
        if has_given_up {
            self.counts.wait.time_outs = self.counts.wait.time_outs.wrapping_add(1);
        }
        has_given_up
    }

    /// Gives one: to the most urgent waiter, where there is one.
    #[inline(always)]
    pub fn give(&mut self, executive: &mut Executive) -> Given {
        if let Some(task) = executive.wake_one(&mut self.waiters) {
            return Given::Woke(task);
        }
        if self.count >= self.most {
            return self.drop_one();
        }
        self.count = self.count.wrapping_add(1);
        Given::Counted
    }

    #[cold]
    fn drop_one(&mut self) -> Given {
        self.counts.dropped = self.counts.dropped.wrapping_add(1);
        Given::Dropped
    }
}
