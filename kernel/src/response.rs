// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long a task's jobs take, from their due instants to their ends, and what it means where that is more than was found
//! while the compiler ran.

use core::fmt;

use crate::schedulability::Platform;
use crate::time::{Instant, Rate};

/// The response times of one task's jobs: exact sums, nothing clamped. A job that is released a moment early, as well as
/// the clocks agree, can have a negative one.
#[derive(Clone, Copy, Debug)]
pub struct Responses {
    /// The greatest number before the first job.
    least_half_ticks: i64,
    /// The least number before the first job.
    greatest_half_ticks: i64,
    count: u64,
    sum_half_ticks: i64,
    /// What is longer than this needs a second look.
    limit_half_ticks: i64,
    /// 0 where there is none.
    bound_half_ticks: i64,
}

/// What is known of a task's response times, of one job at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResponseTimes {
    /// How many jobs.
    pub count: u64,
    /// All together, in half ticks.
    pub sum_half_ticks: i64,
    /// The shortest, in half ticks.
    pub least_half_ticks: i64,
    /// The longest, in half ticks.
    pub greatest_half_ticks: i64,
}

impl ResponseTimes {
    /// The mean, in half ticks, rounded down.
    #[must_use]
    pub const fn mean_half_ticks(&self) -> i64 {
        let count = self.count.cast_signed();
        if count > 0 { self.sum_half_ticks.div_euclid(count) } else { 0 }
    }
}

impl Responses {
    /// Those of a task that has none: all zeros. Nothing is recorded in them.
    pub const NONE: Self = Self {
        least_half_ticks: 0,
        greatest_half_ticks: 0,
        count: 0,
        sum_half_ticks: 0,
        limit_half_ticks: 0,
        bound_half_ticks: 0,
    };

    /// Those of a task that has had no job. What takes longer than `bound_half_ticks` is told by [`Self::record`].
    #[must_use]
    pub const fn new(bound_half_ticks: Option<u64>) -> Self {
        match bound_half_ticks {
            Some(bound) if bound < i64::MAX.cast_unsigned() => Self::before_first(bound.cast_signed()),
            _ => Self::before_first(0),
        }
    }

    const fn before_first(bound_half_ticks: i64) -> Self {
        let limit_half_ticks = if bound_half_ticks == 0 { i64::MAX } else { bound_half_ticks };
        Self {
            least_half_ticks: i64::MAX,
            greatest_half_ticks: i64::MIN,
            count: 0,
            sum_half_ticks: 0,
            limit_half_ticks,
            bound_half_ticks,
        }
    }

    /// Forgets the jobs so far. The bound stays.
    pub fn reset(&mut self) {
        (self.least_half_ticks, self.greatest_half_ticks) = (i64::MAX, i64::MIN);
        (self.count, self.sum_half_ticks) = (0, 0);
    }

    /// The same, where the first end that is recorded is that of a job that never ran, and does not count.
    #[must_use]
    pub const fn behind_no_job(self) -> Self {
        Self { limit_half_ticks: i64::MIN, ..self }
    }

    /// A job that was due at `due` has ended at `end`. Answers whether that took longer than the bound.
    ///
    /// One branch, which a response within the bound does not take: the longest wait is as long as any.
    #[inline(always)]
    #[must_use = "a response beyond the bound is to be judged"]
    pub fn record(&mut self, due: Instant, end: Instant) -> bool {
        let response = end.since(due);
        self.least_half_ticks = self.least_half_ticks.min(response);
        self.greatest_half_ticks = self.greatest_half_ticks.max(response);
        self.count = self.count.wrapping_add(1);
        self.sum_half_ticks = self.sum_half_ticks.wrapping_add(response);
        response > self.limit_half_ticks && self.is_beyond()
    }

    /// A response is above the limit: it is above the bound, or that of no job.
    #[cold]
    #[inline(never)]
    fn is_beyond(&mut self) -> bool {
        let was_a_job = self.limit_half_ticks != i64::MIN;
        if !was_a_job {
            *self = Self::before_first(self.bound_half_ticks);
        }
        was_a_job
    }

    /// What is known; `None` before the first job has ended.
    #[must_use]
    pub const fn times(&self) -> Option<ResponseTimes> {
        if self.count == 0 {
            return None;
        }
        Some(ResponseTimes {
            count: self.count,
            sum_half_ticks: self.sum_half_ticks,
            least_half_ticks: self.least_half_ticks,
            greatest_half_ticks: self.greatest_half_ticks,
        })
    }

