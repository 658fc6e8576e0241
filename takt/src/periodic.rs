// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a periodic task holds: the handle with which it waits for its next release.

use core::marker::PhantomData;
use core::time::Duration;

use takt_kernel::priority::Priority;
use takt_kernel::release::{OverrunPolicy, Releases};
use takt_kernel::response::Responses;
use takt_kernel::table::Kind;
use takt_kernel::time::Instant;
use takt_kernel::{CAPACITY, TaskId};

use crate::clock::{self, half_ticks};
use crate::core_state::{self, CoreState, masked};
use crate::{bounds, budget, execution_time, time_base, time_zero, turn};

/// One release of a periodic or sporadic task, with its stamps. All come from one counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    pub(crate) due: Instant,
    pub(crate) handler: Instant,
    pub(crate) start: Instant,
    pub(crate) skipped: u64,
}

impl Release {
    /// The programmed instant.
    pub const fn due(&self) -> Instant {
        self.due
    }

    /// The first statement of the interrupt handler that released the task; for a release whose instant had not come by
    /// then, the moment at which the handler looked at the clock again.
    pub const fn handler(&self) -> Instant {
        self.handler
    }

    /// The task's first statement.
    pub const fn start(&self) -> Instant {
        self.start
    }

    /// How many releases were skipped before this one.
    pub const fn skipped(&self) -> u64 {
        self.skipped
    }
}

/// The handle of a periodic task. It belongs to that task: it can be neither copied nor sent.
///
/// ```no_run
/// use takt::prelude::*;
///
/// fn control(mut period: Periodic) -> ! {
///     loop {
///         let release = period.wait();
///         let late_half_ticks = release.start().since(release.due());
///         if release.skipped() > 0 {
///             hold();
///         }
///         drive(late_half_ticks);
///     }
/// }
/// # fn hold() {}
/// # fn drive(_: i64) {}
/// ```
#[derive(Debug)]
pub struct Periodic {
    task: TaskId,
    /// The first wait is for time zero.
    has_started: bool,
    not_send: PhantomData<*const ()>,
}

impl Periodic {
    /// The handle of `task`, before time zero.
    pub(crate) const fn new(task: TaskId) -> Self {
        Self { task, has_started: false, not_send: PhantomData }
    }

    /// Ends the current job and waits for the next release; the first time, for the first release after time zero, which
    /// comes when all periodic tasks of the table wait.
    ///
    /// Called by the task that was given the handle. Returns at the due instant, or at once where that has passed: what
    /// was missed by then is counted and, with [`OverrunPolicy::Skip`], skipped.
    #[inline(always)]
    pub fn wait(&mut self) -> Release {
        let task = self.task;
        let mut skipped = 0;
        let start = if self.has_started {
            let now = clock::now();
            // SAFETY: a task calls this, and the step ends below.
            let core = unsafe { turn::begin_step() };
            execution_time::end_job(core);
            let block = core.control_block(task);
            let due = block.releases.due();
            let next = block.releases.advance(now);
            skipped = next.skipped;
            if block.responses.record(due, now) {
                core.is_beyond_bound(task, now.since(due));
            }
            core.set_deadline(task);
            core.wait_until(next.due);
            budget::watch_next_job(core, task, next.due, now);
            // SAFETY: begun above.
            unsafe { turn::end_step(core) }
        } else {
            self.has_started = true;
            wait_for_time_zero()
        };
        // Nobody writes either while the task runs.
        let (due, handler) = masked(|core| (core.control_block(task).releases.due(), core.handler_stamp[task]));
        Release { due, handler, start, skipped }
    }

    /// The period in half ticks; that of a table's task is known after its first wait.
    pub fn period_half_ticks(&self) -> u64 {
        masked(|core| core.control_block(self.task).releases.period_half_ticks())
    }
}

