// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is told of execution times, and what is said where there are none.

use core::fmt;

use takt_kernel::execution_time::JobTimes;

use super::{IS_ON, ONE_IF_ON, executed, with_accounts, with_jobs};
use crate::budget::BudgetUse;
use crate::clock;
use crate::core_state::{TaskReport, masked};
use crate::exclusive::exclusively;
use crate::task_control::TaskHandle;

/// Nothing was accounted: the image was built without the feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAccounted;

impl fmt::Display for NotAccounted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "this image accounts no execution time; build it with the feature execution-time of the crate takt, which makes \
             each switch and each interrupt a little longer",
        )
    }
}

impl core::error::Error for NotAccounted {}

/// How long a task executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskExecution {
    /// Since the start, in half ticks.
    pub executed_half_ticks: u64,
    /// What its jobs took, those that have ended; none of a background task.
    pub jobs: JobTimes,
    /// The budget of its jobs, where the table gives it one.
    pub budget: Option<BudgetUse>,
}

/// In a report: nothing, also of its size, where nothing is accounted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfTask([Option<TaskExecution>; ONE_IF_ON]);

impl OfTask {
    pub(super) const NOTHING: Self = Self([None; ONE_IF_ON]);

    pub(super) const fn new(told: TaskExecution) -> Self {
        Self([Some(told); ONE_IF_ON])
    }

    pub(crate) fn told(self) -> Option<TaskExecution> {
        self.0.first().copied().flatten()
    }
}

impl TaskReport {
    /// How long the task executed up to the report, and what its jobs took.
    ///
    /// # Errors
    /// [`NotAccounted`] in an image without the feature `execution-time`.
    pub fn execution(&self) -> Result<TaskExecution, NotAccounted> {
        self.execution.told().ok_or(NotAccounted)
    }
}

impl TaskHandle {
    /// How long the task has executed since the start, in half ticks, also while it runs: without what preempted it and without
    /// interrupts. Anyone may call this; in a handler it is the time up to that handler's stamp.
    ///
    /// RTEMS: `rtems_cpu_usage_report`; POSIX: `clock_gettime` of `pthread_getcpuclockid`; FreeRTOS: `vTaskGetInfo`'s
    /// run-time counter.
    ///
    /// # Errors
    /// [`NotAccounted`] in an image without the feature `execution-time`.
    pub fn executed_half_ticks(self) -> Result<u64, NotAccounted> {
        executed(self.id()).ok_or(NotAccounted)
    }

    /// How much of its present job a periodic or sporadic task has executed, in half ticks; `None` before its first. While it
    /// waits that is what it executed since it came to its wait. Anyone may call this; in a handler it is as of that handler's
    /// stamp, so a kernel handler can look whether a job has used up what it may.
    ///
    /// # Errors
    /// [`NotAccounted`] in an image without the feature `execution-time`.
    pub fn job_half_ticks(self) -> Result<Option<u64>, NotAccounted> {
        with_jobs(self.id(), |jobs, executed| jobs.done(executed)).ok_or(NotAccounted)
    }
}

/// How long the calling task has executed since the start, in half ticks: without what preempted it and without interrupts.
/// Called by tasks; in a handler it answers for the interrupted task.
///
/// POSIX: `clock_gettime(CLOCK_THREAD_CPUTIME_ID)`; FreeRTOS: `ulTaskGetRunTimeCounter`; RTEMS: `rtems_cpu_usage_report`.
///
/// # Errors
/// [`NotAccounted`] in an image without the feature `execution-time`.
#[inline(always)]
pub fn this_task_half_ticks() -> Result<u64, NotAccounted> {
    if !IS_ON {
        return Err(NotAccounted);
    }
    let running = masked(|core| core.executive.running());
    executed(running).ok_or(NotAccounted)
}

/// How long interrupt handlers have had the core since the start, in half ticks, all together. Anyone may call this; in a
/// handler it is the time up to now.
///
/// # Errors
/// [`NotAccounted`] in an image without the feature `execution-time`.
pub fn interrupts_half_ticks() -> Result<u64, NotAccounted> {
    // SAFETY: masked.
    exclusively(|| unsafe { with_accounts(|accounts| accounts.interrupts(clock::now())) }).ok_or(NotAccounted)
}
