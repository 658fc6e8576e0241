// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tasks that are released by others, at a bounded rate.

use core::marker::PhantomData;

use takt_kernel::TaskId;
use takt_kernel::objects::Wait;
use takt_kernel::objects::sporadic::{self, Released};
use takt_kernel::release::ReleaseCounts;
use takt_kernel::table::Kind;
use takt_kernel::time::Instant;

use crate::clock::{self, half_ticks};
use crate::core_state::{CoreState, masked};
use crate::object::Object;
use crate::periodic::Release;
use crate::{bounds, budget, execution_time, fault, time_base, turn};

/// By which handlers and tasks release a sporadic task, once for each call: one that comes sooner than the task's minimum
/// interval after the one before waits until that has passed. So the task takes no more of the core than a periodic one of
/// that period, whatever releases it. While it works, `MOST` further releases are kept for it; what comes beyond is dropped
/// and counted.
///
/// ```no_run
/// use takt::board::GpioLine;
/// use takt::prelude::*;
///
/// static EDGE: Sporadic = Sporadic::new();
///
/// takt::tasks! {
///     pin: Interrupt::kernel(GpioLine::Pins0To27.intid(), edge),
///     counter: Task::sporadic(counter).min_interval(micros(500)).priority(5),
/// }
///
/// fn edge() {
///     let _ = GpioLine::Pins0To27.take_events();
///     EDGE.release_from_handler();
/// }
///
/// fn counter(task: SporadicTask) -> ! {
///     let mut releases = task.released_by(&EDGE);
///     loop {
///         let release = releases.wait();
///         count(release.due());
///     }
/// }
/// # fn count(_: takt::kernel::time::Instant) {}
/// ```
///
/// POSIX: the sporadic server, `SCHED_SPORADIC`, is another answer to the same question; RTEMS: a task and an event, without
/// the bound; FreeRTOS: a task and a notification, without it.
#[derive(Debug)]
pub struct Sporadic<const MOST: usize = 1>(Object<sporadic::Sporadic<MOST>>);

/// What happened to a sporadic task's releases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SporadicCounts {
    /// As of a periodic task: those that were postponed came within the minimum interval, those that were skipped were
    /// dropped.
    pub releases: ReleaseCounts,
    /// How many were kept at the most.
    pub highest_kept: usize,
}

impl<const MOST: usize> Default for Sporadic<MOST> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const MOST: usize> Sporadic<MOST> {
    /// No release yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(Object::new(sporadic::Sporadic::new()))
    }

    /// Releases the task, which runs at once where it waits, the minimum interval has passed and it is more urgent than the
    /// caller. Before the task has come to its first wait the release is kept. Answers false where it is dropped. Called by
    /// tasks.
    #[inline(always)]
    pub fn release(&self) -> bool {
        let now = clock::now();
        let step = self.0.enter();
        let released = step.state.release(&mut step.core.executive, now);
        step.core.note_release(released, now);
        match released {
            Released::Woke(_) => drop(step),
            _ => step.go_on(),
        }
        released != Released::Dropped
    }

    /// As [`Self::release`]; the task runs when the handler has ended. Called by kernel handlers.
    pub fn release_from_handler(&self) -> bool {
        let now = clock::now();
        let access = self.0.in_handler();
        let released = access.state.release(&mut access.core.executive, now);
        access.core.note_release(released, now);
        released != Released::Dropped
    }

    /// What happened to its releases. Called by tasks.
    pub fn counts(&self) -> SporadicCounts {
        let step = self.0.enter();
        let counts = SporadicCounts { releases: step.state.releases().counts(), highest_kept: step.state.highest() };
        step.go_on();
        counts
    }
}

impl CoreState {
    /// A release came at `now`.
    #[inline(always)]
    fn note_release(&mut self, released: Released, now: Instant) {
        match released {
            Released::Woke(task) => {
                self.handler_stamp[task] = now;
                self.note_wake(task);
            }
            Released::PostponedAndArms(deadline) => time_base::arm(&self.time_base, deadline),
            Released::Kept | Released::Dropped | Released::Postponed => {}
        }
    }
}

/// What a sporadic task is given when it begins.
#[derive(Debug)]
pub struct SporadicTask {
    task: TaskId,
    not_send: PhantomData<*const ()>,
}

impl SporadicTask {
    pub(crate) const fn new(task: TaskId) -> Self {
        Self { task, not_send: PhantomData }
    }

    /// From now on the task is released by `sporadic`, and by nothing else. What was released before is kept for it.
    ///
    /// Called by the task, once. The run ends with a sentence where another task is released by the same.
    pub fn released_by<const MOST: usize>(self, sporadic: &'static Sporadic<MOST>) -> SporadicReleases<MOST> {
        let (table, rate) = masked(|core| (core.table, core.time_base.rate));
        let kind = table.and_then(|table| table.task(self.task)).map(|entry| entry.kind);
        let Some(Kind::Sporadic { min_interval, deadline }) = kind else { fault::not_sporadic() };
        let interval_half_ticks = half_ticks(min_interval, rate);
        let deadline_half_ticks = half_ticks(deadline.unwrap_or(min_interval), rate);
        let step = sporadic.0.enter();
        let is_first = step.state.begin(interval_half_ticks, deadline_half_ticks, clock::now());
        step.go_on();
        if !is_first {
            fault::two_sporadic_tasks();
        }
        // The first wait ends no job.
        let responses = bounds::responses(table, self.task, rate).behind_no_job();
        turn::step(|core| core.control_block(self.task).responses = responses);
        SporadicReleases { task: self.task, by: sporadic, dropped: 0, not_send: PhantomData }
    }
}

/// The handle of a sporadic task. It belongs to that task: it can be neither copied nor sent.
#[derive(Debug)]
pub struct SporadicReleases<const MOST: usize = 1> {
    task: TaskId,
    by: &'static Sporadic<MOST>,
    /// How many were dropped before the latest release.
    dropped: u64,
    not_send: PhantomData<*const ()>,
}

impl<const MOST: usize> SporadicReleases<MOST> {
    /// Ends the current job and waits for the next release, which was due when it came or, where that was too early, when
    /// the minimum interval allowed it; returns at once where that has passed. [`Release::handler`] is when it came, or for
    /// one that was waited for in time the interrupt handler's first statement; [`Release::skipped`] how many were dropped
    /// since the release before.
    #[inline(always)]
    pub fn wait(&mut self) -> Release {
        let now = clock::now();
        let task = self.task;
        let step = self.by.0.enter();
        execution_time::end_job(step.core);
        let due = step.state.releases().due();
        let (wait, came) = step.state.wait(&mut step.core.executive, now);
        // For reports.
        let block = step.core.control_block(task);
        block.releases = *step.state.releases();
        if block.responses.record(due, now) {
            step.core.is_beyond_bound(task, now.since(due));
        }
        if let Some(came) = came {
            step.core.handler_stamp[task] = came;
        }
        let start = match wait {
            Wait::Not => {
                step.go_on();
                clock::now()
            }
            // It has no deadline, or one that has been noted.
            wait => {
                step.core.check_waits();
                step.core.begin_to_wait(wait);
                step.end()
            }
        };
        budget::watch_this_job(task);
        let handler = masked(|core| core.handler_stamp[task]);
        let (due, dropped) = self.by.0.briefly(|state| (state.releases().due(), state.releases().counts().skipped));
        let skipped = dropped.wrapping_sub(core::mem::replace(&mut self.dropped, dropped));
        Release { due, handler, start, skipped }
    }
}
