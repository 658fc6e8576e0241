// SPDX-License-Identifier: MIT OR Apache-2.0
//! Execution time: how long each task had the core, and interrupt handlers did.
//!
//! A task's time is what passes while it runs: without what preempts it, and without interrupts, which are accounted apart.
//! All tasks, the idle task and the interrupts together are what has passed since the first task began, to the half tick of
//! the counter. A task that enters the executive has that in its time, as what it asked for.
//!
//! The bounds are readings of the counter. The vector's own instructions before the handler's stamp count as the interrupted
//! task's, and those behind the handler's last reading, the end of interrupt and the return, as the resumed task's; a switch
//! that a task asks for is the leaving one's up to the reading before the registers change hands.
//!
//! Who may run concurrently: handlers charge what they interrupt, so the accounts, and what is known of jobs, are touched with
//! interrupts masked: for a few instructions by whoever asks, and for one charge by the executive.
//!
//! Without the feature `execution-time` nothing here leaves an instruction in the image, and whoever asks for a time is told
//! so, [`NotAccounted`]. This is the only place that asks for it.

mod cpu_use;
mod told;

use core::cell::UnsafeCell;

use takt_kernel::execution_time::{ExecutionTime, Jobs};
use takt_kernel::time::Instant;
use takt_kernel::{CAPACITY, TaskId};

use crate::budget;
use crate::clock;
use crate::core_state::{self, CoreState};
use crate::exclusive::exclusively;

pub use crate::budget::BudgetUse;
pub use cpu_use::{CpuUse, Share, User};
pub use takt_kernel::execution_time::JobTimes;
pub(crate) use told::OfTask;
pub use told::{NotAccounted, TaskExecution, interrupts_half_ticks, this_task_half_ticks};

/// Whether this image accounts execution time: the feature `execution-time`.
pub const IS_ON: bool = cfg!(feature = "execution-time");

/// How many of something there are for each that an image with accounts has.
pub(crate) const ONE_IF_ON: usize = if IS_ON { 1 } else { 0 };

/// The accounts of a core, which lie beside its state, whose address everybody has who charges; nothing where nothing is
/// accounted.
pub(crate) struct Accounts {
    times: UnsafeCell<[ExecutionTime; ONE_IF_ON]>,
    /// The jobs of each task.
    jobs: UnsafeCell<[[Jobs; CAPACITY]; ONE_IF_ON]>,
}

// SAFETY: used with interrupts masked, on its core.
unsafe impl Sync for Accounts {}

impl Accounts {
    /// Nobody has had the core.
    pub(crate) const fn new() -> Self {
        Self {
            times: UnsafeCell::new([const { ExecutionTime::new() }; ONE_IF_ON]),
            jobs: UnsafeCell::new([[Jobs::NONE; CAPACITY]; ONE_IF_ON]),
        }
    }
}

/// Lets `act` use this core's accounts; `None` where there are none.
///
/// # Safety
/// Interrupts are masked, and `act` leaves them so.
#[inline(always)]
unsafe fn with_accounts<R>(act: impl FnOnce(&mut ExecutionTime) -> R) -> Option<R> {
    if !IS_ON {
        return None;
    }
    // SAFETY: masked, so nobody else uses them, and the reference is gone before that ends.
    let accounts = unsafe { &mut *core_state::accounts().times.get() };
    accounts.first_mut().map(act)
}

/// The first task has the core from now on.
///
/// # Safety
/// Interrupts are masked.
pub(crate) unsafe fn begin(first: TaskId) {
    // SAFETY: the caller's.
    let _ = unsafe { with_accounts(|accounts| accounts.begin(first, clock::now())) };
}

/// The running task lets `to` run.
///
/// # Safety
/// Interrupts are masked, and the registers change hands next.
#[inline(always)]
pub(crate) unsafe fn switch(to: TaskId) {
    // SAFETY: the caller's.
    let _ = unsafe { with_accounts(|accounts| accounts.switch(to, clock::now())) };
}

