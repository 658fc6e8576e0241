// SPDX-License-Identifier: MIT OR Apache-2.0
//! Count and sums of a set of values.

/// Count, sum and sum of squares of a set of values in half ticks; exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// How many values.
    pub count: u64,
    /// Their sum, in half ticks.
    pub sum_half_ticks: i128,
    /// The sum of their squares, in half ticks squared.
    pub sum_of_squares: u128,
}

impl Tally {
    /// No value yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { count: 0, sum_half_ticks: 0, sum_of_squares: 0 }
    }

    /// Adds one value. The wrapping is never reached within the bounds stated in the module's documentation.
    #[inline]
    pub(super) const fn add(&mut self, value_half_ticks: i64) {
        let magnitude = value_half_ticks.unsigned_abs() as u128;
        self.count = self.count.wrapping_add(1);
        self.sum_half_ticks = self.sum_half_ticks.wrapping_add(value_half_ticks as i128);
        self.sum_of_squares = self.sum_of_squares.wrapping_add(magnitude.wrapping_mul(magnitude));
    }

    /// The mean, or nothing if there is no value.
    #[must_use]
    pub fn mean(&self) -> Option<Mean> {
        let count = i128::from(self.count);
        let whole = self.sum_half_ticks.checked_div_euclid(count)?;
        let rest = self.sum_half_ticks.checked_rem_euclid(count)?;
        Some(Mean { floor_half_ticks: i64::try_from(whole).ok()?, remainder: u64::try_from(rest).ok()? })
    }

    /// The standard deviation in thousandths of a half tick, to the nearest; of a single value 0, of none nothing.
    ///
    /// It is that of the values as a sample, divided by count − 1, as Xenomai's.
    #[must_use]
    pub fn deviation_thousandths(&self) -> Option<u64> {
        let Mean { floor_half_ticks, remainder } = self.mean()?;
        let count = u128::from(self.count);
        let others = count.wrapping_sub(1);
        // The sum of squares about the floored mean. It fits, so that wrapping on the way to it does no harm.
        let floor = i128::from(floor_half_ticks);
        let cross = floor.wrapping_mul(self.sum_half_ticks).wrapping_mul(2).cast_unsigned();
        let square = floor.wrapping_mul(floor).cast_unsigned().wrapping_mul(count);
        let about_floor = self.sum_of_squares.wrapping_sub(cross).wrapping_add(square);
        // About the mean itself it is less by remainder² / count, which is nothing beside a sum so large as not to fit.
        let remainder_squared = u128::from(remainder).wrapping_mul(u128::from(remainder));
        let (dividend, divisor) = match count.checked_mul(about_floor) {
            Some(product) => (product.wrapping_sub(remainder_squared), count.wrapping_mul(others)),
            None => (about_floor, others),
        };
        let Some(whole) = dividend.checked_div(divisor) else { return Some(0) };
        let rest = dividend.checked_rem(divisor)?.saturating_mul(4_000_000).checked_div(divisor)?;
        // Twice the root in thousandths, so that halving it rounds.
        let twice = whole.saturating_mul(4_000_000).saturating_add(rest).isqrt();
        u64::try_from(twice.wrapping_add(1) / 2).ok()
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self::new()
    }
}

/// A mean without rounding: `floor_half_ticks + remainder / count` half ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mean {
    /// The mean rounded towards minus infinity, in half ticks.
    pub floor_half_ticks: i64,
    /// The rest, `0 <= remainder < count`.
    pub remainder: u64,
}

/// Releases that were skipped, and the lateness they had when they were.
///
/// Left out of count, bins and sums, they let a stall hide itself: one late cycle stands for many. The *corrected*
/// mean is (sum + skipped sum) / (count + skipped count); the maximum needs no correction, since the release that
/// was served late is later than those skipped after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// How many releases were skipped.
    pub count: u64,
    /// The sum of the lateness they had, in half ticks.
    pub sum_half_ticks: i128,
}

impl Skipped {
    /// None yet.
    pub(super) const fn new() -> Self {
        Self { count: 0, sum_half_ticks: 0 }
    }

    /// Adds `count` releases with lateness `first`, `first − period`, `first − 2 · period` …, all in half ticks.
    pub(super) fn add(&mut self, count: u64, first_half_ticks: i64, period_half_ticks: u64) {
        let releases = i128::from(count);
        let pairs = releases.wrapping_mul(releases.wrapping_sub(1)) / 2;
        let sum = releases
            .wrapping_mul(i128::from(first_half_ticks))
            .wrapping_sub(pairs.wrapping_mul(i128::from(period_half_ticks)));
        self.count = self.count.wrapping_add(count);
        self.sum_half_ticks = self.sum_half_ticks.wrapping_add(sum);
    }
}
