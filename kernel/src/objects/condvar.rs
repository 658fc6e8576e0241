// SPDX-License-Identifier: MIT OR Apache-2.0
//! A condition variable: tasks wait until another says that what a mutex guards may have become as they want it.

use super::inherit_mutex::InheritMutex;
use super::waiting::Waiting;
use super::{Wait, WaitCounts};
use crate::TaskId;
use crate::executive::Executive;
use crate::time::Instant;

/// Who waits. All zeros while nobody does.
#[derive(Debug, Default)]
pub struct CondVar {
    waiting: Waiting,
}

/// What becomes of the task that waits, and of the mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the task waits"]
pub struct Released {
    /// Who has the mutex now.
    pub next_owner: Option<TaskId>,
    /// What becomes of the running task.
    pub wait: Wait,
}

impl CondVar {
    /// Nobody waits.
    #[must_use]
    pub const fn new() -> Self {
        Self { waiting: Waiting::new() }
    }

    /// How often tasks waited.
    #[must_use]
    pub const fn counts(&self) -> WaitCounts {
        self.waiting.counts()
    }

    /// The running task unlocks `mutex`, the latest that it locked, and waits.
    pub fn wait(&mut self, mutex: &mut InheritMutex, executive: &mut Executive, until: Option<Instant>) -> Released {
        let next_owner = mutex.unlock(executive);
        executive.come_first();
        Released { next_owner, wait: self.waiting.wait(executive, until) }
    }

    /// The running task, which waited for a time, runs again: whether nobody notified it.
    #[must_use]
    pub fn has_given_up(&mut self, executive: &mut Executive) -> bool {
        self.waiting.has_given_up(executive)
    }

    /// Lets the most urgent waiter look again, which this answers. For all: until this answers `None`.
    #[inline(always)]
    pub fn notify_one(&mut self, executive: &mut Executive) -> Option<TaskId> {
        self.waiting.wake_one(executive)
    }
}
