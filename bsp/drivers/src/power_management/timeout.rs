// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long the watchdog waits.

use core::fmt;
use core::time::Duration;

/// Ticks of the watchdog in a second, as Linux counts them. A sixteenth of 1 MHz would be 62,500 `[HW 7]`: until it is
/// measured on a board, a time-out may last 4.9 % longer than asked for.
const TICKS_PER_SECOND: u128 = 65_536;
/// The longest, 20 bits: almost 16 s.
const LONGEST: u32 = 0xF_FFFF;

/// A time of the watchdog, 1..=0xFFFFF ticks of about 15.26 µs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchdogTicks(u32);

impl WatchdogTicks {
    /// What a reset is asked for with: about 150 µs, as Linux does.
    pub(super) const FOR_RESET: Self = Self(10);

    /// At least this long, rounded up to whole ticks. Refused where that is none, or longer than the counter.
    pub fn at_least(timeout: Duration) -> Result<Self, TimeoutError> {
        let ticks = timeout.as_nanos().saturating_mul(TICKS_PER_SECOND).div_ceil(1_000_000_000);
        match u32::try_from(ticks) {
            Ok(ticks) if (1..=LONGEST).contains(&ticks) => Ok(Self(ticks)),
            _ => Err(TimeoutError { wanted: timeout }),
        }
    }

    /// The ticks, 1..=0xFFFFF.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// A time that the watchdog cannot wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeoutError {
    /// What was asked for.
    pub wanted: Duration,
}

impl fmt::Display for TimeoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = self.wanted.as_micros();
        write!(f, "watchdog: it cannot wait {us} us; choose a time from 1 us to 15999984 us")
    }
}

impl core::error::Error for TimeoutError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(timeout: Duration) -> Option<u32> {
        WatchdogTicks::at_least(timeout).ok().map(WatchdogTicks::get)
    }

    #[test]
    fn a_time_is_rounded_up_to_ticks() {
        assert_eq!(ticks(Duration::from_secs(1)), Some(65_536));
        assert_eq!(ticks(Duration::from_secs(15)), Some(983_040));
        assert_eq!(ticks(Duration::from_nanos(1)), Some(1));
        assert_eq!(ticks(Duration::from_micros(16)), Some(2));
    }

    #[test]
    fn what_the_counter_cannot_hold_is_refused() {
        assert_eq!(ticks(Duration::ZERO), None);
        assert_eq!(ticks(Duration::from_micros(15_999_984)), Some(LONGEST));
        assert_eq!(ticks(Duration::from_micros(15_999_985)), None);
        assert_eq!(ticks(Duration::from_secs(16)), None);
        assert_eq!(ticks(Duration::MAX), None);
    }
}
