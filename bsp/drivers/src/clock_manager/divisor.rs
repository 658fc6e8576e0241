// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which whole divisor makes a rate, and how well.

use core::fmt;

/// The largest divisor: twelve bits `[HW 8.1]`.
const LARGEST: u32 = 4_095;

/// A whole divisor, 1..=4095.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divisor(u16);

impl Divisor {
    /// The divisor that makes the rate nearest to the one wanted, both in Hz, from the source's, in Hz. Refused where even
    /// that is off by more than `most_error_ppm` parts per million.
    pub fn for_rate(source_hz: u32, wanted_hz: u32, most_error_ppm: u32) -> Result<Self, RateError> {
        // Either of the two around the quotient; the nearer of the rates is not always the nearer of the divisors.
        let below = source_hz.checked_div(wanted_hz).unwrap_or(LARGEST).clamp(1, LARGEST);
        let above = below.saturating_add(1).min(LARGEST);
        let off = |divisor: u32| rate(source_hz, divisor).abs_diff(wanted_hz);
        let nearest = if off(above) < off(below) { above } else { below };
        let error_millionths = u64::from(off(nearest)).wrapping_mul(1_000_000);
        let allowed_millionths = u64::from(wanted_hz).wrapping_mul(u64::from(most_error_ppm));
        if wanted_hz == 0 || error_millionths > allowed_millionths {
            return Err(RateError { source_hz, wanted_hz, nearest_hz: rate(source_hz, nearest), most_error_ppm });
        }
        Ok(Self((nearest & 0xFFF) as u16))
    }

    /// The divisor, 1..=4095.
    #[must_use]
    pub const fn whole(self) -> u16 {
        self.0
    }

    /// The rate that comes out, in Hz, rounded down.
    #[must_use]
    pub fn rate_hz(self, source_hz: u32) -> u32 {
        rate(source_hz, u32::from(self.0))
    }
}

fn rate(source_hz: u32, divisor: u32) -> u32 {
    source_hz.checked_div(divisor).unwrap_or(0)
}

/// A rate that no whole divisor makes well enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateError {
    /// The source's rate in Hz.
    pub source_hz: u32,
    /// What was asked for, in Hz.
    pub wanted_hz: u32,
    /// The nearest there is, in Hz.
    pub nearest_hz: u32,
    /// How far off it was allowed to be, in parts per million.
    pub most_error_ppm: u32,
}

impl fmt::Display for RateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source_hz, wanted_hz, nearest_hz, most_error_ppm } = self;
        write!(
            f,
            "clock manager: {source_hz} Hz divided by a whole number makes {nearest_hz} Hz at the nearest, not \
             {wanted_hz} Hz within {most_error_ppm} ppm; choose a rate that divides the source's, or allow more"
        )
    }
}

impl core::error::Error for RateError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(wanted_hz: u32, most_error_ppm: u32) -> Result<u16, u32> {
        Divisor::for_rate(54_000_000, wanted_hz, most_error_ppm).map(Divisor::whole).map_err(|error| error.nearest_hz)
    }

    #[test]
    fn rates_that_divide_the_source_are_exact() {
        assert_eq!(made(54_000_000, 0), Ok(1));
        assert_eq!(made(27_000_000, 0), Ok(2));
        assert_eq!(made(1_000_000, 0), Ok(54));
        assert_eq!(Divisor::for_rate(54_000_000, 27_000_000, 0).unwrap().rate_hz(54_000_000), 27_000_000);
    }

    #[test]
    fn the_nearer_rate_is_taken() {
        // 54 MHz by 1 is 54 MHz, by 2 is 27 MHz: 40 MHz is nearer to 27, 41 MHz to 54.
        assert_eq!(made(40_000_000, 1_000_000), Ok(2));
        assert_eq!(made(41_000_000, 1_000_000), Ok(1));
    }

    #[test]
    fn an_error_above_the_bound_is_refused() {
        // 54 MHz / 7 = 7714285 Hz, 1837 ppm above 7.7001 MHz.
        assert_eq!(made(7_700_142, 1_836), Err(7_714_285));
        assert_eq!(made(7_700_142, 1_837), Ok(7));
    }

    #[test]
    fn rates_beyond_the_divisors_are_refused() {
        assert_eq!(made(108_000_000, 1_000), Err(54_000_000));
        assert_eq!(made(13_000, 1_000), Err(13_186));
        assert_eq!(made(13_187, 1_000), Ok(4_095));
        assert_eq!(made(0, 1_000_000), Err(13_186));
        assert_eq!(Divisor::for_rate(0, 1, 0).map_err(|error| error.nearest_hz), Err(0));
        assert_eq!(made(u32::MAX, u32::MAX), Ok(1));
    }
}
