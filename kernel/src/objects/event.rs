// SPDX-License-Identifier: MIT OR Apache-2.0
//! A flag that the next task to wait for it takes.

use super::Wait;
use crate::TaskId;
use crate::executive::Executive;
use crate::time::Instant;
use crate::waiters::Waiters;

/// Whether something has happened, and who waits for it. All zeros where it has not and nobody does.
#[derive(Debug, Default)]
pub struct Event {
    is_set: bool,
    waiters: Waiters,
}

impl Event {
    /// Not set.
    #[must_use]
    pub const fn new() -> Self {
        Self { is_set: false, waiters: Waiters::new() }
    }

    /// The running task takes it, or waits for it.
    #[inline(always)]
    pub fn wait(&mut self, executive: &mut Executive, until: Option<Instant>) -> Wait {
        if core::mem::take(&mut self.is_set) { Wait::Not } else { executive.wait(&mut self.waiters, until) }
    }

    /// The running task, which waited for a time, runs again: whether the event was not set.
    #[inline(always)]
    #[must_use]
    pub fn has_given_up(&mut self, executive: &mut Executive) -> bool {
        executive.has_given_up(&mut self.waiters)
    }

    /// Sets it: for the most urgent waiter, where there is one, which this answers.
    #[inline(always)]
    pub fn set(&mut self, executive: &mut Executive) -> Option<TaskId> {
        let woken = executive.wake_one(&mut self.waiters);
        if woken.is_none() {
            self.is_set = true;
        }
        woken
    }
}
