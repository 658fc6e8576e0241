// SPDX-License-Identifier: MIT OR Apache-2.0
//! How the policy of a priority is declared.

use takt_kernel::schedulability::Policy;
use takt_kernel::table::{Entry, LevelEntry};

use crate::table::{Declaration, Run};

/// Who is first among the tasks of one priority: a line of the table. A priority without such a line is first come, first
/// served: a task runs until it waits, yields or is preempted.
///
/// ```no_run
/// use takt::prelude::*;
///
/// takt::tasks! {
///     deadlines: Level::earliest_deadline_first(20),
///     left: Task::periodic(left).priority(20).period(millis(5)),
///     right: Task::periodic(right).priority(20).period(millis(7)),
/// }
/// # fn left(mut period: Periodic) -> ! { loop { period.wait(); } }
/// # fn right(mut period: Periodic) -> ! { loop { period.wait(); } }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Level(LevelEntry);

impl Level {
    /// Of the tasks of this priority the one whose job is to end first runs first, and preempts the others; among those of one
    /// deadline, first come, first served. A job's deadline is its due instant and what the task's line says, or the period or
    /// minimum interval. The tasks are periodic, sporadic or slots. Until its first release a task comes behind those that have
    /// a deadline; so does a background task that is given this priority while the system runs.
    ///
    /// Of several that wait for one object the one of the earliest deadline has it. Who holds an
    /// [`InheritMutex`](crate::InheritMutex) for which one of these tasks waits has its deadline as well.
    ///
    /// A release takes some ten instructions more for each task of the level that is ready with an earlier deadline. One that
    /// yields lets those of its own deadline run.
    ///
    /// RTEMS: the EDF scheduler; Linux: `SCHED_DEADLINE`, without its budgets; POSIX, FreeRTOS: none.
    #[must_use]
    pub const fn earliest_deadline_first(priority: u8) -> Self {
        Self(LevelEntry { name: "", priority, policy: Policy::EarliestDeadlineFirst })
    }

    /// This level as a line of the table, for [`tasks!`](crate::tasks!).
    #[doc(hidden)]
    pub const fn declare(mut self, name: &'static str) -> Declaration {
        self.0.name = name;
        Declaration { entry: Entry::Level(self.0), run: Run::Nothing }
    }
}
