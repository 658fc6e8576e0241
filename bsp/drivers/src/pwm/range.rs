// SPDX-License-Identifier: MIT OR Apache-2.0
//! A period in cycles of the PWM clock, and parts of it.

use core::fmt;

/// The shortest period `[HW 8.2]`.
const SHORTEST_CYCLES: u32 = 2;

/// The period of a channel in cycles of the PWM clock, at least 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    cycles: u32,
    clock_hz: u32,
}

impl Range {
    /// The period nearest to that of a frequency in Hz, from the PWM clock in Hz. Refused where its frequency is off by
    /// more than `most_error_ppm` parts per million.
    pub fn for_frequency(clock_hz: u32, wanted_hz: u32, most_error_ppm: u32) -> Result<Self, FrequencyError> {
        let (clock, wanted) = (u64::from(clock_hz), u64::from(wanted_hz));
        let rounded = clock.wrapping_add(wanted / 2).checked_div(wanted).unwrap_or(u64::from(u32::MAX));
        let cycles = u32::try_from(rounded).unwrap_or(u32::MAX).max(SHORTEST_CYCLES);
        // The difference of frequencies over the wanted one, times cycles: |clock - wanted * cycles| / (wanted * cycles).
        let product = wanted.wrapping_mul(u64::from(cycles));
        let off = u128::from(clock.abs_diff(product)).wrapping_mul(1_000_000);
        if wanted_hz == 0 || off > u128::from(product).wrapping_mul(u128::from(most_error_ppm)) {
            let nearest_hz = clock_hz.checked_div(cycles).unwrap_or(0);
            return Err(FrequencyError { clock_hz, wanted_hz, nearest_hz, most_error_ppm });
        }
        Ok(Self { cycles, clock_hz })
    }

    /// The period in cycles.
    #[must_use]
    pub const fn cycles(self) -> u32 {
        self.cycles
    }

    /// Into how many steps a duty cycle divides the period: the cycles, or 65,535 where there are more.
    #[must_use]
    pub fn steps(self) -> u16 {
        u16::try_from(self.cycles).unwrap_or(u16::MAX)
    }

    /// How many cycles `duty` of [`Range::steps`] are, rounded down; all of them for more.
    #[must_use]
    pub fn cycles_of_duty(self, duty: u16) -> u32 {
        let steps = u64::from(self.steps());
        let cycles = u64::from(self.cycles).wrapping_mul(u64::from(duty)).checked_div(steps).unwrap_or(0);
        u32::try_from(cycles).unwrap_or(u32::MAX).min(self.cycles)
    }

    /// How many cycles a time in ns is, rounded to the nearest. Refused where it is longer than the period.
    pub fn cycles_of_ns(self, high_ns: u64) -> Result<u32, HighTimeError> {
        let billionths = u128::from(high_ns).wrapping_mul(u128::from(self.clock_hz));
        let cycles = billionths.wrapping_add(500_000_000) / 1_000_000_000;
        match u32::try_from(cycles) {
            Ok(cycles) if cycles <= self.cycles => Ok(cycles),
            _ => Err(HighTimeError { high_ns, period_ns: self.period_ns() }),
        }
    }

    /// The period in ns, rounded down.
    #[must_use]
    pub fn period_ns(self) -> u64 {
        let billionths = u64::from(self.cycles).wrapping_mul(1_000_000_000);
        billionths.checked_div(u64::from(self.clock_hz)).unwrap_or(0)
    }
}

/// A frequency that the PWM clock does not make well enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrequencyError {
    /// The PWM clock in Hz.
    pub clock_hz: u32,
    /// What was asked for, in Hz.
    pub wanted_hz: u32,
    /// The nearest there is, in Hz, rounded down.
    pub nearest_hz: u32,
    /// How far off it was allowed to be, in parts per million.
    pub most_error_ppm: u32,
}

