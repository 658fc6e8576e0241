// SPDX-License-Identifier: MIT OR Apache-2.0
//! 32 flags of which tasks wait for any, or for all of some.

use super::{Wait, WaitCounts};
use crate::TaskId;
use crate::executive::Executive;
use crate::time::Instant;
use crate::waiters::Waiters;

/// Which flags are set, and who waits for some. All zeros where none is and nobody does.
#[derive(Debug, Default)]
pub struct EventFlags {
    set: u32,
    waiters: Waiters,
    counts: WaitCounts,
}

/// Which flags a task asks for, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The flags.
    pub flags: u32,
    /// Whether all of them, where any would do otherwise.
    pub all: bool,
    /// Whether those that it gets are clear afterwards.
    pub clears: bool,
}

impl Wanted {
    /// Nothing.
    pub const NOTHING: Self = Self { flags: 0, all: false, clears: false };

    /// The flags that the task gets of those that are `set`: 0 where that is not yet what it wants.
    #[inline(always)]
    #[must_use]
    pub const fn of(self, set: u32) -> u32 {
        let found = set & self.flags;
        if self.all && found != self.flags { 0 } else { found }
    }
}

impl EventFlags {
    /// None is set.
    #[must_use]
    pub const fn new() -> Self {
        Self { set: 0, waiters: Waiters::new(), counts: WaitCounts { waits: 0, time_outs: 0 } }
    }

    /// Which are set.
    #[must_use]
    pub const fn get(&self) -> u32 {
        self.set
    }

    /// How often tasks waited.
    #[must_use]
    pub const fn counts(&self) -> WaitCounts {
        self.counts
    }

    /// The flags, if that is what is wanted; 0, and nothing happens, where it is not.
    #[inline(always)]
    #[must_use]
    pub const fn try_take(&mut self, wanted: Wanted) -> u32 {
        let found = wanted.of(self.set);
        if wanted.clears {
            self.set &= !found;
        }
        found
    }

    /// The running task waits for flags, which [`Self::try_take`] did not find. What it gets is [`Executive::received`]
    /// when it runs again.
    pub fn wait(&mut self, executive: &mut Executive, wanted: Wanted, until: Option<Instant>) -> Wait {
        let found = self.try_take(wanted);
        executive.ask(wanted, found);
        if found != 0 {
            return Wait::Not;
        }
        self.counts.waits = self.counts.waits.wrapping_add(1);
        executive.wait(&mut self.waiters, until)
    }

    /// The running task, which waited for a time, runs again: whether it got nothing.
    #[must_use]
    pub fn has_given_up(&mut self, executive: &mut Executive) -> bool {
        let has_given_up = executive.has_given_up(&mut self.waiters);
        if has_given_up {
            self.counts.time_outs = self.counts.time_outs.wrapping_add(1);
        }
        has_given_up
    }

    /// Sets flags. Whether somebody waits, who may have them: then [`Self::wake_next`] follows, until it answers `None`.
    #[inline(always)]
    #[must_use = "a waiter may have what it waits for"]
    pub const fn set(&mut self, flags: u32) -> bool {
        self.set |= flags;
        !self.waiters.is_empty()
    }

    /// Clears flags.
    pub const fn clear(&mut self, flags: u32) {
        self.set &= !flags;
    }

    /// Lets the most urgent of those run that wait for what is set now, and gives it its flags. Takes a few instructions for
    /// each waiter.
    pub fn wake_next(&mut self, executive: &mut Executive) -> Option<TaskId> {
        let set = self.set;
        let task = executive.wake_asker(&mut self.waiters, set)?;
        if executive.wanted(task).clears {
            self.set &= !executive.received_by(task);
        }
        Some(task)
    }
}
