// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is called at an instant, once or periodically, and which is due first.
//!
//! The timers that are started hang in a list through themselves, the one due first in front: any number of them, without
//! memory besides. Cancelling one takes it out where it stands. Starting one looks for its place from the back, since what
//! is started is mostly due later than what was started before: a few instructions for each that is due later, and those
//! due at one instant fire in the order in which they were started.
//!
//! One task, the *server*, calls what is due, and sleeps until the first is. It is not woken for one that is due earlier:
//! its sleep ends earlier.

use core::cell::Cell;
use core::fmt;

use super::Wait;
use crate::TaskId;
use crate::executive::Executive;
use crate::release::first_not_before;
use crate::time::Instant;

/// Something to call at an instant.
pub struct Timer<'a> {
    run: fn(),
    /// When it is due, while it is started.
    due: Cell<Instant>,
    /// How long after a start, or after it was due, it is due; 0 for one that is due at an instant.
    interval_half_ticks: Cell<u64>,
    is_periodic: Cell<bool>,
    is_started: Cell<bool>,
    /// Who is due directly before it, while it is started.
    earlier: Cell<Option<&'a Timer<'a>>>,
    /// Who is due directly behind it.
    later: Cell<Option<&'a Timer<'a>>>,
    counts: Cell<TimerCounts>,
}

/// What happened to a timer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimerCounts {
    /// How often it fired.
    pub fired: u64,
    /// How many periods passed without its firing, since the server was kept from it.
    pub missed: u64,
}

/// How a timer is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    due: Instant,
    interval_half_ticks: u64,
    is_periodic: bool,
}

impl Start {
    /// To fire once, at `due`.
    #[inline(always)]
    #[must_use]
    pub const fn at(due: Instant) -> Self {
        Self { due, interval_half_ticks: 0, is_periodic: false }
    }

    /// To fire once, `half_ticks` after `now`.
    #[inline(always)]
    #[must_use]
    pub const fn after(now: Instant, half_ticks: u64) -> Self {
        Self { due: now.after(half_ticks), interval_half_ticks: half_ticks, is_periodic: false }
    }

    /// To fire at `first` and `period_half_ticks` after each time it was due, at least 1.
    #[inline(always)]
    #[must_use]
    pub const fn every(first: Instant, period_half_ticks: u64) -> Self {
        let interval_half_ticks = if period_half_ticks == 0 { 1 } else { period_half_ticks };
        Self { due: first, interval_half_ticks, is_periodic: true }
    }
}

impl fmt::Debug for Timer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without its neighbours, and theirs.
        f.debug_struct("Timer").field("due", &self.due()).field("counts", &self.counts.get()).finish_non_exhaustive()
    }
}

impl<'a> Timer<'a> {
    /// One that calls `run`, not started.
    #[must_use]
    pub const fn new(run: fn()) -> Self {
        Self {
            run,
            due: Cell::new(Instant::from_half_ticks(0)),
            interval_half_ticks: Cell::new(0),
            is_periodic: Cell::new(false),
            is_started: Cell::new(false),
            earlier: Cell::new(None),
            later: Cell::new(None),
            counts: Cell::new(TimerCounts { fired: 0, missed: 0 }),
        }
    }

    /// When it fires next; `None` while it is not started.
    #[must_use]
    pub const fn due(&self) -> Option<Instant> {
        if self.is_started.get() { Some(self.due.get()) } else { None }
    }

    /// What happened to it so far.
    #[must_use]
    pub const fn counts(&self) -> TimerCounts {
        self.counts.get()
    }

    /// How [`Timers::start`] is to start it once more, as long from `now` as it was started for or as its period is; `None`
    /// where it was never started, or for an instant.
    #[must_use]
    pub const fn again(&self, now: Instant) -> Option<Start> {
        let interval_half_ticks = self.interval_half_ticks.get();
        if interval_half_ticks == 0 {
            return None;
        }
        Some(Start { due: now.after(interval_half_ticks), interval_half_ticks, is_periodic: self.is_periodic.get() })
    }