impl fmt::Display for FrequencyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { clock_hz, wanted_hz, nearest_hz, most_error_ppm } = self;
        write!(
            f,
            "pwm: a clock of {clock_hz} Hz makes {nearest_hz} Hz at the nearest, not {wanted_hz} Hz within \
             {most_error_ppm} ppm; choose a frequency that divides the clock's"
        )
    }
}

impl core::error::Error for FrequencyError {}

/// A high time longer than the period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HighTimeError {
    /// What was asked for, in ns.
    pub high_ns: u64,
    /// The period, in ns.
    pub period_ns: u64,
}

impl fmt::Display for HighTimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { high_ns, period_ns } = self;
        write!(f, "pwm: {high_ns} ns high do not fit into a period of {period_ns} ns; choose a shorter time")
    }
}

impl core::error::Error for HighTimeError {}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK_HZ: u32 = 27_000_000;

    fn range(wanted_hz: u32) -> Range {
        Range::for_frequency(CLOCK_HZ, wanted_hz, 1_000).unwrap()
    }

    #[test]
    fn frequencies_that_divide_the_clock_are_exact() {
        for (hz, cycles) in [(1, 27_000_000), (50, 540_000), (20_000, 1_350), (13_500_000, 2)] {
            let range = Range::for_frequency(CLOCK_HZ, hz, 0).unwrap();
            assert_eq!(range.cycles(), cycles);
        }
        assert_eq!(range(50).period_ns(), 20_000_000);
    }

    #[test]
    fn others_are_rounded_within_the_bound_and_refused_beyond() {
        // 27 MHz / 612 = 44117.6 Hz, 400 ppm above 44.1 kHz.
        assert_eq!(range(44_100).cycles(), 612);
        let refused = |wanted_hz, nearest_hz, most_error_ppm| {
            Err(FrequencyError { clock_hz: CLOCK_HZ, wanted_hz, nearest_hz, most_error_ppm })
        };
        assert_eq!(Range::for_frequency(CLOCK_HZ, 44_100, 399), refused(44_100, 44_117, 399));
        assert_eq!(Range::for_frequency(CLOCK_HZ, 700_000, 1_000), refused(700_000, 692_307, 1_000));
        assert_eq!(Range::for_frequency(CLOCK_HZ, 27_000_000, 1_000), refused(27_000_000, 13_500_000, 1_000));
        assert_eq!(Range::for_frequency(CLOCK_HZ, u32::MAX, 1_000), refused(u32::MAX, 13_500_000, 1_000));
    }

    #[test]
    fn no_frequency_and_no_clock_are_refused() {
        assert!(Range::for_frequency(CLOCK_HZ, 0, 1_000_000).is_err());
        assert!(Range::for_frequency(0, 50, 1_000).is_err());
    }

    #[test]
    fn a_duty_cycle_has_the_cycles_as_steps_as_far_as_they_go() {
        assert_eq!(range(20_000).steps(), 1_350);
        assert_eq!(range(20_000).cycles_of_duty(675), 675);
        assert_eq!(range(20_000).cycles_of_duty(u16::MAX), 1_350);
        assert_eq!(range(50).steps(), 65_535);
        assert_eq!(range(50).cycles_of_duty(0), 0);
        assert_eq!(range(50).cycles_of_duty(1), 8);
        assert_eq!(range(50).cycles_of_duty(65_535), 540_000);
    }

    #[test]
    fn a_high_time_is_rounded_and_fits_into_the_period() {
        assert_eq!(range(50).cycles_of_ns(1_500_000), Ok(40_500));
        assert_eq!(range(50).cycles_of_ns(18), Ok(0));
        assert_eq!(range(50).cycles_of_ns(19), Ok(1));
        assert_eq!(range(50).cycles_of_ns(20_000_000), Ok(540_000));
        let refused = |high_ns| Err(HighTimeError { high_ns, period_ns: 20_000_000 });
        assert_eq!(range(50).cycles_of_ns(20_000_019), refused(20_000_019));
        assert_eq!(range(50).cycles_of_ns(u64::MAX), refused(u64::MAX));
    }
}
