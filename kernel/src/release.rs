// SPDX-License-Identifier: MIT OR Apache-2.0
//! When a periodic task is released: the one place where a period is added.
//!
//! A release is due one period after the previous *due* instant, never after "now", so nothing drifts and a late job
//! moves no later one. What was missed is counted by name, in the words of RTEMS's rate-monotonic manager and of
//! cyclictest: nothing is skipped in silence.

use crate::time::Instant;

/// What becomes of releases that passed while the previous job still ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OverrunPolicy {
    /// They are skipped and counted; the next job starts at the next release in the future, in phase (cyclictest's way).
    #[default]
    Skip,
    /// They are postponed: each gets its job, late, one after the other (RTEMS's rate-monotonic way).
    Postpone,
}

/// What happened to a task's releases, since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReleaseCounts {
    /// Jobs finished.
    pub count: u64,
    /// Jobs that still ran when their next release came; of a sporadic task, when it was due.
    pub overrun: u64,
    /// Jobs that finished after their deadline.
    pub late: u64,
    /// Releases that got no job because they had passed; of a sporadic task, because too many were kept already.
    pub skipped: u64,
    /// Releases that got their job late, after an overrun; of a sporadic task, those that came within its minimum interval.
    pub postponed: u64,
}

/// The releases of one periodic or sporadic task.
#[derive(Clone, Copy, Debug)]
pub struct Releases {
    due: Instant,
    period_half_ticks: u64,
    deadline_half_ticks: u64,
    policy: OverrunPolicy,
    counts: ReleaseCounts,
}

/// A job's end and what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextRelease {
    /// When the next job is due; in the past after a postponed release.
    pub due: Instant,
    /// How many releases were skipped before it.
    pub skipped: u64,
}

impl Releases {
    /// Releases every `period_half_ticks` (at least 1), the first at `first`. A job is late when it ends more than
    /// `deadline_half_ticks` after its due instant.
    pub const fn new(first: Instant, period_half_ticks: u64, deadline_half_ticks: u64, policy: OverrunPolicy) -> Self {
        let counts = ReleaseCounts { count: 0, overrun: 0, late: 0, skipped: 0, postponed: 0 };
        let period_half_ticks = if period_half_ticks == 0 { 1 } else { period_half_ticks };
        Self { due: first, period_half_ticks, deadline_half_ticks, policy, counts }
    }

    /// Those of a sporadic task that had none by `now`, of which `dropped` were dropped before it came. No two are due within
    /// `interval_half_ticks`.
    pub const fn sporadic(interval_half_ticks: u64, deadline_half_ticks: u64, now: Instant, dropped: u64) -> Self {
        let mut releases = Self::new(
            now.before(LONG_AGO_HALF_TICKS),
            interval_half_ticks,
            deadline_half_ticks,
            OverrunPolicy::Postpone,
        );
        releases.counts.skipped = dropped;
        releases
    }

    /// Those of a task that has none yet: all zeros.
    pub const NONE: Self = Self {
        due: Instant::from_half_ticks(0),
        period_half_ticks: 0,
        deadline_half_ticks: 0,
        policy: OverrunPolicy::Skip,
        counts: ReleaseCounts { count: 0, overrun: 0, late: 0, skipped: 0, postponed: 0 },
    };

    /// When the current job was, or the first one will be, due.
    #[inline(always)]
    pub const fn due(&self) -> Instant {
        self.due
    }

    /// By when the current job is, or the first one will be, to end.
    #[inline(always)]
    pub const fn deadline(&self) -> Instant {
        self.due.after(self.deadline_half_ticks)
    }

    /// The period in half ticks.
    #[inline(always)]
    pub const fn period_half_ticks(&self) -> u64 {
        self.period_half_ticks
    }

    /// What happened so far.
    pub const fn counts(&self) -> ReleaseCounts {
        self.counts
    }

    /// Counts from 0 again.
    pub fn reset_counts(&mut self) {
        self.counts = ReleaseCounts::default();
    }

    /// The job that was released at [`Self::due`] has ended at `now`; when is the next one due?
    #[inline]
    pub fn advance(&mut self, now: Instant) -> NextRelease {
        self.end_job(now);
        let mut due = self.due.after(self.period_half_ticks);
        let mut skipped = 0;
        if due.is_before(now) {
            self.counts.overrun = self.counts.overrun.wrapping_add(1);
            match self.policy {
                OverrunPolicy::Postpone => self.counts.postponed = self.counts.postponed.wrapping_add(1),
                OverrunPolicy::Skip => {
                    NextRelease { due, skipped } = skip(due, self.period_half_ticks, now);
                    self.counts.skipped = self.counts.skipped.wrapping_add(skipped);
                }
            }
        }
        self.due = due;
        NextRelease { due, skipped }
    }

    /// The job that was released at [`Self::due`] has ended at `now`.
    #[inline(always)]
    pub fn end_job(&mut self, now: Instant) {
        self.counts.count = self.counts.count.wrapping_add(1);
        if self.deadline().is_before(now) {
            self.counts.late = self.counts.late.wrapping_add(1);
        }
    }