    /// Whether there is a bound, and a job took longer.
    #[must_use]
    pub const fn is_beyond_bound(&self) -> bool {
        self.bound_half_ticks != 0 && self.count > 0 && self.greatest_half_ticks > self.bound_half_ticks
    }

    /// Whether there is a bound.
    #[must_use]
    pub const fn has_bound(&self) -> bool {
        self.bound_half_ticks != 0
    }
}

/// `half_ticks` in nanoseconds, rounded down.
#[must_use]
#[inline(never)]
#[expect(clippy::cast_possible_wrap, reason = "a microsecond has at most 2^16 half ticks")]
pub const fn ns(half_ticks: i64, rate: Rate) -> i64 {
    let per_us = rate.half_ticks_per_us().get() as i64;
    let (us, rest) = match (half_ticks.checked_div_euclid(per_us), half_ticks.checked_rem_euclid(per_us)) {
        (Some(us), Some(rest)) => (us, rest),
        _ => (0, 0),
    };
    let rest_ns = match rest.saturating_mul(1_000).checked_div(per_us) {
        Some(rest_ns) => rest_ns,
        None => 0,
    };
    us.saturating_mul(1_000).saturating_add(rest_ns)
}

/// `ns` nanoseconds in half ticks, rounded up; `None` beyond 2^62 half ticks.
#[must_use]
pub const fn half_ticks(ns: u64, rate: Rate) -> Option<u64> {
    let per_us = rate.half_ticks_per_us().get();
    let rest = (ns % 1_000).saturating_mul(per_us).div_ceil(1_000);
    match rate.half_ticks(ns / 1_000) {
        Some(half_ticks) => Some(half_ticks.saturating_add(rest)),
        None => None,
    }
}

/// Why a bound says nothing any more: something happened that it does not reckon with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Void<'a> {
    /// This task, whose releases are postponed, overran beyond its bound, or without one: its jobs follow one another more
    /// closely than declared.
    Overrun(&'a str),
    /// This task, which is as urgent or more, waits within its jobs.
    WaitsWithin(&'a str),
    /// A task was given another priority.
    Priority,
}

impl fmt::Display for Void<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overrun(name) => write!(formatter, "task '{name}' overran, and its releases were postponed"),
            Self::WaitsWithin(name) => {
                write!(formatter, "task '{name}' waits within its jobs, for something else than its release")
            }
            Self::Priority => formatter.write_str("a task was given another priority than the table's"),
        }
    }
}

/// What the time that was observed is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// The bound is for this: a board, or QEMU with counted instructions.
    Judged,
    /// QEMU without `-icount`, or with several cores that share the counted time.
    HostNoise,
    /// QEMU with counted instructions, where a serial interface was busy: it sends and receives at once what a wire spreads
    /// over time.
    Burst,
}

/// What is known of the declared execution times of the task and of those as urgent or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budgets<'a> {
    /// Nobody measured.
    NotMeasured,
    /// None was exceeded.
    Kept,
    /// This one ran longer than it declares.
    Exceeded(&'a str),
}

/// What a response beyond the bound means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement<'a> {
    /// The bound is void.
    Void(Void<'a>),
    /// A note in the report, and why no more.
    Note(Observed),
    /// The application's declaration is broken, by this task.
    NotAsDeclared(&'a str),
    /// The model is wrong, or what is declared of an interrupt; or, where nobody measured, a declared execution time.
    Fault {
        /// Whether the execution times were measured, and kept.
        is_measured: bool,
    },
}

/// What a response beyond the bound means.
#[must_use]
pub const fn judge<'a>(void: Option<Void<'a>>, observed: Observed, budgets: Budgets<'a>) -> Judgement<'a> {
    match (void, observed, budgets) {
        (Some(void), ..) => Judgement::Void(void),
        (None, Observed::HostNoise | Observed::Burst, _) => Judgement::Note(observed),
        (None, Observed::Judged, Budgets::Exceeded(name)) => Judgement::NotAsDeclared(name),
        (None, Observed::Judged, Budgets::Kept) => Judgement::Fault { is_measured: true },
        (None, Observed::Judged, Budgets::NotMeasured) => Judgement::Fault { is_measured: false },
    }
}

/// The sentence with which a run ends that shows the model wrong.
#[derive(Clone, Copy, Debug)]
pub struct BeyondBound<'a> {
    /// The task.
    pub task: &'a str,
    /// From the due instant of a job to its end.
    pub observed_ns: i64,
    /// What that was to be at the most.
    pub bound_ns: u64,
    /// What the bound is for.
    pub platform: &'a Platform,
    /// Whether the execution times were measured, and kept.
    pub is_measured: bool,
}

