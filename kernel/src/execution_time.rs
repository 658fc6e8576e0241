// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who had the core for how long: each task, the idle task, and all interrupt handlers together.
//!
//! At any instant one of them has it, and what passes between two readings of the counter is charged to that one: so all of
//! them together are what has passed since the first reading, to the half tick. A handler that interrupts another counts
//! once, within the other.
//!
//! The sums wrap at 2^64 half ticks, which nobody lives to see.

mod jobs;
mod window;

pub use jobs::{JobTimes, Jobs};
pub use window::{Share, User, Window};

use crate::time::Instant;
use crate::{PerTask, TaskId};

/// The time each task ran, and interrupt handlers did, up to the latest switch.
#[derive(Debug)]
pub struct ExecutionTime {
    /// Up to when everything is charged.
    since: Instant,
    /// Who has the core, or has it again when the handlers end.
    running: TaskId,
    /// How many handlers have begun and not ended.
    handlers: u32,
    interrupts_half_ticks: u64,
    tasks_half_ticks: PerTask<u64>,
}

impl Default for ExecutionTime {
    fn default() -> Self {
        Self::new()
    }
}

impl ExecutionTime {
    /// Nobody has had it.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            since: Instant::from_half_ticks(0),
            running: TaskId::IDLE,
            handlers: 0,
            interrupts_half_ticks: 0,
            tasks_half_ticks: PerTask::all(0),
        }
    }

    /// The first task has the core from `now` on.
    pub fn begin(&mut self, first: TaskId, now: Instant) {
        self.since = now;
        self.running = first;
    }

    /// The running task had the core up to `now`, `to` has it from then on.
    #[inline(always)]
    pub fn switch(&mut self, to: TaskId, now: Instant) {
        self.charge_task(now);
        self.running = to;
    }

    /// An interrupt handler began at `stamp`.
    #[inline(always)]
    pub fn begin_handler(&mut self, stamp: Instant) {
        let within = self.handlers;
        self.handlers = within.wrapping_add(1);
        if within == 0 {
            self.charge_task(stamp);
        }
    }

    /// The handler that began last ends at `now`, and what it interrupted goes on.
    #[inline(always)]
    pub fn end_handler(&mut self, now: Instant) {
        self.handlers = self.handlers.wrapping_sub(1);
        if self.handlers == 0 {
            self.charge_interrupts(now);
        }
    }

    /// The handler, which interrupted no other, ends at `now`; `to` has the core from then on.
    #[inline(always)]
    pub fn end_handlers(&mut self, to: TaskId, now: Instant) {
        self.handlers = 0;
        self.charge_interrupts(now);
        self.running = to;
    }

    #[inline(always)]
    fn charge_task(&mut self, now: Instant) {
        let passed = self.passed(now);
        let total = &mut self.tasks_half_ticks[self.running];
        *total = total.wrapping_add(passed);
        self.since = now;
    }

    #[inline(always)]
    fn charge_interrupts(&mut self, now: Instant) {
        self.interrupts_half_ticks = self.interrupts_half_ticks.wrapping_add(self.passed(now));
        self.since = now;
    }

    /// How much is not charged yet.
    #[inline(always)]
    const fn passed(&self, now: Instant) -> u64 {
        now.half_ticks().wrapping_sub(self.since.half_ticks())
    }

    /// How long `task` has had the core up to `now`, in half ticks, also while it has it. In an interrupt handler: up to the
    /// stamp of the handler that interrupted the task, whatever `now` is.
    #[must_use]
    pub fn executed(&self, task: TaskId, now: Instant) -> u64 {
        let runs = self.handlers == 0 && self.running == task;
        self.tasks_half_ticks[task].wrapping_add(if runs { self.passed(now) } else { 0 })
    }

    /// How long interrupt handlers have had the core up to `now`, in half ticks.
    #[must_use]
    pub const fn interrupts(&self, now: Instant) -> u64 {
        self.interrupts_half_ticks.wrapping_add(if self.handlers == 0 { 0 } else { self.passed(now) })
    }
}

#[cfg(test)]
mod tests;
