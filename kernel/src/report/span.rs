// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a line of a report says of some latencies: minimum, mean and maximum.

use crate::histogram::View;
use crate::time::Rate;

/// Minimum, mean and maximum of a second, or of a whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The smallest latency, in half ticks.
    pub minimum_half_ticks: i64,
    /// The sum of all, in half ticks.
    pub sum_half_ticks: i128,
    /// How many there were.
    pub count: u64,
    /// The largest latency, in half ticks.
    pub maximum_half_ticks: i64,
}

impl Span {
    /// No sample yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { minimum_half_ticks: i64::MAX, sum_half_ticks: 0, count: 0, maximum_half_ticks: i64::MIN }
    }

    /// All that a histogram was given.
    #[must_use]
    pub fn of(histogram: &View<'_>) -> Self {
        Self {
            minimum_half_ticks: histogram.minimum_half_ticks().unwrap_or(i64::MAX),
            sum_half_ticks: histogram.all().sum_half_ticks,
            count: histogram.count(),
            maximum_half_ticks: histogram.maximum_half_ticks().unwrap_or(i64::MIN),
        }
    }

    /// Adds a latency.
    pub fn add(&mut self, half_ticks: i64) {
        self.minimum_half_ticks = self.minimum_half_ticks.min(half_ticks);
        self.sum_half_ticks = self.sum_half_ticks.wrapping_add(i128::from(half_ticks));
        self.count = self.count.wrapping_add(1);
        self.maximum_half_ticks = self.maximum_half_ticks.max(half_ticks);
    }

    /// Adds all of another.
    pub fn join(&mut self, other: &Self) {
        self.minimum_half_ticks = self.minimum_half_ticks.min(other.minimum_half_ticks);
        self.sum_half_ticks = self.sum_half_ticks.wrapping_add(other.sum_half_ticks);
        self.count = self.count.wrapping_add(other.count);
        self.maximum_half_ticks = self.maximum_half_ticks.max(other.maximum_half_ticks);
    }

    /// Whether the maximum is above `limit_us` microseconds: `-m`.
    #[must_use]
    pub fn exceeds(&self, limit_us: u32, rate: Rate) -> bool {
        let limit = i128::from(limit_us).wrapping_mul(i128::from(rate.half_ticks_per_us().get()));
        self.count > 0 && i128::from(self.maximum_half_ticks) > limit
    }
}

impl Default for Span {
    fn default() -> Self {
        Self::new()
    }
}
