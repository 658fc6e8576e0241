// SPDX-License-Identifier: MIT OR Apache-2.0
//! The decisions of one core: who runs, who waits, what the timer is armed for.
//!
//! The executive is told what happened (a deadline passed, the running task waits, a handler wakes a task) and answers
//! with a verdict that the board carries out. It reads no clock and touches no device, and every method on the interrupt
//! path takes a constant number of instructions; [`Executive::wait_until`] takes a few for each task that is due earlier.

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
    /// A core whose tasks, none of them started, have these priorities, at the instant `start`. A place without a task has
    /// [`Priority::IDLE`], and so has the idle task.
    pub fn new(priorities: PerTask<Priority>, start: Instant) -> Self {
        let ready = ReadySet::new(levels(&priorities));
        Self { running: TaskId::IDLE, priorities, ready, delays: DelayQueue::new(start) }
    }

    /// A core without tasks, for a static.
    pub const fn empty() -> Self {
        const IDLE: PerTask<TaskId> = PerTask::all(TaskId::IDLE);
        Self {
            running: TaskId::IDLE,
            priorities: PerTask::all(Priority::IDLE),
            ready: ReadySet::new(IDLE),
            delays: DelayQueue::new(Instant::from_half_ticks(0)),
        }
    }

    /// The priority of `task`.
    pub fn priority(&self, task: TaskId) -> Priority {
        self.priorities[task]
    }

    /// Gives `task` another priority; among its new equals that are ready it comes by its former urgency. Takes time in
    /// proportion to the number of tasks: for a task that has no deadline yet. Whether to switch is [`Self::choose`]'s.
    pub fn set_priority(&mut self, task: TaskId, priority: Priority) {
        let former = core::mem::replace(&mut self.priorities[task], priority);
        let mut level = self.ready.levels().clone();
        for other in tasks().filter(|&other| other != task) {
            let its = self.priorities[other];
            // Who counted `task` among the more urgent and does not any more moves up by one, and the reverse.
            let rank = level[other].index();
            level[other] = match (former.is_more_urgent_than(its), priority.is_more_urgent_than(its)) {
                (true, false) => at_rank(rank.saturating_sub(1)),
                (false, true) => at_rank(rank.saturating_add(1)),
                _ => at_rank(rank),
            };
        }
        level[task] = level_of(&self.priorities, priority);
        self.ready.relevel(level);
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

    /// Makes the task of the first deadline ready. It has to have one: a caller looks at [`Self::first_deadline`] before.
    #[inline(always)]
    pub fn release_first(&mut self) -> TaskId {
        let task = self.delays.take_first();
        self.ready.append(task);
        task
    }

    /// The running task waits until `at`, which may have passed already: then the board finds the deadline passed when
    /// it arms the timer, and releases the task at once. Answers whether this is the first deadline now, for which the
    /// timer is to be armed. Who runs next is [`Self::choose`]'s.
    #[inline(always)]
    #[must_use = "the timer has to be armed for a new first deadline"]
    pub fn wait_until(&mut self, at: Instant) -> bool {
        self.ready.remove_first(self.running);
        self.delays.insert(self.running, at)
    }

    /// The running task waits until it is woken. Who runs next is [`Self::choose`]'s.
    #[inline(always)]
    pub fn block(&mut self) {
        self.ready.remove_first(self.running);
    }

    /// Makes `task`, which was blocked, ready. Whether to switch is [`Self::choose`]'s.
    #[inline(always)]
    pub fn wake(&mut self, task: TaskId) {
        self.ready.append(task);
    }

    /// Makes `task` ready, which waits until an instant, before that has come. False, and nothing happens, where it had: then
    /// the task is ready already. The timer may stay armed for that instant, at which nobody is due then. Takes a few
    /// instructions for each task that is due earlier.
    #[inline(always)]
    pub fn wake_early(&mut self, task: TaskId) -> bool {
        let was_waiting = self.delays.remove(task);
        if was_waiting {
            self.ready.append(task);
        }
        was_waiting
    }

    /// Lets `task`, which was blocked, wait until `at` instead: so do the periodic tasks when time zero is known. The
    /// timer is to be armed for [`Self::first_deadline`] afterwards.
    pub fn let_wait_until(&mut self, task: TaskId, at: Instant) {
        let _ = self.delays.insert(task, at);
    }
}

