// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading a histogram, whatever its size.

use super::log_linear::{first_tick_of, last_tick_of};
use super::totals::Totals;
use super::{BucketWidth, LogBin, Mean, Skipped, Tally};

/// A histogram to read from. It does not carry the number of bins in its type, so that report writers exist once.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    linear: &'a [u64],
    totals: &'a Totals,
}

/// Where a quantile lies: at least `lowest_half_ticks`, at most `highest_half_ticks` (both included). The two are one
/// tick, that is two values, where bins are one tick wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantile {
    /// The smallest value it can be, in half ticks.
    pub lowest_half_ticks: i64,
    /// The largest value it can be, in half ticks.
    pub highest_half_ticks: i64,
}

impl<'a> View<'a> {
    pub(super) const fn new(linear: &'a [u64], totals: &'a Totals) -> Self {
        Self { linear, totals }
    }

    /// How many values were recorded: bins + overflow + early.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.totals.all().count
    }

    /// The smallest value, in half ticks; nothing before the first one.
    #[must_use]
    pub fn minimum_half_ticks(&self) -> Option<i64> {
        (self.count() > 0).then_some(self.totals.extremes_half_ticks().0)
    }

    /// The largest value, in half ticks; nothing before the first one.
    #[must_use]
    pub fn maximum_half_ticks(&self) -> Option<i64> {
        (self.count() > 0).then_some(self.totals.extremes_half_ticks().1)
    }

    /// Count and sums of all values, early and overflow included.
    #[must_use]
    pub const fn all(&self) -> &'a Tally {
        self.totals.all()
    }

    /// Count and sums of the values below zero. The most negative one is the minimum of the histogram.
    #[must_use]
    pub const fn early(&self) -> &'a Tally {
        self.totals.early()
    }

    /// Count and sums of the values at or above the limit of this run.
    #[must_use]
    pub const fn overflow(&self) -> &'a Tally {
        self.totals.overflow()
    }

    /// Releases that were skipped.
    #[must_use]
    pub const fn skipped(&self) -> &'a Skipped {
        self.totals.skipped()
    }

    /// The limit of this run, in counter ticks.
    #[must_use]
    pub const fn overflow_at_ticks(&self) -> u64 {
        self.totals.overflow_at_ticks()
    }

    /// The cycle numbers of the first overflows, at most [`OVERFLOW_CYCLES`](super::OVERFLOW_CYCLES) of them.
    #[must_use]
    pub fn overflow_cycles(&self) -> &'a [u64] {
        self.totals.overflow_cycles()
    }

    /// The mean of all values, without rounding.
    #[must_use]
    pub fn mean(&self) -> Option<Mean> {
        self.all().mean()
    }

    /// The one-tick bins: bin `t` holds the values `2t` and `2t + 1` half ticks.
    #[must_use]
    pub const fn linear_bins(&self) -> &'a [u64] {
        self.linear
    }

    /// The bins above the one-tick bins that hold something, in rising order. The range of the first of them can begin
    /// below the last one-tick bin: what lies there was counted by the one-tick bins.
    pub fn log_bins(&self) -> impl Iterator<Item = LogBin> + use<'a> {
        let counted = self.totals.log().iter().enumerate().filter(|(_, count)| **count > 0);
        counted.map(|(index, &count)| LogBin {
            first_tick: first_tick_of(index),
            last_tick: last_tick_of(index),
            count,
        })
    }

    /// All bins that hold something, the one-tick bins and those above, in rising order.
    pub fn bins(&self) -> impl Iterator<Item = LogBin> + use<'a> {
        let one_tick = self.linear.iter().zip(0_u64..).filter(|(count, _)| **count > 0);
        one_tick.map(|(&count, tick)| LogBin { first_tick: tick, last_tick: tick, count }).chain(self.log_bins())
    }

    /// How many values bucket `bucket` of the given width holds. Exact for buckets within the one-tick bins, which all
    /// buckets below the limit of the run are; of a bucket beyond, only what is in one-tick bins is counted.
    #[must_use]
    pub fn bucket_count(&self, width: BucketWidth, bucket: u32) -> u64 {
        let first = width.first_tick_of(bucket);
        let end = width.first_tick_of(bucket.saturating_add(1));
        sum(self.linear_range(first, end))
    }

    /// Whether every value is accounted for exactly once: bins below the limit + overflow + early = count, and bins
    /// from the limit on = overflow.
    #[must_use]
    pub fn identity_holds(&self) -> bool {
        let limit = self.overflow_at_ticks();
        let within = sum(self.linear_range(0, limit));
        let beyond = sum(self.linear_range(limit, u64::MAX)).wrapping_add(sum(self.totals.log()));
        let accounted = within.wrapping_add(self.overflow().count).wrapping_add(self.early().count);
        accounted == self.count() && beyond == self.overflow().count
    }

    /// The value that at least `numerator / denominator` of all values do not exceed (999/1000 for the 99.9th
    /// percentile), as exactly as the bins tell. Nothing if the histogram is empty or the fraction is not within 0 to
    /// 1. Among early values the bins tell no more than their range.
    #[must_use]
    pub fn quantile(&self, numerator: u32, denominator: u32) -> Option<Quantile> {
        let (minimum, maximum) = (self.minimum_half_ticks()?, self.maximum_half_ticks()?);
        if numerator > denominator {
            return None;
        }
        // At least one value, and at most all of them; below 2^96.
        let product = u128::from(self.count()).wrapping_mul(u128::from(numerator));
        let rank =
            product.checked_add(u128::from(denominator).checked_sub(1)?)?.checked_div(u128::from(denominator))?;
        let mut wanted = u64::try_from(rank).ok()?.max(1);
        let within = |lowest: i64, highest: i64| Quantile {
            lowest_half_ticks: lowest.max(minimum),
            highest_half_ticks: highest.min(maximum),
        };
        if wanted <= self.early().count {
            return Some(within(minimum, -1));
        }
        wanted = wanted.wrapping_sub(self.early().count);
        for LogBin { first_tick, last_tick, count } in self.bins() {
            if wanted <= count {
                return Some(within(first_half_tick(first_tick), last_half_tick(last_tick)));
            }
            wanted = wanted.wrapping_sub(count);
        }
        None
    }

    /// The one-tick bins of the ticks `first..end`, as far as there are any.
    fn linear_range(&self, first: u64, end: u64) -> &'a [u64] {
        let index = |tick: u64| usize::try_from(tick).unwrap_or(usize::MAX).min(self.linear.len());
        self.linear.get(index(first)..index(end)).unwrap_or(&[])
    }
}

/// The first of the two half ticks of a tick.
fn first_half_tick(tick: u64) -> i64 {
    i64::try_from(tick.saturating_mul(2)).unwrap_or(i64::MAX)
}

/// The second of the two half ticks of a tick.
fn last_half_tick(tick: u64) -> i64 {
    first_half_tick(tick).saturating_add(1)
}

/// The sum of counts, each of which is part of one count of values and so cannot overflow together.
fn sum(counts: &[u64]) -> u64 {
    counts.iter().fold(0, |total: u64, &count| total.wrapping_add(count))
}
