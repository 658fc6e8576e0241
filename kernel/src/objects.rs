// SPDX-License-Identifier: MIT OR Apache-2.0
//! What tasks wait for and leave for one another. Each object decides, and the executive makes ready or lets wait; what an
//! object guards or carries belongs to the board's side.
//!
//! A method that may let the running task wait takes an `until`, the deadline of the wait, and answers with a [`Wait`].
//! A task that waited for a time asks, when it runs again, whether it has given up. What came after the deadline but
//! before the task ran again is its own all the same.

pub mod barrier;
pub mod condvar;
pub mod event;
pub mod event_flags;
pub mod inherit_mutex;
pub mod mailbox;
pub mod message_queue;
pub mod semaphore;
pub mod signal;
pub mod sporadic;
pub mod timer;
pub mod waiting;

use crate::time::Instant;

/// What becomes of the running task, which asked for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a task that waits must not run on"]
pub enum Wait {
    /// It has it, and runs on.
    Not,
    /// It waits.
    Begins,
    /// It waits, for a time: the timer is to be armed for its deadline, which is the first of all.
    BeginsAndArms(Instant),
}

/// How often tasks waited for an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitCounts {
    /// Calls that waited.
    pub waits: u64,
    /// Of these, those whose deadline came first.
    pub time_outs: u64,
}
