// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tasks that run only when no other can, until their jobs end: behind all of the table's tasks, and before the idle task.
//!
//! They share one level, first come, first served, which no priority has. While a task is demoted that is its own level, so what
//! it holds counts as ever: it is as urgent as who waits for a mutex with inheritance that it holds, and runs at the ceiling of
//! one with a ceiling.
//!
//! Who is demoted is kept by whoever demotes, so that an executive without demotion is not a byte longer for it.

use super::Executive;
use crate::TaskId;
use crate::levels::least;
use crate::priority::Priority;

/// The tasks that are demoted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Demoted {
    tasks: u64,
}

impl Demoted {
    /// None.
    pub const NONE: Self = Self { tasks: 0 };

    /// Whether `task` is.
    #[inline(always)]
    #[must_use]
    pub const fn contains(&self, task: TaskId) -> bool {
        self.tasks & task.bit() != 0
    }
}

impl Executive {
    /// From now on `task`, whatever it does, runs only when no other task can, or by what it holds. The core has a level to
    /// spare: one task or ceiling less than it takes otherwise. Takes a few instructions for each task that is ready where it
    /// was, and for each along a chain of tasks that wait for one another. Whether to switch is [`Self::choose`]'s.
    pub fn demote(&mut self, demoted: &mut Demoted, task: TaskId) {
        demoted.tasks |= task.bit();
        self.ready.set_by_deadline(task, false);
        self.change_own(task, least());
    }

    /// The job of `task` has ended, for which it was demoted, if it was: its priority is its own again. Takes time in proportion
    /// to the number of tasks and of ceilings. Whether to switch is [`Self::choose`]'s.
    pub fn end_demotion(&mut self, demoted: &mut Demoted, task: TaskId) {
        if !demoted.contains(task) {
            return;
        }
        demoted.tasks &= !task.bit();
        let priority = self.priorities[task];
        let own = self.level_of(priority);
        if self.by_deadline.contains(priority) {
            self.ready.set_by_deadline(task, true);
            self.ready.let_run_by_deadline(own);
        }
        self.change_own(task, own);
    }

    /// As [`Self::set_priority`], where tasks may be demoted, and remain so.
    pub fn set_priority_among(&mut self, demoted: &Demoted, task: TaskId, priority: Priority) {
        self.set_priority_unless(task, priority, |task| demoted.contains(task));
    }

    /// Gives `task` another level as its own, whatever it does.
    fn change_own(&mut self, task: TaskId, own: TaskId) {
        let (is_ready, awaits) = (self.ready.is_ready(task), self.holders.awaits(task).is_some());
        self.ready.set_own(task, own);
        if !is_ready && !awaits {
            // Who waits for anything else than such a mutex holds none.
            self.ready.set_urgency(task, own);
            return self.ready.set_level(task, own);
        }
        self.settle(Some(task));
        if !awaits && self.ready.level(task) == least() {
            self.ready.requeue_as_last_anywhere(task);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Demoted;
    use crate::executive::Executive;
    use crate::objects::semaphore::Semaphore;
    use crate::priority::{Priority, PrioritySet};
    use crate::time::Instant;
    use crate::{CAPACITY, PerTask, TaskId};

    fn task(rank: usize) -> TaskId {
        TaskId::new(rank).unwrap()
    }

    /// Tasks of these priorities, all ready, and a ceiling of 10.
    fn running(numbers: &[u8]) -> Executive {
        let mut all = [Priority::IDLE; CAPACITY];
        for (place, &number) in all.iter_mut().zip(numbers) {
            *place = Priority::new(number).unwrap();
        }
        let ceilings = PrioritySet::EMPTY.with(Priority::new(10).unwrap());
        let mut executive = Executive::new(&PerTask::new(all), ceilings, false, Instant::from_half_ticks(0));
        (0..numbers.len()).for_each(|rank| executive.start(task(rank)));
        let _ = executive.choose();
        executive
    }

    /// Who runs, one after another, if each waits.
    fn order(executive: &mut Executive) -> std::vec::Vec<usize> {
        let mut order = std::vec::Vec::new();
        loop {
            let _ = executive.choose();
            if executive.running() == TaskId::IDLE {
                return order;
            }
            order.push(executive.running().index());
            executive.block();
        }
    }

    #[test]
    fn the_demoted_come_last_in_their_order_until_their_jobs_end() {
        let (mut executive, mut demoted) = (running(&[10, 20, 30, 254]), Demoted::NONE);
        executive.demote(&mut demoted, task(1));
        executive.demote(&mut demoted, task(0));
        assert_eq!(order(&mut executive), [2, 3, 1, 0]);
        executive.end_demotion(&mut demoted, task(1));
        [1, 2, 0].into_iter().for_each(|rank| executive.wake(task(rank)));
        assert_eq!(order(&mut executive), [1, 2, 0]);
        executive.end_demotion(&mut demoted, task(0));
        executive.end_demotion(&mut demoted, task(2));
        [1, 2, 0].into_iter().for_each(|rank| executive.wake(task(rank)));
        assert_eq!(order(&mut executive), [0, 1, 2]);
    }

    #[test]
    fn a_ceiling_counts_as_ever() {
        let (mut executive, mut demoted) = (running(&[10, 20]), Demoted::NONE);
        let ceiling = Priority::new(10).unwrap();
        let before = executive.lock(ceiling).unwrap();
        executive.demote(&mut demoted, task(0));
        assert_eq!(executive.choose(), None);
        executive.unlock(ceiling, before);
        assert_eq!(executive.choose().map(|switch| switch.to), Some(task(1)));
        executive.end_demotion(&mut demoted, task(0));
        assert_eq!(executive.choose().map(|switch| switch.to), Some(task(0)));
    }

    #[test]
    fn another_priority_counts_when_the_job_has_ended() {
        let (mut executive, mut demoted) = (running(&[10, 20, 30]), Demoted::NONE);
        executive.demote(&mut demoted, task(0));
        executive.set_priority_among(&demoted, task(0), Priority::new(25).unwrap());
        executive.set_priority_among(&demoted, task(2), Priority::new(1).unwrap());
        assert_eq!(executive.priority(task(0)), Priority::new(25).unwrap());
        assert_eq!(order(&mut executive), [2, 1, 0]);
        executive.end_demotion(&mut demoted, task(0));
        (0..3).for_each(|rank| executive.wake(task(rank)));
        assert_eq!(order(&mut executive), [2, 1, 0]);
    }

    #[test]
    fn who_waits_is_served_as_the_last() {
        let (mut executive, mut demoted, mut semaphore) = (running(&[10, 20]), Demoted::NONE, Semaphore::new(0, 1));
        for _ in 0..2 {
            let _ = semaphore.take(&mut executive, None);
            let _ = executive.choose();
        }
        executive.demote(&mut demoted, task(0));
        let _ = semaphore.give(&mut executive);
        assert_eq!(order(&mut executive), [1]);
        let _ = semaphore.give(&mut executive);
        assert_eq!(order(&mut executive), [0]);
    }
}