/// The level of each task.
fn levels(priorities: &PerTask<Priority>) -> PerTask<TaskId> {
    let mut level = PerTask::all(TaskId::IDLE);
    for task in tasks() {
        level[task] = level_of(priorities, priorities[task]);
    }
    level
}

/// The level of tasks of this priority: how many tasks are more urgent, so that equals share it and the numbers are in the
/// order of urgency.
fn level_of(priorities: &PerTask<Priority>, priority: Priority) -> TaskId {
    at_rank(tasks().filter(|&task| priorities[task].is_more_urgent_than(priority)).count())
}

/// All places but the idle task's.
fn tasks() -> impl Iterator<Item = TaskId> {
    (0..CAPACITY).filter_map(TaskId::new).filter(|&task| task != TaskId::IDLE)
}

fn at_rank(rank: usize) -> TaskId {
    TaskId::new(rank).unwrap_or(TaskId::IDLE)
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
        let mut executive = Executive::new(PerTask::new(all), at(0));
        for rank in 0..priorities.len() {
            executive.start(task(rank));
        }
        assert_eq!(executive.choose(), Some(Switch { to: task(0) }));
        executive
    }

    #[test]
    fn a_released_task_preempts_a_less_urgent_one() {
        let mut executive = running(&[10, 20]);
        assert!(executive.wait_until(at(100)));
        assert_eq!(executive.choose(), Some(Switch { to: task(1) }));
        assert_eq!(executive.first_deadline().at, at(100));
        assert_eq!(executive.release_first(), task(0));
        assert_eq!(executive.choose(), Some(Switch { to: task(0) }));
        assert_eq!(executive.running(), task(0));
    }

    #[test]
    fn a_released_task_waits_for_a_more_urgent_one() {
        let mut executive = running(&[10, 20]);
        executive.block();
        assert_eq!(executive.choose(), Some(Switch { to: task(1) }));
        assert!(executive.wait_until(at(100)));
        assert_eq!(executive.choose(), Some(Switch { to: TaskId::IDLE }));
        executive.wake(task(0));
        assert_eq!(executive.choose(), Some(Switch { to: task(0) }));
        assert_eq!(executive.release_first(), task(1));
        assert_eq!(executive.choose(), None);
    }

    #[test]
    fn a_preempted_task_goes_on_before_its_equals() {
        let mut executive = running(&[10, 20, 20]);
        executive.block();
        assert_eq!(executive.choose(), Some(Switch { to: task(1) }));
        executive.wake(task(0));
        assert_eq!(executive.choose(), Some(Switch { to: task(0) }));
        executive.block();
        assert_eq!(executive.choose(), Some(Switch { to: task(1) }));
    }

    #[test]
    fn yielding_goes_round_among_equals_only() {
        let mut executive = running(&[10, 10, 20]);
        assert_eq!(executive.yield_turn(), Some(Switch { to: task(1) }));
        assert_eq!(executive.yield_turn(), Some(Switch { to: task(0) }));
        executive.block();
        assert_eq!(executive.choose(), Some(Switch { to: task(1) }));
        assert_eq!(executive.yield_turn(), None);
    }

    #[test]
    fn a_changed_priority_counts_at_once() {
        let mut executive = running(&[10, 20, 30]);
        executive.set_priority(task(0), Priority::new(25).unwrap());
        assert_eq!(executive.choose(), Some(Switch { to: task(1) }));
        executive.set_priority(task(2), Priority::new(1).unwrap());
        assert_eq!(executive.choose(), Some(Switch { to: task(2) }));
        executive.block();
        assert_eq!(executive.choose(), Some(Switch { to: task(1) }));
        executive.block();
        assert_eq!(executive.choose(), Some(Switch { to: task(0) }));
        executive.block();
        assert_eq!(executive.choose(), Some(Switch { to: TaskId::IDLE }));
    }
}
