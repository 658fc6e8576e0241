// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a task waits for an object, in time or without an end, and how it is woken.

use super::Executive;
use crate::TaskId;
use crate::objects::Wait;
use crate::time::Instant;
use crate::waiters::{Taken, Waiters};

impl Executive {
    /// The running task waits until it is woken, but `until` its deadline at the most, where it has one: then it asks
    /// [`Self::has_given_up`] when it runs again. Who runs next is [`Self::choose`]'s.
    #[inline(always)]
    pub fn wait(&mut self, waiters: &mut Waiters, until: Option<Instant>) -> Wait {
        waiters.add(&mut self.ready, self.running);
        let Some(deadline) = until else {
            self.block();
            return Wait::Begins;
        };
        self.ready.link(self.running).set_timed();
        if self.wait_until(deadline) { Wait::BeginsAndArms(deadline) } else { Wait::Begins }
    }

    /// Lets the most urgent of the waiters run, the one that has waited longest among equals; `None` where nobody waits.
    /// Whether to switch is [`Self::choose`]'s.
    #[inline(always)]
    pub fn wake_one(&mut self, waiters: &mut Waiters) -> Option<TaskId> {
        if let Some(task) = waiters.alone(&mut self.ready) {
            // Before the rest, which the compiler then need not read again.
            waiters.clear();
            if self.ready.append_plainly(task).is_ok() {
                return Some(task);
            }
            waiters.put_back(task);
        }
        if waiters.is_empty() { None } else { self.wake_one_otherwise(waiters) }
    }

    /// As [`Self::wake_one`], where more than one wait, or in time, or where a policy has to place who waits: which takes as
    /// long as there are waiters, deadlines before this one, or equals. One call for all that is rare, so that the usual way
    /// need not read again what it may have changed.
    #[cold]
    #[inline(never)]
    fn wake_one_otherwise(&mut self, waiters: &mut Waiters) -> Option<TaskId> {
        let taken = waiters.take(&mut self.ready)?;
        Some(self.let_run(taken))
    }

    /// Makes ready who was taken out of a chain of waiters.
    pub(super) fn let_run(&mut self, taken: Taken) -> TaskId {
        let Taken { task, was_timed } = taken;
        // Where the deadline came first the task is ready, and will find that it was woken.
        if !was_timed || self.delays.remove(task) {
            self.wake(task);
        }
        task
    }

    /// The running task, which waited for a time, runs again: whether that is because its time is over. Then it waits no
    /// longer.
    #[inline(always)]
    pub fn has_given_up(&mut self, waiters: &mut Waiters) -> bool {
        let still_waits = self.ready.link(self.running).is_timed();
        if still_waits {
            waiters.remove(&mut self.ready, self.running);
        }
        still_waits
    }
}
