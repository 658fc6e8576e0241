// SPDX-License-Identifier: MIT OR Apache-2.0
//! Minimum, mean and maximum of a column in the unit of a report.

use crate::histogram::{BucketWidth, Tally, View, half_ticks_to_ns};
use crate::time::Rate;

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
    pub(super) fn in_buckets(histogram: &View<'_>, width: BucketWidth) -> Self {
        let mean = histogram.mean().map(|mean| mean.floor_half_ticks);
        let shown = |half_ticks: i64| i128::from(width.bucket_of(half_ticks));
        Self::of(histogram, shown, mean.map(shown))
    }

    /// In nanoseconds. Not inlined, for its 128-bit divisions would be in the image once per caller.
    #[inline(never)]
    pub(super) fn in_ns(histogram: &View<'_>, rate: Rate) -> Self {
        Self::of(histogram, |half_ticks| half_ticks_to_ns(rate, half_ticks), mean_ns(histogram.all(), rate))
    }

    fn of(histogram: &View<'_>, shown: impl Fn(i64) -> i128, mean: Option<i128>) -> Self {
        Self {
            minimum: histogram.minimum_half_ticks().map_or(MINIMUM_WITHOUT_CYCLES, &shown),
            mean: mean.unwrap_or(0),
            maximum: histogram.maximum_half_ticks().map_or(0, shown),
        }
    }
}

/// The mean in whole nanoseconds, floored once: from the sum, not from the floored mean.
fn mean_ns(all: &Tally, rate: Rate) -> Option<i128> {
    let per_us_of_all = i128::from(all.count).checked_mul(i128::from(rate.half_ticks_per_us().get()))?;
    all.sum_half_ticks.checked_mul(1_000)?.checked_div_euclid(per_us_of_all)
}
