// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who waits for an object, and how often tasks did. A mailbox decides no more than this.

use super::{Wait, WaitCounts};
use crate::TaskId;
use crate::executive::Executive;
use crate::time::Instant;
use crate::waiters::Waiters;

/// The tasks that wait for one thing, counted. All zeros where nobody does or did.
#[derive(Debug, Default)]
pub struct Waiting {
    waiters: Waiters,
    counts: WaitCounts,
}

impl Waiting {
    /// Nobody waits.
    #[must_use]
    pub const fn new() -> Self {
        Self { waiters: Waiters::new(), counts: WaitCounts { waits: 0, time_outs: 0 } }
    }

    /// Whether nobody waits.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.waiters.is_empty()
    }

    /// How often tasks waited.
    #[must_use]
    pub const fn counts(&self) -> WaitCounts {
        self.counts
    }

    /// The running task waits.
    #[inline(always)]
    pub fn wait(&mut self, executive: &mut Executive, until: Option<Instant>) -> Wait {
        self.counts.waits = self.counts.waits.wrapping_add(1);
        executive.wait(&mut self.waiters, until)
    }

    /// The running task, which waited for a time, runs again: whether it was woken by nobody.
    #[inline(always)]
    #[must_use]
    pub fn has_given_up(&mut self, executive: &mut Executive) -> bool {
        let has_given_up = executive.has_given_up(&mut self.waiters);
        if has_given_up {
            self.counts.time_outs = self.counts.time_outs.wrapping_add(1);
        }
        has_given_up
    }

    /// Lets the most urgent waiter run, where there is one, which this answers.
    #[inline(always)]
    pub fn wake_one(&mut self, executive: &mut Executive) -> Option<TaskId> {
        executive.wake_one(&mut self.waiters)
    }
}