    /// A sporadic task's next job is that of a release that came at `came`: when is it due?
    #[inline(always)]
    pub fn admit(&mut self, came: Instant) -> Instant {
        let earliest = self.due.after(self.period_half_ticks);
        self.due = if came.is_before(earliest) {
            self.counts.postponed = self.counts.postponed.wrapping_add(1);
            earliest
        } else {
            came
        };
        self.due
    }

    /// A sporadic task's next job was due while the one before ran until `now`.
    pub fn count_overrun(&mut self, now: Instant) {
        if self.due.is_before(now) {
            self.counts.overrun = self.counts.overrun.wrapping_add(1);
        }
    }

    /// A sporadic task's release was dropped.
    pub fn drop_one(&mut self) {
        self.counts.skipped = self.counts.skipped.wrapping_add(1);
    }
}

/// The first of the instants `due`, `period_half_ticks` (at least 1) later, and so on that is not before `now`, and how many
/// are.
#[inline(always)]
#[must_use]
pub const fn first_not_before(due: Instant, period_half_ticks: u64, now: Instant) -> NextRelease {
    if due.is_before(now) { skip(due, period_half_ticks, now) } else { NextRelease { due, skipped: 0 } }
}

/// The same, of a `due` that is before `now`.
#[inline(always)]
const fn skip(due: Instant, period_half_ticks: u64, now: Instant) -> NextRelease {
    let skipped = now.since(due).cast_unsigned().div_ceil(period_half_ticks);
    NextRelease { due: due.after(skipped.wrapping_mul(period_half_ticks)), skipped }
}

/// How long before its start a sporadic task is taken to have been released, in half ticks: longer than every minimum
/// interval.
const LONG_AGO_HALF_TICKS: u64 = 1 << 61;

#[cfg(test)]
mod tests {
    use super::{NextRelease, OverrunPolicy, ReleaseCounts, Releases};
    use crate::time::Instant;

    fn at(half_ticks: u64) -> Instant {
        Instant::from_half_ticks(half_ticks)
    }

    #[test]
    fn in_time_the_next_is_one_period_after_the_last_due_instant() {
        let mut releases = Releases::new(at(1_000), 100, 100, OverrunPolicy::Skip);
        assert_eq!(releases.advance(at(1_090)), NextRelease { due: at(1_100), skipped: 0 });
        assert_eq!(releases.counts(), ReleaseCounts { count: 1, ..ReleaseCounts::default() });
    }

    #[test]
    fn ending_exactly_at_the_next_release_is_in_time() {
        let mut releases = Releases::new(at(1_000), 100, 100, OverrunPolicy::Skip);
        assert_eq!(releases.advance(at(1_100)), NextRelease { due: at(1_100), skipped: 0 });
        assert_eq!(releases.counts().overrun, 0);
        assert_eq!(releases.counts().late, 0);
    }

    #[test]
    fn skip_counts_every_passed_release_and_stays_in_phase() {
        let mut releases = Releases::new(at(1_000), 100, 100, OverrunPolicy::Skip);
        // 1,100, 1,200 and 1,300 have passed; 1,400 is now.
        assert_eq!(releases.advance(at(1_400)), NextRelease { due: at(1_400), skipped: 3 });
        assert_eq!(releases.advance(at(1_501)), NextRelease { due: at(1_600), skipped: 1 });
        let counts = releases.counts();
        assert_eq!((counts.overrun, counts.late, counts.skipped, counts.postponed), (2, 2, 4, 0));
    }

    #[test]
    fn postpone_gives_every_release_its_job() {
        let mut releases = Releases::new(at(1_000), 100, 50, OverrunPolicy::Postpone);
        let mut dues = std::vec::Vec::new();
        for now in [1_350, 1_351, 1_352, 1_353] {
            dues.push(releases.advance(at(now)).due.half_ticks());
        }
        assert_eq!(dues, [1_100, 1_200, 1_300, 1_400]);
        let counts = releases.counts();
        assert_eq!((counts.count, counts.overrun, counts.skipped, counts.postponed), (4, 3, 0, 3));
        assert_eq!(counts.late, 4);
    }

    #[test]
    fn the_counter_may_wrap() {
        let mut releases = Releases::new(at(u64::MAX - 50), 100, 100, OverrunPolicy::Skip);
        assert_eq!(releases.advance(at(u64::MAX)).due, at(49));
        assert_eq!(releases.advance(at(260)), NextRelease { due: at(349), skipped: 2 });
    }

    #[test]
    fn a_million_periods_of_125_us_do_not_drift() {
        let mut releases = Releases::new(at(0), 15_625, 15_625, OverrunPolicy::Skip);
        for _ in 0..1_000_000 {
            let _ = releases.advance(releases.due().after(3_000));
        }
        assert_eq!(releases.due(), at(1_000_000 * 15_625));
        assert_eq!(releases.counts().skipped, 0);
    }
}
