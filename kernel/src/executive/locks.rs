// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutexes with a priority ceiling: who holds one runs at the ceiling, so that nobody who uses it comes between.

use super::Executive;
use crate::TaskId;
use crate::priority::Priority;
use crate::ready::Locks;

/// What the running task was before it locked a mutex, for when it unlocks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the mutex has to be unlocked with this"]
pub struct Before {
    locks: Locks,
}

/// Why a mutex cannot be locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockRefused {
    /// The ceiling is less urgent than the task, or no line of the table names it.
    Ceiling,
    /// The task holds a mutex of this ceiling already.
    Held,
}

impl Executive {
    /// The running task holds the mutex of this ceiling from now on, and runs at the ceiling.
    ///
    /// # Errors
    /// Where it may not; nothing has happened.
    #[inline(always)]
    pub fn lock(&mut self, ceiling: Priority) -> Result<Before, LockRefused> {
        let bit = self.ceiling_bit(ceiling);
        // More urgent than whatever is ready: the running task, and each ceiling at which it stands.
        if bit <= self.ready.levels() {
            self.check_inner(bit)?;
        }
        Ok(Before { locks: self.ready.hold(bit, self.running) })
    }

    /// Whether the running task, which may hold a mutex of a more urgent ceiling, may lock one of this bit.
    #[cold]
    #[inline(never)]
    fn check_inner(&self, bit: u64) -> Result<(), LockRefused> {
        let level = TaskId::first_of(bit);
        if bit == 0 || level.number() >= self.ready.level(self.running).number() {
            Err(LockRefused::Ceiling)
        } else if self.ready.levels() & bit != 0 {
            Err(LockRefused::Held)
        } else {
            Ok(())
        }
    }

    /// The running task releases the mutex of this ceiling: the latest that it locked, which answered `before`. Who runs
    /// then is [`Self::choose`]'s.
    #[inline(always)]
    pub fn unlock(&mut self, ceiling: Priority, before: Before) {
        self.ready.release(self.ceiling_bit(ceiling), self.running, before.locks);
    }

    /// Whether the running task holds a mutex of either kind, so that it must not wait.
    #[inline(always)]
    #[must_use]
    pub fn holds_a_lock(&self) -> bool {
        !self.ready.locks(self.running).is_none()
    }

    /// Whether the running task has locked preemption: nobody else runs who could ask.
    #[must_use]
    pub fn preemption_is_locked(&self) -> bool {
        self.ready.levels() & self.ceiling_bit(Priority::ABOVE_ALL) != 0
    }

    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "there are as many places as a byte has values")]
    fn ceiling_bit(&self, ceiling: Priority) -> u64 {
        self.ceiling_bits[usize::from(ceiling.number())]
    }
    #[expect(clippy::indexing_slicing, reason = "as above")]
    pub(super) fn ceiling_bit_mut(&mut self, ceiling: Priority) -> &mut u64 {
        &mut self.ceiling_bits[usize::from(ceiling.number())]
    }
}

#[cfg(test)]
mod tests {
    use super::LockRefused;
    use crate::executive::Executive;
    use crate::priority::{Priority, PrioritySet};
    use crate::time::Instant;
    use crate::{CAPACITY, PerTask, TaskId};

    fn task(rank: usize) -> TaskId {
        TaskId::new(rank).unwrap()
    }

    fn priority(number: u8) -> Priority {
        Priority::new(number).unwrap()
    }

    /// Tasks at priority 10 and 20, of which the second runs, and these ceilings.
    fn second_runs(ceilings: &[Priority]) -> Executive {
        let mut all = [Priority::IDLE; CAPACITY];
        (all[0], all[1]) = (priority(10), priority(20));
        let ceilings = ceilings.iter().fold(PrioritySet::EMPTY, |set, &ceiling| set.with(ceiling));
        let mut executive = Executive::new(&PerTask::new(all), ceilings, false, Instant::from_half_ticks(0));
        executive.start(task(1));
        let _ = executive.choose();
        executive
    }

    #[test]
    fn nobody_comes_between_while_preemption_is_locked() {
        let mut executive = second_runs(&[Priority::ABOVE_ALL, priority(10)]);
        assert!(!executive.preemption_is_locked());
        let outer = executive.lock(Priority::ABOVE_ALL).unwrap();
        assert!(executive.preemption_is_locked() && executive.holds_a_lock());
        assert_eq!(executive.lock(Priority::ABOVE_ALL), Err(LockRefused::Held));
        let inner = executive.lock(priority(10)).unwrap();
        executive.wake(task(0));
        assert_eq!(executive.choose(), None);
        executive.unlock(priority(10), inner);
        executive.set_priority(task(0), priority(1));
        assert_eq!(executive.choose(), None);
        executive.unlock(Priority::ABOVE_ALL, outer);
        assert!(!executive.preemption_is_locked() && !executive.holds_a_lock());
        assert_eq!(executive.choose().map(|switch| switch.to), Some(task(0)));
    }

    #[test]
    fn preemption_is_locked_inside_a_mutex_too() {
        let mut executive = second_runs(&[Priority::ABOVE_ALL, priority(15)]);
        let outer = executive.lock(priority(15)).unwrap();
        let inner = executive.lock(Priority::ABOVE_ALL).unwrap();
        executive.wake(task(0));
        assert_eq!(executive.choose(), None);
        executive.unlock(Priority::ABOVE_ALL, inner);
        assert!(executive.holds_a_lock());
        assert_eq!(executive.choose().map(|switch| switch.to), Some(task(0)));
        executive.block();
        let _ = executive.choose();
        executive.unlock(priority(15), outer);
        assert!(!executive.holds_a_lock());
    }

    #[test]
    fn what_no_line_names_cannot_be_locked() {
        let mut executive = second_runs(&[]);
        assert_eq!(executive.lock(Priority::ABOVE_ALL), Err(LockRefused::Ceiling));
    }
}