    fn count_one(&self, missed: u64) {
        let TimerCounts { fired, missed: before } = self.counts.get();
        self.counts.set(TimerCounts { fired: fired.wrapping_add(1), missed: before.wrapping_add(missed) });
    }
}

/// The timers that are started, and the server while it sleeps.
#[derive(Debug)]
pub struct Timers<'a> {
    first: Option<&'a Timer<'a>>,
    last: Option<&'a Timer<'a>>,
    sleeper: Option<TaskId>,
}

impl Default for Timers<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Timers<'a> {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { first: None, last: None, sleeper: None }
    }

    /// Starts `timer`, anew where it is started. Answers the instant for which the executive's timer is to be armed, where
    /// that has changed.
    #[inline(always)]
    #[must_use = "the timer has to be armed for a new first deadline"]
    pub fn start(&mut self, executive: &mut Executive, timer: &'a Timer<'a>, start: Start) -> Option<Instant> {
        if timer.is_started.get() {
            self.take_out(timer);
        }
        timer.due.set(start.due);
        timer.interval_half_ticks.set(start.interval_half_ticks);
        timer.is_periodic.set(start.is_periodic);
        if !self.put_in(timer) {
            return None;
        }
        executive.change_deadline(self.sleeper?, start.due).then_some(start.due)
    }

    /// Cancels `timer`. False, and nothing happens, where it is not started. The server may wake for nothing.
    #[inline(always)]
    pub fn cancel(&mut self, timer: &'a Timer<'a>) -> bool {
        let was_started = timer.is_started.get();
        if was_started {
            self.take_out(timer);
        }
        was_started
    }

    /// What the server, which runs, has to call: the first that is due by `now`. A periodic one is started for its next
    /// period that has not passed by then.
    #[must_use]
    pub fn take_due(&mut self, now: Instant) -> Option<fn()> {
        self.sleeper = None;
        let timer = self.first?;
        if now.is_before(timer.due.get()) {
            return None;
        }
        self.take_out(timer);
        let mut missed = 0;
        if timer.is_periodic.get() {
            let period_half_ticks = timer.interval_half_ticks.get();
            let next = first_not_before(timer.due.get().after(period_half_ticks), period_half_ticks, now);
            missed = next.skipped;
            timer.due.set(next.due);
            let _ = self.put_in(timer);
        }
        timer.count_one(missed);
        Some(timer.run)
    }

    /// The server, which runs and has found nothing due, sleeps until something is.
    pub fn sleep(&mut self, executive: &mut Executive) -> Wait {
        self.sleeper = Some(executive.running());
        let until = self.first.map_or(executive.never(), |timer| timer.due.get());
        if executive.wait_until(until) { Wait::BeginsAndArms(until) } else { Wait::Begins }
    }

    /// Puts `timer`, which is not in the list, behind those that are due at the same instant. Answers whether it is the first.
    #[inline(always)]
    fn put_in(&mut self, timer: &'a Timer<'a>) -> bool {
        timer.is_started.set(true);
        let mut earlier = self.last;
        let mut later = None;
        while let Some(other) = earlier.filter(|other| timer.due.get().is_before(other.due.get())) {
            later = earlier;
            earlier = other.earlier.get();
        }
        self.join(earlier, Some(timer));
        self.join(Some(timer), later);
        earlier.is_none()
    }

    #[inline(always)]
    fn take_out(&mut self, timer: &'a Timer<'a>) {
        timer.is_started.set(false);
        self.join(timer.earlier.get(), timer.later.get());
    }

    /// Lets `earlier` stand directly before `later`; `None` is the list's end.
    #[inline(always)]
    fn join(&mut self, earlier: Option<&'a Timer<'a>>, later: Option<&'a Timer<'a>>) {
        match earlier {
            Some(earlier) => earlier.later.set(later),
            None => self.first = later,
        }
        match later {
            Some(later) => later.earlier.set(earlier),
            None => self.last = earlier,
        }
    }
}
