// SPDX-License-Identifier: MIT OR Apache-2.0
//! From half ticks to the units of a report: microseconds, or counter ticks.
//!
//! cyclictest truncates a latency to whole microseconds. Here every value is first floored to the counter tick it was
//! stamped with (that is how it is binned) and then to the microsecond, `floor(2 · tick / half_ticks_per_us)`: so the
//! buckets, the minimum and the maximum always agree, also where a microsecond is 62.5 ticks and every second border
//! between microseconds falls inside a tick (that tick, the last half of which is already the next microsecond, counts
//! for the microsecond in which it starts). Flooring, not truncating, keeps a slightly early value visible as −1.

use crate::time::Rate;

/// A duration in whole nanoseconds, rounded towards minus infinity.
#[must_use]
pub fn half_ticks_to_ns(rate: Rate, half_ticks: i64) -> i128 {
    // Below 2^63 · 1000: far within an i128. A rate is never zero.
    let thousandths = i128::from(half_ticks).wrapping_mul(1_000);
    thousandths.checked_div_euclid(i128::from(rate.half_ticks_per_us().get())).unwrap_or_default()
}

/// The frequency of the counter, in Hz, from its rate.
#[must_use]
pub fn counter_hz(rate: Rate) -> u64 {
    rate.half_ticks_per_us().get().wrapping_mul(500_000)
}

/// How wide one row of a histogram is, and the unit of the numbers that stand with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BucketWidth {
    /// One microsecond, cyclictest's default.
    Microsecond(Rate),
    /// One counter tick, for `-N`.
    Tick(Rate),
}

impl BucketWidth {
    /// The rate of the counter behind the values.
    #[must_use]
    pub const fn rate(self) -> Rate {
        match self {
            Self::Microsecond(rate) | Self::Tick(rate) => rate,
        }
    }

    /// The first counter tick of bucket `bucket`; with the number of buckets, the overflow limit of a run in ticks.
    #[must_use]
    pub fn first_tick_of(self, bucket: u32) -> u64 {
        match self {
            // Below 2^32 · 2^16.
            Self::Microsecond(rate) => u64::from(bucket).wrapping_mul(rate.half_ticks_per_us().get()).div_ceil(2),
            Self::Tick(_) => u64::from(bucket),
        }
    }

    /// The bucket of a value in half ticks, by the rule in this module's documentation; negative for an early value.
    #[must_use]
    pub fn bucket_of(self, half_ticks: i64) -> i64 {
        let tick = half_ticks >> 1;
        match self {
            Self::Microsecond(rate) => {
                // `tick · 2` is the value without its lowest bit and cannot overflow. A rate is never zero, and its
                // half ticks are fewer than 2^16.
                let per_us = rate.half_ticks_per_us().get().cast_signed();
                tick.wrapping_mul(2).checked_div_euclid(per_us).unwrap_or_default()
            }
            Self::Tick(_) => tick,
        }
    }
}
