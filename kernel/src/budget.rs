// SPDX-License-Identifier: MIT OR Apache-2.0
//! Budgets of execution time: when a job is looked at that has one, and what is found.
//!
//! A job is looked at when it can have used up its budget at the earliest. If it has not, it is looked at again when what is
//! missing can have passed: the first time exactly, where the task runs at that moment, and then an eighth of the budget later
//! at least, so that a rest which shrinks by little each time brings no storm of interrupts. At the end of each job its
//! execution time is known exactly, whatever was seen of it before.

use core::time::Duration;

/// What becomes of a job that uses more execution time than its task's budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnBudgetOverrun {
    /// It is counted, and nothing else happens.
    #[default]
    Report,
    /// It is counted, and until the job ends the task runs only when no other task can.
    Demote,
    /// The run ends with a sentence.
    Fatal,
}

/// The budget of each job of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The most execution time that a job is to use.
    pub most: Duration,
    /// What becomes of one that uses more.
    pub on_overrun: OnBudgetOverrun,
}

/// As a part of the budget: the looks at a job are so far apart at the least, but for the second.
pub const PARTS: u64 = 8;
/// The same, where the part is less; and more than what a look itself takes before the task goes on.
pub const LEAST_APART_US: u64 = 5;

impl Budget {
    /// The least time between two looks at a job, but for the first two, in nanoseconds.
    #[must_use]
    pub const fn apart_ns(&self) -> u64 {
        #[expect(clippy::cast_possible_truncation, reason = "a budget of the table is an hour at the most")]
        let part = self.most.as_nanos() as u64 / PARTS;
        let least = LEAST_APART_US.saturating_mul(1_000);
        if part > least { part } else { least }
    }
}

/// The budget of a task's jobs while the system runs, and what became of it.
#[derive(Clone, Copy, Debug)]
pub struct JobBudget {
    /// 0 where there is none.
    most_half_ticks: u64,
    apart_half_ticks: u64,
    least_apart_half_ticks: u64,
    overruns: u64,
    on_overrun: Option<OnBudgetOverrun>,
    /// Whether the present job has been looked at, and not been found to be beyond.
    was_looked_at: bool,
    /// Whether the present job has been counted.
    is_beyond: bool,
}

/// What a look finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The job is to be looked at again, so many half ticks later.
    Within(u64),
    /// It has used more than its budget, which it had not before.
    Beyond(OnBudgetOverrun),
}

impl JobBudget {
    /// That of a task that has none: all zeros.
    pub const NONE: Self = Self {
        most_half_ticks: 0,
        apart_half_ticks: 0,
        least_apart_half_ticks: 0,
        overruns: 0,
        on_overrun: None,
        was_looked_at: false,
        is_beyond: false,
    };

    /// One of so many half ticks, where a microsecond has `us_half_ticks`.
    #[must_use]
    pub const fn new(most_half_ticks: u64, on_overrun: OnBudgetOverrun, us_half_ticks: u64) -> Self {
        let part = most_half_ticks / PARTS;
        let least = us_half_ticks.saturating_mul(LEAST_APART_US);
        Self {
            most_half_ticks,
            apart_half_ticks: if part > least { part } else { least },
            least_apart_half_ticks: least,
            on_overrun: Some(on_overrun),
            ..Self::NONE
        }
    }

    /// What becomes of a job that uses more; `None` where there is no budget.
    #[inline(always)]
    #[must_use]
    pub const fn on_overrun(&self) -> Option<OnBudgetOverrun> {
        self.on_overrun
    }

    /// The most that a job is to use, in half ticks.
    #[must_use]
    pub const fn most_half_ticks(&self) -> u64 {
        self.most_half_ticks
    }

    /// How many jobs used more.
    #[must_use]
    pub const fn overruns(&self) -> u64 {
        self.overruns
    }

    /// How much of it a job has left that has used so much.
    #[must_use]
    pub const fn left_half_ticks(&self, used_half_ticks: u64) -> u64 {
        self.most_half_ticks.saturating_sub(used_half_ticks)
    }

    /// The present job, which has used so much, is looked at; the task `runs`, or does not at the moment.
    #[must_use]
    pub fn look(&mut self, used_half_ticks: u64, runs: bool) -> Found {
        if used_half_ticks > self.most_half_ticks {
            self.count();
            return Found::Beyond(self.on_overrun.unwrap_or_default());
        }
        let was_looked_at = core::mem::replace(&mut self.was_looked_at, true);
        let left = self.left_half_ticks(used_half_ticks);
        let is_exact = runs && !was_looked_at;
        Found::Within(if is_exact {
            left.saturating_add(self.least_apart_half_ticks)
        } else {
            left.max(self.apart_half_ticks)
        })
    }

    /// The present job, which has used so much, has ended.
    pub fn end_job(&mut self, used_half_ticks: u64) {
        if used_half_ticks > self.most_half_ticks {
            self.count();
        }
        self.was_looked_at = false;
        self.is_beyond = false;
    }

    const fn count(&mut self) {
        if !core::mem::replace(&mut self.is_beyond, true) {
            self.overruns = self.overruns.wrapping_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Found, JobBudget, OnBudgetOverrun};
    use core::time::Duration;

    const US: u64 = 108;

    fn budget(us: u64) -> JobBudget {
        JobBudget::new(us.saturating_mul(US), OnBudgetOverrun::Demote, US)
    }

    #[test]
    fn a_budget_that_is_kept_to_the_tick_is_no_overrun() {
        let mut budget = budget(80);
        assert_eq!(budget.look(80 * US, true), Found::Within(5 * US));
        budget.end_job(80 * US);
        assert_eq!(budget.overruns(), 0);
        budget.end_job(80 * US + 1);
        assert_eq!(budget.overruns(), 1);
    }

    #[test]
    fn a_job_counts_once_whoever_finds_it() {
        let mut budget = budget(80);
        assert_eq!(budget.look(81 * US, true), Found::Beyond(OnBudgetOverrun::Demote));
        budget.end_job(90 * US);
        budget.end_job(100 * US);
        budget.end_job(10 * US);
        assert_eq!(budget.overruns(), 2);
    }

    #[test]
    fn what_is_missing_is_looked_for_exactly_once_in_a_job() {
        let mut budget = budget(80);
        for _ in 0..2 {
            assert_eq!(budget.look(79 * US, true), Found::Within(6 * US));
            assert_eq!(budget.look(79 * US, true), Found::Within(10 * US));
            assert_eq!(budget.look(50 * US, true), Found::Within(30 * US));
            budget.end_job(79 * US);
        }
        assert_eq!(budget.look(79 * US, false), Found::Within(10 * US));
        assert_eq!(budget.look(79 * US, true), Found::Within(10 * US));
    }

    #[test]
    fn looks_are_five_microseconds_apart_where_an_eighth_is_less() {
        let mut tiny = budget(16);
        assert_eq!(tiny.look(16 * US, false), Found::Within(5 * US));
        let apart_ns = |us| Budget { most: Duration::from_micros(us), on_overrun: OnBudgetOverrun::Report }.apart_ns();
        assert_eq!([16, 40, 80].map(apart_ns), [5_000, 5_000, 10_000]);
    }

    #[test]
    fn who_has_no_budget_is_all_zeros() {
        assert_eq!(JobBudget::NONE.on_overrun(), None);
        assert_eq!(JobBudget::NONE.overruns(), 0);
    }
}
