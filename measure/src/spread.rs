// SPDX-License-Identifier: MIT OR Apache-2.0
//! Minimum, maximum and mean of durations, as a benchmark prints them.

use core::fmt;

use takt::kernel::histogram::View;

/// A set of durations in half ticks, with what a line of `bench` says of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    minimum_half_ticks: i64,
    maximum_half_ticks: i64,
    sum_half_ticks: i128,
    count: u64,
}

impl Spread {
    /// No duration yet.
    pub(crate) const NONE: Self = Self { minimum_half_ticks: 0, maximum_half_ticks: 0, sum_half_ticks: 0, count: 0 };

    /// What a histogram holds.
    pub(crate) fn of(view: View<'_>) -> Self {
        Self {
            minimum_half_ticks: view.minimum_half_ticks().unwrap_or(0),
            maximum_half_ticks: view.maximum_half_ticks().unwrap_or(0),
            sum_half_ticks: view.all().sum_half_ticks,
            count: view.count(),
        }
    }

    /// Each duration, which is in half nanoseconds, moved by `offset` and as half instructions of `2^shift` ns.
    pub(crate) fn in_instructions(self, offset: i64, shift: u32) -> Self {
        let convert = |half_ns: i64| half_ns.wrapping_add(offset).wrapping_shr(shift.wrapping_add(1)).wrapping_mul(2);
        let offsets = i128::from(offset).wrapping_mul(i128::from(self.count));
        Self {
            minimum_half_ticks: convert(self.minimum_half_ticks),
            maximum_half_ticks: convert(self.maximum_half_ticks),
            sum_half_ticks: self.sum_half_ticks.wrapping_add(offsets).wrapping_shr(shift),
            count: self.count,
        }
    }

    /// The smallest and the largest; zeros where there are none.
    pub(crate) fn extremes_half_ticks(&self) -> (i64, i64) {
        (self.minimum_half_ticks, self.maximum_half_ticks)
    }

    /// Adds a duration.
    #[inline(never)]
    pub(crate) fn add(&mut self, half_ticks: i64) {
        if self.count == 0 {
            (self.minimum_half_ticks, self.maximum_half_ticks) = (half_ticks, half_ticks);
        }
        self.minimum_half_ticks = self.minimum_half_ticks.min(half_ticks);
        self.maximum_half_ticks = self.maximum_half_ticks.max(half_ticks);
        self.sum_half_ticks = self.sum_half_ticks.wrapping_add(i128::from(half_ticks));
        self.count = self.count.wrapping_add(1);
    }
}

/// `min,max,mean_x1000,count` in counter ticks, all floored: the smallest and the largest to the tick, the mean to its
/// thousandth.
impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thousandths = self.sum_half_ticks.wrapping_mul(500);
        let mean_x1000 = thousandths.checked_div_euclid(i128::from(self.count)).unwrap_or(0);
        let (minimum, maximum) = (self.minimum_half_ticks >> 1, self.maximum_half_ticks >> 1);
        write!(f, "{minimum},{maximum},{mean_x1000},{}", self.count)
    }
}
