// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time in half ticks.
//!
//! An [`Instant`] counts *half* ticks of the generic counter `CNTPCT_EL0`: 108 in a microsecond on the board
//! (54 MHz) and 125 in QEMU (62.5 MHz). At 62.5 MHz a microsecond is 62.5 ticks, so only the half tick makes every
//! whole-microsecond period an integer, without remainder, division or drift.

use core::fmt;
use core::num::NonZeroU64;

/// A point in time, in half ticks of `CNTPCT_EL0`. It wraps at 2^64; instants that are less than 2^62 half ticks
/// apart (1,300 years at 54 MHz) compare correctly across the wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instant(u64);

impl Instant {
    /// The instant at which the counter reads `counter_ticks`.
    #[inline(always)]
    pub const fn from_counter(counter_ticks: u64) -> Self {
        Self(counter_ticks.wrapping_shl(1))
    }

    /// The instant `half_ticks` after the counter's zero.
    #[inline(always)]
    pub const fn from_half_ticks(half_ticks: u64) -> Self {
        Self(half_ticks)
    }

    /// Half ticks since the counter's zero.
    #[inline(always)]
    pub const fn half_ticks(self) -> u64 {
        self.0
    }

    /// This instant moved `half_ticks` into the future.
    #[inline(always)]
    pub const fn after(self, half_ticks: u64) -> Self {
        Self(self.0.wrapping_add(half_ticks))
    }

    /// This instant moved `half_ticks` into the past.
    #[inline(always)]
    pub const fn before(self, half_ticks: u64) -> Self {
        Self(self.0.wrapping_sub(half_ticks))
    }

    /// Half ticks from `earlier` to this instant; negative where `earlier` is in fact later.
    #[inline(always)]
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.wrapping_sub(earlier.0).cast_signed()
    }

    /// Whether this instant lies before `other`.
    #[inline(always)]
    pub const fn is_before(self, other: Self) -> bool {
        self.since(other) < 0
    }
}

/// How many half ticks pass in a microsecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    half_ticks_per_us: NonZeroU64,
}

/// The counter's frequency cannot serve as takt's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnusableFrequency {
    /// What `CNTFRQ_EL0` holds, in Hz.
    pub counter_hz: u64,
}

impl fmt::Display for UnusableFrequency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "the counter runs at {} Hz (CNTFRQ_EL0), but takt needs a multiple of 500000 Hz, so that a microsecond is a \
             whole number of half ticks; the firmware sets it (54000000 on a Raspberry Pi 4)",
            self.counter_hz
        )
    }
}

impl Rate {
    /// The rate of a counter of `counter_hz` (the value of `CNTFRQ_EL0`, Hz).
    ///
    /// # Errors
    /// Where a microsecond would not be a whole number of half ticks.
    pub const fn from_counter_hz(counter_hz: u64) -> Result<Self, UnusableFrequency> {
        const HZ_PER_HALF_TICK_PER_US: u64 = 500_000;
        match NonZeroU64::new(counter_hz / HZ_PER_HALF_TICK_PER_US) {
            Some(half_ticks_per_us)
                if counter_hz.is_multiple_of(HZ_PER_HALF_TICK_PER_US) && half_ticks_per_us.get() <= u16::MAX as u64 =>
            {
                Ok(Self { half_ticks_per_us })
            }
            _ => Err(UnusableFrequency { counter_hz }),
        }
    }

    /// Half ticks in a microsecond: 108 on the board, 125 in QEMU.
    #[inline(always)]
    pub const fn half_ticks_per_us(self) -> NonZeroU64 {
        self.half_ticks_per_us
    }

    /// `us` microseconds in half ticks; `None` beyond 2^62 half ticks.
    pub const fn half_ticks(self, us: u64) -> Option<u64> {
        match us.checked_mul(self.half_ticks_per_us.get()) {
            Some(half_ticks) if half_ticks < 1 << 62 => Some(half_ticks),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Instant, Rate};

    #[test]
    fn rates_of_the_board_and_of_qemu() {
        assert_eq!(Rate::from_counter_hz(54_000_000).unwrap().half_ticks_per_us().get(), 108);
        assert_eq!(Rate::from_counter_hz(62_500_000).unwrap().half_ticks_per_us().get(), 125);
    }

    #[test]
    fn frequencies_that_would_drift_are_refused() {
        for counter_hz in [0, 19_200_000, 62_500_001, u64::MAX] {
            let error = Rate::from_counter_hz(counter_hz).unwrap_err();
            assert_eq!(error.counter_hz, counter_hz);
            assert!(std::format!("{error}").contains("multiple of 500000 Hz"));
        }
    }

    #[test]
    fn instants_compare_across_the_wrap() {
        let before = Instant::from_half_ticks(u64::MAX - 10);
        let after = before.after(20);
        assert_eq!(after.half_ticks(), 9);
        assert!(before.is_before(after) && !after.is_before(before) && !before.is_before(before));
        assert_eq!(after.since(before), 20);
        assert_eq!(before.since(after), -20);
    }

    #[test]
    fn a_125_us_period_at_62_5_mhz_is_whole() {
        let rate = Rate::from_counter_hz(62_500_000).unwrap();
        assert_eq!(rate.half_ticks(125), Some(15_625));
        assert_eq!(rate.half_ticks(u64::MAX), None);
    }
}