impl fmt::Display for BeyondBound<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { task, observed_ns, bound_ns, platform, is_measured } = self;
        let doubt = if *is_measured { "" } else { ", or a declared WCET is not kept" };
        write!(
            formatter,
            "the model is wrong{doubt}: task '{task}' responded after {observed_ns} ns, bound {bound_ns} ns ({} ns an \
             instruction); ",
            platform.ns_per_instruction
        )?;
        formatter.write_str(if *is_measured {
            "every task kept its .wcet(d), so compare those of the interrupts and their .min_interarrival(d) with what they take \
             on this machine; where these are kept too, report this as an error of takt, with the table"
        } else {
            "compare the .wcet(d) of this task, of those as urgent or more and of the interrupts with what they take on this \
             machine; where all are kept, report this as an error of takt, with the table"
        })
    }
}

/// The sentence with which a run ends in which a task did not keep its declared execution time, and a response was longer than
/// its bound.
#[derive(Clone, Copy, Debug)]
pub struct NotAsDeclared<'a> {
    /// The task that responded.
    pub task: &'a str,
    /// From the due instant of a job to its end.
    pub observed_ns: i64,
    /// What that was to be at the most.
    pub bound_ns: u64,
    /// The task that executed longer than declared; may be the same.
    pub by: &'a str,
    /// What a job of it executed.
    pub executed_ns: i64,
    /// What it declares.
    pub wcet_ns: u64,
}

impl fmt::Display for NotAsDeclared<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { task, observed_ns, bound_ns, by, executed_ns, wcet_ns } = self;
        write!(
            formatter,
            "a declared WCET is not kept: task '{by}' executed for {executed_ns} ns in a job and declares {wcet_ns} ns, and task \
             '{task}' responded after {observed_ns} ns, bound {bound_ns} ns; give task '{by}' a .wcet(d) that it keeps on this \
             machine, or let it do less"
        )
    }
}

#[cfg(test)]
mod tests {
    use std::format;

    use super::{
        BeyondBound, Budgets, Judgement, NotAsDeclared, Observed, ResponseTimes, Responses, Void, half_ticks, judge, ns,
    };
    use crate::schedulability::Platform;
    use crate::time::{Instant, Rate};

    fn at(half_ticks: u64) -> Instant {
        Instant::from_half_ticks(half_ticks)
    }

    fn after_all(responses: &mut Responses, all: &[i64]) -> std::vec::Vec<bool> {
        // Across the counter's wrap.
        let due = at(u64::MAX - 5);
        all.iter().map(|&response| responses.record(due, due.after(response.cast_unsigned()))).collect()
    }

    #[test]
    fn nothing_is_known_before_the_first_job() {
        assert_eq!(Responses::NONE.times(), None);
        assert_eq!(Responses::new(Some(3)).behind_no_job().times(), None);
    }

    #[test]
    fn a_job_that_never_ran_does_not_count() {
        let mut responses = Responses::new(Some(6)).behind_no_job();
        assert_eq!(after_all(&mut responses, &[-1_000_000, 7]), [false, true]);
        let known = ResponseTimes { count: 1, sum_half_ticks: 7, least_half_ticks: 7, greatest_half_ticks: 7 };
        assert_eq!(responses.times(), Some(known));
    }

    #[test]
    fn what_is_above_the_bound_is_told_each_time() {
        let mut responses = Responses::new(Some(10));
        assert_eq!(
            after_all(&mut responses, &[10, 11, 9, 11, 30, 12, 10]),
            [false, true, false, true, true, true, false]
        );
        assert!(responses.is_beyond_bound());
        assert!(
            !Responses::new(Some(10)).is_beyond_bound() && !Responses::new(Some(10)).behind_no_job().is_beyond_bound()
        );
        let mut unbounded = Responses::new(None);
        assert_eq!(after_all(&mut unbounded, &[i64::MAX, 1]), [false, false]);
        assert!(!unbounded.is_beyond_bound());
    }

