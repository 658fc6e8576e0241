// SPDX-License-Identifier: MIT OR Apache-2.0
//! The decisions of one core: who runs, who waits, what the timer is armed for.
//!
//! The executive is told what happened (a deadline passed, the running task waits, a handler wakes a task) and answers
//! with a verdict that the board carries out. It reads no clock and touches no device, and every method takes a
//! constant number of instructions, except that [`Executive::wait_until`], and [`Executive::release_first`] while another
//! released task has not waited again, replay one round per binary digit of the number of tasks.

use crate::delay::{DelayQueue, Due};
use crate::priority::Priority;
use crate::ready::ReadySet;
use crate::time::Instant;
use crate::{CAPACITY, PerTask, TaskId};

/// Who runs, waits and sleeps on one core.
#[derive(Debug)]
pub struct Executive {
    running: TaskId,
    priorities: PerTask<Priority>,
    ready: ReadySet,
    delays: DelayQueue,
}

/// Somebody else is to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Who.
    pub to: TaskId,
}

impl Executive {
    /// A core with `tasks` tasks (1 to 63), none of them started, at the instant `start`, each of the priority that
    /// `priorities` says. The idle task has [`Priority::IDLE`].
    pub fn new(tasks: usize, priorities: PerTask<Priority>, start: Instant) -> Self {
        let ready = ReadySet::new(levels(&priorities));
        Self { running: TaskId::IDLE, priorities, ready, delays: DelayQueue::new(tasks, start) }
    }

    /// A core without tasks, for a static.
    pub const fn empty() -> Self {
        const IDLE: PerTask<TaskId> = PerTask::all(TaskId::IDLE);
        Self {
            running: TaskId::IDLE,
            priorities: PerTask::all(Priority::IDLE),
            ready: ReadySet::new(IDLE),
            delays: DelayQueue::new(1, Instant::from_half_ticks(0)),
        }
    }

    /// The priority of `task`.
    pub fn priority(&self, task: TaskId) -> Priority {
        self.priorities[task]
    }

    /// Gives `task` another priority; among its new equals that are ready it comes by its former urgency. Takes time in
    /// proportion to the number of tasks: for a task that has no deadline yet. Whether to switch is [`Self::choose`]'s.
    pub fn set_priority(&mut self, task: TaskId, priority: Priority) {
        self.priorities[task] = priority;
        self.ready.relevel(levels(&self.priorities));
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
    #[must_use = "the board has to switch"]
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
    #[must_use = "the board has to switch"]
    pub fn yield_turn(&mut self) -> Option<Switch> {
        // The running task is of the most urgent level, so whoever heads that level now is the one to run.
        let to = self.ready.rotate(self.running)?;
        self.running = to;
        Some(Switch { to })
    }

    /// The first deadline and whose it is.
    #[inline(always)]
    #[must_use]
    pub const fn first_deadline(&self) -> Due {
        self.delays.first()
    }

    /// Whether the next [`Self::release_first`] is a short one: every released task has waited again.
    #[inline(always)]
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.delays.is_settled()
    }

    /// Makes the task of the first deadline ready. It has to have one: a caller looks at [`Self::first_deadline`] before.
    #[inline(always)]
    pub fn release_first(&mut self) -> TaskId {
        let task = self.delays.take_first();
        self.ready.append(task);
        task
    }

    /// The running task waits until `at`, which may have passed already: then the board finds the deadline passed when
    /// it arms the timer, and releases the task at once.
    #[inline(always)]
    #[must_use = "the board has to switch"]
    pub fn wait_until(&mut self, at: Instant) -> Option<Switch> {
        self.delays.set(self.running, at);
        self.ready.remove_first(self.running);
        self.choose()
    }

    /// The running task waits until it is woken.
    #[inline(always)]
    #[must_use = "the board has to switch"]
    pub fn block(&mut self) -> Option<Switch> {
        self.ready.remove_first(self.running);
        self.choose()
    }

    /// Makes `task`, which was blocked, ready. Whether to switch is [`Self::choose`]'s.
    #[inline(always)]
    pub fn wake(&mut self, task: TaskId) {
        self.ready.append(task);
    }