/// An interrupt handler began at `stamp`.
///
/// # Safety
/// Interrupts are masked, and have been since.
#[inline(always)]
pub(crate) unsafe fn begin_handler(stamp: Instant) {
    // SAFETY: the caller's.
    let _ = unsafe { with_accounts(|accounts| accounts.begin_handler(stamp)) };
}

/// A handler begins that was held off.
///
/// # Safety
/// Interrupts are masked.
#[inline(always)]
pub(crate) unsafe fn begin_handler_now() {
    // SAFETY: the caller's.
    let _ = unsafe { with_accounts(|accounts| accounts.begin_handler(clock::now())) };
}

/// A handler ends, and what it interrupted goes on.
///
/// # Safety
/// Interrupts are masked, up to the return.
#[inline(always)]
pub(crate) unsafe fn end_handler() {
    // SAFETY: the caller's.
    let _ = unsafe { with_accounts(|accounts| accounts.end_handler(clock::now())) };
}

/// A kernel handler ends, which interrupted no other, and `to` runs.
///
/// # Safety
/// Interrupts are masked, up to the return.
#[inline(always)]
pub(crate) unsafe fn end_kernel_handler(to: TaskId) {
    // SAFETY: the caller's.
    let _ = unsafe { with_accounts(|accounts| accounts.end_handlers(to, clock::now())) };
}

/// How long `task` has executed up to now, in half ticks. Anyone may call this: in a handler it is the time up to the stamp
/// of the outermost one.
#[inline(always)]
pub(crate) fn executed(task: TaskId) -> Option<u64> {
    if !IS_ON {
        return None;
    }
    // SAFETY: masked.
    exclusively(|| unsafe { with_accounts(|accounts| accounts.executed(task, clock::now())) })
}

/// Lets `act` use the jobs of `task`, with how long it has executed up to now, in half ticks; `None` where nothing is
/// accounted. Masked, so `act` is short. Anyone may call this.
#[inline(always)]
fn with_jobs<R>(task: TaskId, act: impl FnOnce(&mut Jobs, u64) -> R) -> Option<R> {
    if !IS_ON {
        return None;
    }
    exclusively(|| {
        // SAFETY: masked.
        let executed_half_ticks = unsafe { with_accounts(|accounts| accounts.executed(task, clock::now())) }?;
        // SAFETY: masked, so nobody else uses them, and the reference is gone before that ends.
        let jobs = unsafe { &mut *core_state::accounts().jobs.get() }.first_mut()?.get_mut(task.index())?;
        Some(act(jobs, executed_half_ticks))
    })
}

/// The job of the running task, if one had begun, ends: the task waits. What it executes from now on, the rest of its wait
/// among it, is the next job's.
#[inline(always)]
pub(crate) fn end_job(core: &mut CoreState) {
    let task = core.executive.running();
    let done = with_jobs(task, |jobs, executed_half_ticks| {
        let done = jobs.done(executed_half_ticks);
        jobs.wait(executed_half_ticks);
        done
    });
    if let Some(Some(done_half_ticks)) = done {
        budget::end_job(core, task, done_half_ticks);
    }
}

/// How much of its present job `task` has executed, in half ticks; `None` where none has begun, or nothing is accounted.
#[inline(always)]
pub(crate) fn job_half_ticks(task: TaskId) -> Option<u64> {
    with_jobs(task, |jobs, executed_half_ticks| jobs.done(executed_half_ticks)).flatten()
}

/// What `task` executed since its last wait is no job.
pub(crate) fn forget_job(task: TaskId) {
    let _ = with_jobs(task, |jobs, _| jobs.forget());
}

/// How long `task` executed, and its jobs.
pub(crate) fn of(task: TaskId) -> OfTask {
    let budget = budget::of(task);
    let told = |jobs: &mut Jobs, executed_half_ticks| TaskExecution { executed_half_ticks, jobs: jobs.times(), budget };
    with_jobs(task, told).map_or(OfTask::NOTHING, OfTask::new)
}
