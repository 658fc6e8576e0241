// SPDX-License-Identifier: MIT OR Apache-2.0
//! 32 flags of which tasks wait for any, or for all of some.

use super::{Wait, WaitCounts};
use crate::TaskId;
use crate::executive::Executive;
use crate::time::Instant;
use crate::waiters::Waiters;

/// Which flags are set, and who waits for some. All zeros where none is and nobody does.
///
/// What is wanted by somebody who waits alone and without a deadline lies here too, beside the flags: so setting the flags
/// that it waits for looks at one place. The order in memory is for that.
#[derive(Debug, Default)]
#[repr(C)]
pub struct EventFlags {
    set: u32,
    /// What the one waiter wants; nothing where nobody waits, or more than one, or in time.
    sole: Wanted,
    waiters: Waiters,
    counts: WaitCounts,
}

/// Which flags a task asks for, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Wanted {
    flags: u32,
    /// Those that it finds set are enough where they are more than this, as a number.
    too_few: u32,
    /// Those that are clear once it has them.
    clears: u32,
}

impl Wanted {
    /// Nothing.
    pub const NOTHING: Self = Self { flags: 0, too_few: 0, clears: 0 };

    /// Any of `flags`, which are clear afterwards where it `clears` them.
    #[inline(always)]
    #[must_use]
    pub const fn any(flags: u32, clears: bool) -> Self {
        Self { flags, too_few: 0, clears: if clears { flags } else { 0 } }
    }

    /// As [`Self::any`], all of them: no part of a number's bits is as large as the number.
    #[inline(always)]
    #[must_use]
    pub const fn all(flags: u32, clears: bool) -> Self {
        Self { too_few: flags.wrapping_sub(1), ..Self::any(flags, clears) }
    }

    /// Whether that is no flag, for which nobody can wait.
    #[inline(always)]
    #[must_use]
    pub const fn is_nothing(self) -> bool {
        self.flags == 0
    }

    /// The flags that the task gets, if it gets any, where that is known: who wants all, or one, gets that.
    #[inline(always)]
    #[must_use]
    pub const fn all_of_it(self) -> Option<u32> {
        if self.too_few == self.flags.wrapping_sub(1) { Some(self.flags) } else { None }
    }

    /// The flags that the task gets of those that are `set`: 0 where that is not yet what it wants.
    #[inline(always)]
    #[must_use]
    pub const fn of(self, set: u32) -> u32 {
        let found = set & self.flags;
        if found > self.too_few { found } else { 0 }
    }

    /// What is left of `set` for others once the task has `found` these.
    #[inline(always)]
    const fn left(self, set: u32, found: u32) -> u32 {
        set & !(found & self.clears)
    }
}

/// Whom a call of [`EventFlags::set`] woke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "somebody may have to be woken yet"]
pub enum Woken {
    /// Nobody.
    Nobody,
    /// This task.
    Task(TaskId),
    /// Whoever [`EventFlags::wake_next`] answers, until it answers `None`.
    ByLooking,
}

impl EventFlags {
    /// None is set.
    #[must_use]
    pub const fn new() -> Self {
        let counts = WaitCounts { waits: 0, time_outs: 0 };
        Self { set: 0, sole: Wanted::NOTHING, waiters: Waiters::new(), counts }
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
        self.set = wanted.left(self.set, found);
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
        self.sole = if self.waiters.is_empty() && until.is_none() { wanted } else { Wanted::NOTHING };
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

    /// Sets flags, for those who wait for them.
    #[inline(always)]
    pub fn set(&mut self, executive: &mut Executive, flags: u32) -> Woken {
        let set = self.set | flags;
        if self.sole.is_nothing() {
            self.set = set;
            return if self.waiters.is_empty() { Woken::Nobody } else { Woken::ByLooking };
        }
        let found = self.sole.of(set);
        if found == 0 {
            self.set = set;
            return Woken::Nobody;
        }
        self.set = self.sole.left(set, found);
        self.sole.flags = 0;
        match executive.wake_sole_asker(&mut self.waiters, found) {
            Some(task) => Woken::Task(task),
            None => {
                self.set = set;
                Woken::ByLooking
            }
        }
    }

    /// Clears flags.
    pub const fn clear(&mut self, flags: u32) {
        self.set &= !flags;
    }

    /// Lets the most urgent of those run that wait for what is set now, and gives it its flags. Takes a few instructions for
    /// each waiter.
    pub fn wake_next(&mut self, executive: &mut Executive) -> Option<TaskId> {
        let (task, wanted, found) = executive.wake_asker(&mut self.waiters, self.set)?;
        self.set = wanted.left(self.set, found);
        Some(task)
    }
}
