// SPDX-License-Identifier: MIT OR Apache-2.0
//! The releases of a sporadic task: they come when others say so, but no two are due within its minimum interval.
//!
//! A release that comes too early is postponed to the instant at which the interval allows it. While the task has a job to
//! do, or is postponed, releases are kept with their stamps, so many at the most; what comes beyond is dropped and counted.

use super::Wait;
use crate::TaskId;
use crate::executive::Executive;
use crate::release::Releases;
use crate::time::Instant;

/// The releases of one sporadic task, of which at most `MOST` are kept.
#[derive(Debug)]
pub struct Sporadic<const MOST: usize> {
    releases: Releases,
    /// The task, while it waits for a release.
    waiting: Option<TaskId>,
    has_task: bool,
    /// Whether there was a job, which ends at the next wait.
    has_job: bool,
    /// When those that are kept came.
    kept: [Instant; MOST],
    /// The place of the oldest of these.
    oldest: usize,
    /// How many these are.
    length: usize,
    highest: usize,
}

/// What became of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the timer may have to be armed"]
pub enum Released {
    /// It is kept for later.
    Kept,
    /// It is lost: as many are kept as can be.
    Dropped,
    /// The task, which waited for it, has it and is ready.
    Woke(TaskId),
    /// It came too early: the task, which waited for it, now waits until it is due.
    Postponed,
    /// The same, and the timer is to be armed for that instant, which is the first deadline of all.
    PostponedAndArms(Instant),
}

impl<const MOST: usize> Default for Sporadic<MOST> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const MOST: usize> Sporadic<MOST> {
    /// Those of a task that has not come yet. All zeros but for one byte.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            releases: Releases::NONE,
            waiting: None,
            has_task: false,
            has_job: false,
            kept: [Instant::from_half_ticks(0); MOST],
            oldest: 0,
            length: 0,
            highest: 0,
        }
    }

    /// A task comes, whose releases these are from `now` on: it has this minimum interval and deadline. False, and nothing
    /// happens, where they have one already.
    #[must_use]
    pub fn begin(&mut self, interval_half_ticks: u64, deadline_half_ticks: u64, now: Instant) -> bool {
        let is_first = !core::mem::replace(&mut self.has_task, true);
        if is_first {
            let dropped = self.releases.counts().skipped;
            self.releases = Releases::sporadic(interval_half_ticks, deadline_half_ticks, now, dropped);
        }
        is_first
    }

    /// What happened so far, and when the current job was due.
    #[must_use]
    pub const fn releases(&self) -> &Releases {
        &self.releases
    }

    /// How many were kept at the most.
    #[must_use]
    pub const fn highest(&self) -> usize {
        self.highest
    }

    /// The task is to be released, at `now`.
    #[inline(always)]
    pub fn release(&mut self, executive: &mut Executive, now: Instant) -> Released {
        let Some(task) = self.waiting.take() else { return self.keep(now) };
        let due = self.releases.admit(now);
        executive.set_deadline(task, self.releases.deadline());
        if !now.is_before(due) {
            executive.wake(task);
            Released::Woke(task)
        } else if executive.let_wait_until(task, due) {
            Released::PostponedAndArms(due)
        } else {
            Released::Postponed
        }
    }

    #[inline(never)]
    fn keep(&mut self, now: Instant) -> Released {
        let place = self.oldest.wrapping_add(self.length).checked_rem(MOST);
        match place.and_then(|place| self.kept.get_mut(place)) {
            Some(kept) if self.length < MOST => {
                *kept = now;
                self.length = self.length.wrapping_add(1);
                self.highest = self.highest.max(self.length);
                Released::Kept
            }
            _ => {
                self.releases.drop_one();
                Released::Dropped
            }
        }
    }

    fn take_kept(&mut self) -> Option<Instant> {
        if self.length == 0 {
            return None;
        }
        let came = self.kept.get(self.oldest).copied();
        self.length = self.length.wrapping_sub(1);
        self.oldest = self.oldest.wrapping_add(1).checked_rem(MOST).unwrap_or(0);
        came
    }

    /// The running task, whose releases these are, has ended its job, if it had one, and waits for the next. Answers when
    /// that came as well, where it has come.
    pub fn wait(&mut self, executive: &mut Executive, now: Instant) -> (Wait, Option<Instant>) {
        if core::mem::replace(&mut self.has_job, true) {
            self.releases.end_job(now);
        }
        let Some(came) = self.take_kept() else {
            self.waiting = Some(executive.running());
            executive.block();
            return (Wait::Begins, None);
        };
        let due = self.releases.admit(came);
        executive.set_deadline(executive.running(), self.releases.deadline());
        self.releases.count_overrun(now);
        // By the way of a release, another task's deadline may be the earlier one now.
        let wait = if !now.is_before(due) && executive.is_ordinary() {
            Wait::Not
        } else if executive.wait_until(due) {
            Wait::BeginsAndArms(due)
        } else {
            Wait::Begins
        };
        (wait, Some(came))
    }
}
