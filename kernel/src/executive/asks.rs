// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a waiting task asks an object for, and what it gets: a task waits for one thing at a time, so this is the task's.

use super::Executive;
use crate::objects::event_flags::Wanted;
use crate::waiters::Waiters;
use crate::{CAPACITY, TaskId};

/// What each task asked for last.
#[derive(Debug)]
pub(super) struct Asks([Ask; CAPACITY]);

#[derive(Clone, Copy, Debug)]
struct Ask {
    wanted: Wanted,
    received: u32,
}

impl Asks {
    pub(super) const NONE: Self = Self([Ask { wanted: Wanted::NOTHING, received: 0 }; CAPACITY]);

    #[expect(clippy::indexing_slicing, reason = "a task's index is below the capacity")]
    const fn of(&self, task: TaskId) -> Ask {
        self.0[task.index()]
    }

    #[expect(clippy::indexing_slicing, reason = "as above")]
    const fn of_mut(&mut self, task: TaskId) -> &mut Ask {
        &mut self.0[task.index()]
    }
}

impl Executive {
    /// The running task asks for flags, of which it has `received` these.
    pub(crate) const fn ask(&mut self, wanted: Wanted, received: u32) {
        *self.asks.of_mut(self.running) = Ask { wanted, received };
    }

    /// The flags that the running task got by its latest wait for some; 0 where its time was over.
    #[must_use]
    pub const fn received(&self) -> u32 {
        self.asks.of(self.running).received
    }

    /// Lets the one waiter run, who waits without a deadline, and gives it what was `found`; `None`, and nothing happens, where a
    /// policy has to place it.
    #[inline(always)]
    pub(crate) fn wake_sole_asker(&mut self, waiters: &mut Waiters, found: u32) -> Option<TaskId> {
        let task = waiters.the_one();
        waiters.clear();
        self.asks.of_mut(task).received = found;
        if self.ready.append_plainly(task).is_err() {
            waiters.put_back(task);
            return None;
        }
        Some(task)
    }

    /// Lets the most urgent of the waiters run to whom the flags that are `set` are enough, and gives it its share: answers
    /// what it wanted and what was found.
    pub(crate) fn wake_asker(&mut self, waiters: &mut Waiters, set: u32) -> Option<(TaskId, Wanted, u32)> {
        let asks = &self.asks;
        let taken = waiters.take_one_of(&mut self.ready, |task| asks.of(task).wanted.of(set) != 0)?;
        let ask = self.asks.of_mut(taken.task);
        ask.received = ask.wanted.of(set);
        let (wanted, found) = (ask.wanted, ask.received);
        Some((self.let_run(taken), wanted, found))
    }
}
