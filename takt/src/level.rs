// SPDX-License-Identifier: MIT OR Apache-2.0
//! How the policy of a priority is declared.

use core::time::Duration;

use takt_kernel::schedulability::Policy;
use takt_kernel::table::{Entry, LevelEntry};

use crate::table::{Declaration, Run};

/// Who is first among the tasks of one priority: a line of the table. A priority without such a line is first come, first
/// served: a task runs until it waits, yields or is preempted. It says so of the tasks of this priority on every core, of each core's
/// among themselves.
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

    /// The tasks of this priority run in turn, for `slice` each, 100 us to a second of what they execute themselves: what
    /// preempts a task, and interrupts, are not of its turn, which is a slice to a sixteenth more or less. Who waits in its turn has the rest of it when it is the first again, unless others had theirs
    /// meanwhile. At most eight levels; a timer interrupt for each slice, whether tasks of the level are ready or not, and at the
    /// most eight.
    ///
    /// For an image with the feature `execution-time`; another does not compile.
    ///
    /// RTEMS: `RTEMS_TIMESLICE`; POSIX: `SCHED_RR`; FreeRTOS: `configUSE_TIME_SLICING`, which counts ticks of the clock.
    #[must_use]
    pub const fn round_robin(priority: u8, slice: Duration) -> Self {
        let slice_ns = slice.as_nanos();
        #[expect(clippy::cast_possible_truncation, reason = "compared before")]
        let slice_ns = if slice_ns > u64::MAX as u128 { u64::MAX } else { slice_ns as u64 };
        Self(LevelEntry { name: "", priority, policy: Policy::RoundRobin { slice_ns } })
    }

    /// This level as a line of the table, for [`tasks!`](crate::tasks!).
    #[doc(hidden)]
    pub const fn declare(mut self, name: &'static str) -> Declaration {
        self.0.name = name;
        Declaration::new(Entry::Level(self.0), Run::Nothing)
    }
}
