// SPDX-License-Identifier: MIT OR Apache-2.0
//! The latest value of something: whether there is one that nobody has taken, and who waits for one. The value itself is
//! the board's.

use super::WaitCounts;
use super::waiting::Waiting;
use crate::TaskId;
use crate::executive::Executive;

/// Whether there is a value. All zeros while there never was one.
#[derive(Debug, Default)]
pub struct Signal {
    is_set: bool,
    waiting: Waiting,
    overwritten: u64,
}

/// What happened to a signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SignalCounts {
    /// How often tasks waited for a value.
    pub wait: WaitCounts,
    /// Values that nobody had taken when the next came.
    pub overwritten: u64,
}

/// Where a value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the value has to be copied"]
pub enum Signalled {
    /// It is kept.
    Kept,
    /// It is kept in place of another.
    InPlaceOfAnother,
    /// To this task, which waited for one and is ready now.
    To(TaskId),
}

impl Signal {
    /// Without a value.
    #[must_use]
    pub const fn new() -> Self {
        Self { is_set: false, waiting: Waiting::new(), overwritten: 0 }
    }

    /// What happened so far.
    #[must_use]
    pub const fn counts(&self) -> SignalCounts {
        SignalCounts { wait: self.waiting.counts(), overwritten: self.overwritten }
    }

    /// There is a value: it goes to the most urgent waiter, where there is one.
    #[inline(always)]
    pub fn signal(&mut self, executive: &mut Executive) -> Signalled {
        if let Some(task) = self.waiting.wake_one(executive) {
            return Signalled::To(task);
        }
        if core::mem::replace(&mut self.is_set, true) {
            self.overwritten = self.overwritten.wrapping_add(1);
            return Signalled::InPlaceOfAnother;
        }
        Signalled::Kept
    }

    /// Takes the value, if there is one.
    #[inline(always)]
    #[must_use]
    pub const fn take(&mut self) -> bool {
        core::mem::replace(&mut self.is_set, false)
    }

    /// Who waits for a value. A task begins to in a step in which there is none.
    #[inline(always)]
    pub const fn waiting(&mut self) -> &mut Waiting {
        &mut self.waiting
    }
}
