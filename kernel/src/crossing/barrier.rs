// SPDX-License-Identifier: MIT OR Apache-2.0
//! A barrier of tasks on several cores: who has come is counted on one core, and each core is told how many of its tasks go on.
//!
//! A task that comes sends a [`Count`](super::count::Count) to the barrier's core and waits on its own, both in one kernel step.
//! When enough have come, the barrier's core [sends](Releases::send) to each core so many as came from there. Those are let go on
//! by that core's handler, which its kernel steps hold off: whoever was counted waits already. So there is no moment between
//! coming and waiting in which an opening could be missed, and no generation to compare: what one opening lets go on is what was
//! counted for it, and what comes later counts for the next.
//!
//! *What is seen behind it.* What a task did before it came is released with its count, acquired by the barrier's core, released
//! with the opening, and acquired by the core on which another goes on: each that goes on sees what all did before they came.

#[cfg(not(test))]
use core::sync::atomic::{AtomicU64, Ordering};
#[cfg(test)]
use loom::sync::atomic::{AtomicU64, Ordering};

use crate::table::CORES;

/// Who has come since the last opening. The barrier's core's alone. All zeros while nobody has.
#[derive(Debug, Default)]
pub struct Arrivals {
    of: [u32; CORES],
    all: u32,
    openings: u64,
}

/// What an opening says to a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// How many of the tasks of each core go on.
    pub of: [u32; CORES],
    /// The core from which the last came.
    pub last: usize,
}

impl Arrivals {
    /// Nobody has come.
    #[must_use]
    pub const fn new() -> Self {
        Self { of: [0; CORES], all: 0, openings: 0 }
    }

    /// A task of core `core` has come. The opening, where it is the last of `all`: then nobody has come any more.
    #[must_use = "who waits is to be told"]
    pub fn come(&mut self, core: usize, all: u32) -> Option<Opening> {
        let of = self.of.get_mut(core)?;
        *of = of.wrapping_add(1);
        self.all = self.all.wrapping_add(1);
        if self.all < all {
            return None;
        }
        let opening = Opening { of: self.of, last: core };
        *self = Self { openings: self.openings.wrapping_add(1), ..Self::new() };
        Some(opening)
    }

    /// How often enough had come.
    #[must_use]
    pub const fn openings(&self) -> u64 {
        self.openings
    }
}

/// How many of a core's tasks were ever let go on by the barrier's core, and in how many openings the last was one of them. All
/// zeros while it is new.
///
/// Both are in one word, so that no opening is seen without its last. They wrap at 2^32 each, as a count does.
#[derive(Debug)]
pub struct Releases {
    /// Written by the barrier's core alone.
    sent: AtomicU64,
    /// Written by the tasks' core alone.
    taken: AtomicU64,
}

/// So many tasks go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Released {
    /// How many.
    pub tasks: u32,
    /// Of these, those that were the last of an opening.
    pub last: u32,
}

impl Released {
    const fn from_word(word: u64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "the halves")]
        let (last, tasks) = (word.wrapping_shr(32) as u32, word as u32);
        Self { tasks, last }
    }

    const fn word(self) -> u64 {
        (self.last as u64).wrapping_shl(32) | self.tasks as u64
    }

    const fn and(self, other: Self) -> Self {
        Self { tasks: self.tasks.wrapping_add(other.tasks), last: self.last.wrapping_add(other.last) }
    }
}

impl Releases {
    /// None.
    #[must_use]
    #[cfg(not(test))]
    #[expect(clippy::new_without_default, reason = "it is part of a static")]
    pub const fn new() -> Self {
        Self { sent: AtomicU64::new(0), taken: AtomicU64::new(0) }
    }

    /// The same for loom, with numbers that are about to wrap.
    #[cfg(test)]
    pub(super) fn starting_at(word: u64) -> Self {
        Self { sent: AtomicU64::new(word), taken: AtomicU64::new(word) }
    }

    /// Lets so many go on. Called by the barrier's core, one at a time.
    pub fn send(&self, released: Released) {
        let sent = Released::from_word(self.sent.load(Ordering::Relaxed)).and(released);
        // Release: who goes on sees what was done before the opening, also where an earlier opening's bit brings it.
        self.sent.store(sent.word(), Ordering::Release);
    }

    /// Takes those who go on, `most` tasks at the most. Called by the tasks' core.
    pub fn take(&self, most: u32) -> Released {
        let taken = Released::from_word(self.taken.load(Ordering::Relaxed));
        let sent = Released::from_word(self.sent.load(Ordering::Acquire));
        let tasks = sent.tasks.wrapping_sub(taken.tasks).min(most);
        let released = Released { tasks, last: sent.last.wrapping_sub(taken.last).min(tasks) };
        self.taken.store(taken.and(released).word(), Ordering::Relaxed);
        released
    }

    /// Whether all were taken. Called by the tasks' core.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sent.load(Ordering::Relaxed) == self.taken.load(Ordering::Relaxed)
    }
}