    #[test]
    fn a_naive_list_knows_the_same() {
        // A walk with short and long steps, some negative.
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        for bound in [None, Some(1), Some(40), Some(90)] {
            let (mut responses, mut list) = (Responses::new(bound), std::vec::Vec::new());
            for _ in 0..1_000 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let response = (state >> 33).cast_signed() % 100 - 5;
                list.push(response);
                let is_beyond = responses.record(at(3), at(3).after(response.cast_unsigned()));
                assert_eq!(is_beyond, bound.is_some_and(|bound: u64| response > bound.cast_signed()));
                let times = responses.times().unwrap();
                let sum = list.iter().sum::<i64>();
                assert_eq!(times.count, list.len() as u64);
                assert_eq!(times.sum_half_ticks, sum);
                assert_eq!(times.mean_half_ticks(), sum.div_euclid(list.len() as i64));
                assert_eq!(Some(times.least_half_ticks), list.iter().min().copied());
                assert_eq!(Some(times.greatest_half_ticks), list.iter().max().copied());
            }
        }
    }

    #[test]
    fn nanoseconds_are_rounded_so_that_no_bound_gets_shorter() {
        let (board, qemu) = (Rate::from_counter_hz(54_000_000).unwrap(), Rate::from_counter_hz(62_500_000).unwrap());
        assert_eq!(ns(1, qemu), 8);
        assert_eq!(ns(1, board), 9);
        assert_eq!(ns(-1, qemu), -8);
        assert_eq!(ns(i64::MAX, board), i64::MAX);
        assert_eq!(half_ticks(0, board), Some(0));
        assert_eq!(half_ticks(9, board), Some(1));
        assert_eq!(half_ticks(10, board), Some(2));
        assert_eq!(half_ticks(1_008, qemu), Some(126));
        assert_eq!(half_ticks(u64::MAX, board), Some(u64::MAX / 1_000 * 108 + 67));
        for bound_ns in 0..3_000 {
            let rounded = half_ticks(bound_ns, board).unwrap();
            assert!(ns(rounded.cast_signed(), board).cast_unsigned() >= bound_ns);
        }
    }

    #[test]
    fn void_comes_before_all_and_noise_before_a_fault() {
        let budgets = [Budgets::NotMeasured, Budgets::Kept, Budgets::Exceeded("b")];
        for budgets in budgets {
            for observed in [Observed::Judged, Observed::HostNoise, Observed::Burst] {
                let void = Void::Overrun("a");
                assert_eq!(judge(Some(void), observed, budgets), Judgement::Void(void));
            }
            for observed in [Observed::HostNoise, Observed::Burst] {
                assert_eq!(judge(None, observed, budgets), Judgement::Note(observed));
            }
        }
        let judged = budgets.map(|budgets| judge(None, Observed::Judged, budgets));
        let fault = |is_measured| Judgement::Fault { is_measured };
        assert_eq!(judged, [fault(false), fault(true), Judgement::NotAsDeclared("b")]);
    }

    #[test]
    fn who_did_not_keep_its_wcet_is_named() {
        let what =
            NotAsDeclared { task: "late", observed_ns: 900, bound_ns: 800, by: "liar", executed_ns: 300, wcet_ns: 200 };
        assert_eq!(
            format!("{what}"),
            "a declared WCET is not kept: task 'liar' executed for 300 ns in a job and declares 200 ns, and task 'late' \
             responded after 900 ns, bound 800 ns; give task 'liar' a .wcet(d) that it keeps on this machine, or let it do less"
        );
    }

    #[test]
    fn the_sentence_is_as_sure_as_what_was_measured() {
        let sentence = |is_measured| {
            let platform = &Platform::QEMU_ICOUNT_4;
            format!("{}", BeyondBound { task: "liar", observed_ns: 900, bound_ns: 800, platform, is_measured })
        };
        assert!(sentence(true).starts_with(
            "the model is wrong: task 'liar' responded after 900 ns, bound 800 ns (16 ns an instruction); every task kept"
        ));
        assert!(
            sentence(false).starts_with("the model is wrong, or a declared WCET is not kept: task 'liar' responded")
        );
    }
}