/// Waits until all periodic tasks wait, and then for the first release.
#[cold]
#[inline(never)]
fn wait_for_time_zero() -> Instant {
    turn::step(|core| {
        core.block();
        core.on_their_way = core.on_their_way.saturating_sub(1);
        if core.on_their_way == 0 && time_zero::is_last_core() {
            begin(core, time_zero::set(core));
            time_zero::tell_others(core.id);
        }
        // Behind the beginning, which is no part of the first job.
        execution_time::end_job(core);
    })
}

/// All periodic tasks of all cores wait, and another core has said when time zero is. Called by a kernel handler.
pub(crate) fn time_zero_is_known() {
    // SAFETY: a kernel handler runs, which has no other reference.
    let core = unsafe { core_state::get() };
    begin(core, time_zero::get());
}

/// All periodic tasks wait: time `zero` is near. Once in a run, so its length does not matter: nothing has a deadline yet.
fn begin(core: &mut CoreState, zero: Instant) {
    let rate = core.time_base.rate;
    for task in (0..CAPACITY).filter_map(TaskId::new) {
        let kind = core.table.and_then(|table| table.task(task)).map(|entry| entry.kind);
        if let Some(Kind::Periodic { period, offset, deadline, overrun }) = kind {
            core.control_block(task).releases = Releases::new(
                zero.after(half_ticks(offset, rate)),
                half_ticks(period, rate),
                half_ticks(deadline.unwrap_or(period), rate),
                overrun,
            );
            core.control_block(task).responses = bounds::responses(core.table, task, rate);
            let due = core.control_block(task).releases.due();
            core.set_deadline(task);
            // Armed below, once.
            let _ = core.executive.let_wait_until(task, due);
            budget::watch_first_job(core, task, due);
        }
    }
    time_base::arm(&core.time_base, core.executive.first_deadline().at);
}

/// The handle of a slot: a periodic task whose period is given while the system runs.
///
/// ```no_run
/// use takt::clock;
/// use takt::prelude::*;
///
/// takt::tasks! {
///     sampler: Task::slot(sampler).priority(20),
/// }
///
/// fn sampler(mut slot: Slot) -> ! {
///     let period = millis(u64::from(asked_for_ms()));
///     let mut period = slot.begin(clock::next_edge(clock::from_now(period)), period, OverrunPolicy::Skip);
///     loop {
///         period.wait();
///         sample();
///     }
/// }
/// # fn asked_for_ms() -> u32 { 5 }
/// # fn sample() {}
/// ```
#[derive(Debug)]
pub struct Slot {
    task: TaskId,
    not_send: PhantomData<*const ()>,
}

impl Slot {
    pub(crate) const fn new(task: TaskId) -> Self {
        Self { task, not_send: PhantomData }
    }

    /// Gives the slot another priority than the table did. Called before [`Self::begin`]; takes time in proportion to the
    /// number of tasks, while kernel handlers wait.
    pub fn set_priority(&mut self, priority: Priority) {
        turn::step(|core| {
            budget::set_priority(core, self.task, priority);
            core.has_changed_priority = true;
        });
    }

    /// Makes the slot periodic: the first [`Periodic::wait`] returns at `first`, the next ones `period` apart (at least
    /// 1 us). Choose `first` with [`clock::next_edge`], in the future.
    pub fn begin(&mut self, first: Instant, period: Duration, overrun: OverrunPolicy) -> Periodic {
        let period_half_ticks = half_ticks(period, clock::rate()).max(clock::half_ticks_per_us());
        // One period early, so that the first wait advances to `first`; that job never ran and is not late.
        let before = first.before(period_half_ticks);
        let releases = Releases::new(before, period_half_ticks, period_half_ticks, overrun);
        masked(|core| {
            let block = core.control_block(self.task);
            (block.releases, block.responses) = (releases, Responses::new(None).behind_no_job());
        });
        execution_time::forget_job(self.task);
        Periodic { task: self.task, has_started: true, not_send: PhantomData }
    }
}
