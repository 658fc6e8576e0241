// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the policies of the levels change: who is first among equals.

use super::Executive;
use crate::TaskId;
use crate::priority::Priority;
use crate::time::Instant;

pub use crate::ready::ByPolicy;

impl Executive {
    /// The tasks of this priority, whoever has it at a time, run by the earliest deadline. For the start of the system, before
    /// [`Self::prepare`].
    pub const fn run_by_deadline(&mut self, priority: Priority) {
        self.by_deadline = self.by_deadline.with(priority);
    }

    /// The present job of `task`, or the one that it is about to wait for, is to end by `deadline`. Until this is said for the
    /// first time, that is never. Said while the task is not ready, or about to wait.
    #[inline(always)]
    pub fn set_deadline(&mut self, task: TaskId, deadline: Instant) {
        self.ready.set_deadline(task, deadline);
    }

    /// Whether the running task holds no mutex and its level is first come, first served; otherwise it yields by
    /// [`Self::yield_by_policy`], if it may at all.
    #[inline(always)]
    #[must_use]
    pub fn is_ordinary(&self) -> bool {
        self.ready.is_ordinary(self.running)
    }

    /// The running task lets an equal one run: where they run by deadline, one of the same deadline. Who runs next is
    /// [`Self::choose`]'s.
    pub fn yield_by_policy(&mut self) {
        self.ready.requeue_as_last(self.running);
    }

    /// Makes the task ready that [`Self::release_first`] left to this: one, that is, and no [`Watch`](super::Watch). Takes a few instructions for each equal of an earlier
    /// deadline.
    pub fn release_by_policy(&mut self, by_policy: ByPolicy) -> TaskId {
        let ByPolicy(task) = by_policy;
        self.ready.append_by_policy(by_policy);
        task
    }

    /// The running task is about to wait, in a step in which it has let others run: whose deadlines may be earlier.
    #[inline(always)]
    pub(crate) fn come_first(&mut self) {
        if !self.ready.is_ordinary(self.running) {
            self.ready.bring_to_front(self.running);
        }
    }
}
