// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mutex whose holder is as urgent as the most urgent task that waits for it.

use super::{Wait, WaitCounts};
use crate::TaskId;
use crate::executive::{Executive, Holding, WaitRefused};
use crate::time::Instant;

/// Who holds it and who may. All zeros while nobody has locked it.
///
/// In this order, as the [`Semaphore`](super::semaphore::Semaphore).
#[derive(Debug, Default)]
#[repr(C)]
pub struct InheritMutex {
    /// The tasks that may lock it.
    users: u64,
    holding: Holding,
    counts: WaitCounts,
}

/// Why a task cannot have a mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The task is not known to lock it: [`InheritMutex::admit`].
    NotAdmitted,
    /// The task holds [`MOST_NESTED`](crate::executive::MOST_NESTED) already.
    TooDeep,
    /// The owner waits, perhaps through others, for this task; or is this task.
    Deadlock,
    /// Another holds it, and the task holds a mutex with a ceiling, inside which nobody waits.
    InsideCeiling,
}

impl InheritMutex {
    /// Nobody holds it, and nobody may.
    #[must_use]
    pub const fn new() -> Self {
        Self { users: 0, holding: Holding::FREE, counts: WaitCounts { waits: 0, time_outs: 0 } }
    }

    /// How often tasks waited.
    #[must_use]
    pub const fn counts(&self) -> WaitCounts {
        self.counts
    }

    /// Who holds it.
    #[must_use]
    pub const fn owner(&self) -> Option<TaskId> {
        self.holding.owner()
    }

    /// Lets `task` lock it from now on.
    pub const fn admit(&mut self, task: TaskId) {
        self.users |= task.bit();
    }

    /// Whether `task` may lock it.
    #[inline(always)]
    #[must_use]
    pub const fn is_admitted(&self, task: TaskId) -> bool {
        self.users & task.bit() != 0
    }

    /// The running task locks it, if that is possible at once. False, and nothing happens, where it is not: [`Self::lock`]
    /// knows why.
    #[inline(always)]
    #[must_use]
    pub fn try_lock(&mut self, executive: &mut Executive) -> bool {
        if self.holding != Holding::FREE {
            return false;
        }
        if !self.is_admitted(executive.running()) {
            return false;
        }
        let Some(holding) = executive.begin_holding() else { return false };
        self.holding = holding;
        true
    }

    /// The running task locks it, or waits for it.
    ///
    /// # Errors
    /// Where it must not; nothing has happened.
    pub fn lock(&mut self, executive: &mut Executive, until: Option<Instant>) -> Result<Wait, Refused> {
        if self.try_lock(executive) {
            return Ok(Wait::Not);
        }
        if !self.is_admitted(executive.running()) {
            return Err(Refused::NotAdmitted);
        }
        if executive.holds_the_most() {
            return Err(Refused::TooDeep);
        }
        let wait = executive.wait_for_holder(self.holding, until).map_err(|why| match why {
            WaitRefused::Deadlock => Refused::Deadlock,
            WaitRefused::InsideCeiling => Refused::InsideCeiling,
        })?;
        self.holding = self.holding.awaited();
        self.counts.waits = self.counts.waits.wrapping_add(1);
        Ok(wait)
    }

    /// The running task, which waited for a time, runs again: whether it does not have it.
    #[must_use]
    pub fn has_given_up(&mut self, executive: &mut Executive) -> bool {
        let has_given_up = executive.has_given_up_holding();
        if has_given_up {
            self.counts.time_outs = self.counts.time_outs.wrapping_add(1);
        }
        has_given_up
    }

    /// The running task unlocks it, the latest that it locked, if nobody waits for it. False, and nothing happens, where
    /// somebody may: then [`Self::unlock`] is next.
    #[inline(always)]
    #[must_use]
    pub fn try_unlock(&mut self, executive: &mut Executive) -> bool {
        if self.holding.is_awaited() {
            return false;
        }
        self.holding = Holding::FREE;
        executive.end_holding();
        true
    }

    /// The running task unlocks it, the latest that it locked, for the most urgent waiter, where there is one, which this
    /// answers. Whether to switch is the executive's to choose.
    pub fn unlock(&mut self, executive: &mut Executive) -> Option<TaskId> {
        let next = executive.hand_over(self.holding);
        self.holding = next.unwrap_or(Holding::FREE);
        self.holding.owner()
    }
}
