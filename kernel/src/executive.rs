//! The decisions of one core: who runs, who waits, what the timer is armed for.
//!
//! The executive is told what happened (a deadline passed, the running task waits, a handler wakes a task) and answers
//! with a verdict that the board carries out. It reads no clock and touches no device, and every method takes a
//! constant number of instructions, except that [`Executive::release_first`] and [`Executive::wait_until`] replay one
//! round per binary digit of the number of tasks.

use crate::delay::{DelayQueue, Due};
use crate::ready::ReadySet;
use crate::time::Instant;
use crate::{PerTask, TaskId};

/// Who runs, waits and sleeps on one core.
#[derive(Debug)]
pub struct Executive {
    running: TaskId,
    ready: ReadySet,
    delays: DelayQueue,
    /// The tasks that wait to be woken.
    blocked: u64,
    /// The tasks that were woken before they waited: their next wait returns at once.
    woken: u64,
}

/// Somebody else is to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the board has to switch to this task"]
pub struct Switch {
    /// Who.
    pub to: TaskId,
}

impl Executive {
    /// A core with `tasks` tasks (1 to 63), none of them started, at the instant `start`. `level` names for each task
    /// the most urgent-ranked of those that share its priority.
    pub const fn new(tasks: usize, level: PerTask<TaskId>, start: Instant) -> Self {
        Self {
            running: TaskId::IDLE,
            ready: ReadySet::new(level),
            delays: DelayQueue::new(tasks, start),
            blocked: 0,
            woken: 0,
        }
    }

    /// Who runs now.
    #[inline(always)]
    pub const fn running(&self) -> TaskId {
        self.running
    }

    /// Makes a task ready that has not run yet. For the start of the system, in the order of urgency.
    pub fn start(&mut self, task: TaskId) {
        self.ready.append(task);
    }

    /// The most urgent ready task, where that is not the running one.
    #[inline(always)]
    pub fn choose(&mut self) -> Option<Switch> {
        let to = self.ready.most_urgent();
        if to == self.running {
            return None;
        }
        self.running = to;
        Some(Switch { to })
    }

    /// The running task lets an equal one run.
    #[inline(always)]
    pub fn yield_turn(&mut self) -> Option<Switch> {
        self.ready.rotate(self.running);
        self.choose()
    }

    /// The first deadline and whose it is.
    #[inline(always)]
    #[must_use]
    pub const fn first_deadline(&self) -> Due {
        self.delays.first()
    }

    /// Makes the task of the first deadline ready. It has to have one: a caller looks at [`Self::first_deadline`] before.
    #[inline(always)]
    pub fn release_first(&mut self) -> TaskId {
        let task = self.delays.first().task;
        self.delays.clear(task);
        self.ready.append(task);
        task
    }

    /// The running task waits until `at`, which may have passed already: then the board finds the deadline passed when
    /// it arms the timer, and releases the task at once.
    #[inline(always)]
    pub fn wait_until(&mut self, at: Instant) -> Option<Switch> {
        self.delays.set(self.running, at);
        self.ready.remove_head(self.running);
        self.choose()
    }

    /// The running task waits until it is woken, unless it was woken since it last waited.
    #[inline(always)]
    pub fn block(&mut self) -> Option<Switch> {
        let bit = self.running.bit();
        if self.woken & bit != 0 {
            self.woken &= !bit;
            return None;
        }
        self.blocked |= bit;
        self.ready.remove_head(self.running);
        self.choose()
    }

    /// Wakes `task`, or lets its next [`Self::block`] return at once. Whether to switch is [`Self::choose`]'s.
    #[inline(always)]
    pub fn wake(&mut self, task: TaskId) {
        let bit = task.bit();
        if self.blocked & bit == 0 {
            self.woken |= bit;
        } else {
            self.blocked &= !bit;
            self.ready.append(task);
        }
    }

    /// Gives a task that waits to be woken a deadline instead, as at time zero.
    pub fn wait_until_instead(&mut self, task: TaskId, at: Instant) {
        self.blocked &= !task.bit();
        self.delays.set(task, at);
    }
}
