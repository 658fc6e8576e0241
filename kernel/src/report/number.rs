// SPDX-License-Identifier: MIT OR Apache-2.0
//! Minimum, mean and maximum of a column in the unit of a report, and numbers with three decimals.

use super::Span;
use crate::histogram::{BucketWidth, half_ticks_to_ns};
use crate::time::Rate;
use core::fmt;

/// What cyclictest prints as the minimum of a thread that has not run yet, in whatever unit.
const MINIMUM_WITHOUT_CYCLES: i128 = 1_000_000;

/// Three numbers in one unit, as they are printed.
pub(super) struct Extremes {
    pub(super) minimum: i128,
    pub(super) mean: i128,
    pub(super) maximum: i128,
}

impl Extremes {
    /// In buckets of `width`: microseconds or counter ticks.
    pub(super) fn in_buckets(span: &Span, width: BucketWidth) -> Self {
        let mean = span.sum_half_ticks.checked_div_euclid(i128::from(span.count));
        let shown = |half_ticks: i64| i128::from(width.bucket_of(half_ticks));
        Self::of(span, shown, mean.and_then(|mean| i64::try_from(mean).ok()).map(shown))
    }

    /// In nanoseconds. Not inlined, for its 128-bit divisions would be in the image once per caller.
    #[inline(never)]
    pub(super) fn in_ns(span: &Span, rate: Rate) -> Self {
        Self::of(span, |half_ticks| half_ticks_to_ns(rate, half_ticks), mean_ns(span, rate))
    }

    fn of(span: &Span, shown: impl Fn(i64) -> i128, mean: Option<i128>) -> Self {
        let Some(mean) = mean else { return Self { minimum: MINIMUM_WITHOUT_CYCLES, mean: 0, maximum: 0 } };
        Self { minimum: shown(span.minimum_half_ticks), mean, maximum: shown(span.maximum_half_ticks) }
    }
}

/// The mean in whole nanoseconds, floored once: from the sum, not from the floored mean.
pub(super) fn mean_ns(span: &Span, rate: Rate) -> Option<i128> {
    let per_us_of_all = i128::from(span.count).checked_mul(i128::from(rate.half_ticks_per_us().get()))?;
    span.sum_half_ticks.checked_mul(1_000)?.checked_div_euclid(per_us_of_all)
}

/// A number of thousandths, printed with three decimals and right-aligned to the width asked for, as C's `%11.3f`: nanoseconds
/// as microseconds.
#[derive(Clone, Copy)]
pub(super) struct Thousandths(pub(super) i64);

impl Thousandths {
    /// A time in microseconds, floored to the nanosecond.
    pub(super) fn us(half_ticks: i64, rate: Rate) -> Self {
        Self::from_wide(half_ticks_to_ns(rate, half_ticks))
    }

    /// As many, or the most that there can be: 292 years of nanoseconds.
    pub(super) fn from_wide(thousandths: i128) -> Self {
        Self(i64::try_from(thousandths).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for Thousandths {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = formatter.width().unwrap_or(0).saturating_sub(4);
        match self.0 / 1_000 {
            0 if self.0 < 0 => write!(formatter, "{:>width$}", "-0")?,
            whole => write!(formatter, "{whole:width$}")?,
        }
        write!(formatter, ".{:03}", self.0.unsigned_abs() % 1_000)
    }
}
