// SPDX-License-Identifier: MIT OR Apache-2.0
//! A barrier: tasks wait for one another until enough have come.

use super::{Wait, WaitCounts};
use crate::TaskId;
use crate::executive::Executive;
use crate::time::Instant;
use crate::waiters::Waiters;

/// How many have come, and who waits for the rest. All zeros while nobody has.
#[derive(Debug, Default)]
pub struct Barrier {
    arrived: usize,
    waiters: Waiters,
    counts: WaitCounts,
}

impl Barrier {
    /// Nobody has come.
    #[must_use]
    pub const fn new() -> Self {
        Self { arrived: 0, waiters: Waiters::new(), counts: WaitCounts { waits: 0, time_outs: 0 } }
    }

    /// How often tasks waited.
    #[must_use]
    pub const fn counts(&self) -> WaitCounts {
        self.counts
    }

    /// The running task comes. It waits, unless it is the last of `all`: then nobody has come any more, and all that wait
    /// are for [`Self::let_go_on`].
    #[inline(always)]
    pub fn wait(&mut self, executive: &mut Executive, all: usize, until: Option<Instant>) -> Wait {
        let arrived = self.arrived.wrapping_add(1);
        if arrived >= all {
            self.arrived = 0;
            return Wait::Not;
        }
        self.arrived = arrived;
        self.counts.waits = self.counts.waits.wrapping_add(1);
        executive.wait(&mut self.waiters, until)
    }

    /// Lets the most urgent that waits go on; `None` where all do. The last that came calls this until then.
    #[inline(always)]
    pub fn let_go_on(&mut self, executive: &mut Executive) -> Option<TaskId> {
        executive.wake_one(&mut self.waiters)
    }

    /// The running task, which waited for a time, runs again: whether too few came. Then it has not come either.
    #[must_use]
    pub fn has_given_up(&mut self, executive: &mut Executive) -> bool {
        let has_given_up = executive.has_given_up(&mut self.waiters);
        if has_given_up {
            self.arrived = self.arrived.wrapping_sub(1);
            self.counts.time_outs = self.counts.time_outs.wrapping_add(1);
        }
        has_given_up
    }
}