    /// Lets `task`, which was blocked, wait until `at` instead: so do the periodic tasks when time zero is known.
    pub fn let_wait_until(&mut self, task: TaskId, at: Instant) {
        self.delays.set(task, at);
    }
}

/// The level of each task: the first by number of those that share its priority, where the numbers are given out in the
/// order of urgency.
fn levels(priorities: &PerTask<Priority>) -> PerTask<TaskId> {
    let more_urgent = |than: Priority| {
        (0..CAPACITY)
            .filter_map(TaskId::new)
            .filter(|&other| other != TaskId::IDLE && priorities[other].is_more_urgent_than(than))
            .count()
    };
    PerTask::new(core::array::from_fn(|rank| match TaskId::new(rank) {
        Some(task) if task != TaskId::IDLE => TaskId::new(more_urgent(priorities[task])).unwrap_or(TaskId::IDLE),
        _ => TaskId::IDLE,
    }))
}

#[cfg(test)]
mod tests {
    use super::{Executive, Switch};
    use crate::priority::Priority;
    use crate::time::Instant;
    use crate::{CAPACITY, PerTask, TaskId};

    fn task(rank: usize) -> TaskId {
        TaskId::new(rank).unwrap()
    }

    fn at(half_ticks: u64) -> Instant {
        Instant::from_half_ticks(half_ticks)
    }

    /// Tasks of these priorities, started, the first of them running.
    fn running(priorities: &[u8]) -> Executive {
        let mut all = [Priority::IDLE; CAPACITY];
        for (slot, &number) in all.iter_mut().zip(priorities) {
            *slot = Priority::new(number).unwrap();
        }
        let mut executive = Executive::new(priorities.len(), PerTask::new(all), at(0));
        for rank in 0..priorities.len() {
            executive.start(task(rank));
        }
        assert_eq!(executive.choose(), Some(Switch { to: task(0) }));
        executive
    }

    #[test]
    fn a_released_task_preempts_a_less_urgent_one() {
        let mut executive = running(&[10, 20]);
        assert_eq!(executive.wait_until(at(100)), Some(Switch { to: task(1) }));
        assert_eq!(executive.first_deadline().at, at(100));
        assert_eq!(executive.release_first(), task(0));
        assert_eq!(executive.choose(), Some(Switch { to: task(0) }));
        assert_eq!(executive.running(), task(0));
    }

    #[test]
    fn a_released_task_waits_for_a_more_urgent_one() {
        let mut executive = running(&[10, 20]);
        assert_eq!(executive.block(), Some(Switch { to: task(1) }));
        assert_eq!(executive.wait_until(at(100)), Some(Switch { to: TaskId::IDLE }));
        executive.wake(task(0));
        assert_eq!(executive.choose(), Some(Switch { to: task(0) }));
        assert_eq!(executive.release_first(), task(1));
        assert_eq!(executive.choose(), None);
    }

    #[test]
    fn a_preempted_task_goes_on_before_its_equals() {
        let mut executive = running(&[10, 20, 20]);
        assert_eq!(executive.block(), Some(Switch { to: task(1) }));
        executive.wake(task(0));
        assert_eq!(executive.choose(), Some(Switch { to: task(0) }));
        assert_eq!(executive.block(), Some(Switch { to: task(1) }));
    }

    #[test]
    fn yielding_goes_round_among_equals_only() {
        let mut executive = running(&[10, 10, 20]);
        assert_eq!(executive.yield_turn(), Some(Switch { to: task(1) }));
        assert_eq!(executive.yield_turn(), Some(Switch { to: task(0) }));
        assert_eq!(executive.block(), Some(Switch { to: task(1) }));
        assert_eq!(executive.yield_turn(), None);
    }

    #[test]
    fn a_changed_priority_counts_at_once() {
        let mut executive = running(&[10, 20, 30]);
        executive.set_priority(task(0), Priority::new(25).unwrap());
        assert_eq!(executive.choose(), Some(Switch { to: task(1) }));
        executive.set_priority(task(2), Priority::new(1).unwrap());
        assert_eq!(executive.choose(), Some(Switch { to: task(2) }));
        assert_eq!(executive.block(), Some(Switch { to: task(1) }));
        assert_eq!(executive.block(), Some(Switch { to: task(0) }));
        assert_eq!(executive.block(), Some(Switch { to: TaskId::IDLE }));
    }
}
