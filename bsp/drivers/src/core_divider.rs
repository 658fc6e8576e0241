// SPDX-License-Identifier: MIT OR Apache-2.0
//! The divider between the core clock and that of a bus: even, from 2 up `[HW 8.3, 8.4]`.

/// The smallest divider.
const SMALLEST: u32 = 2;

/// A divider, and the core clock that it divides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CoreDivider {
    divider: u32,
    core_hz: u32,
}

impl CoreDivider {
    /// The divider for the fastest clock that is not faster than `frequency_hz`; `None` where that is faster than the
    /// smallest divider makes it, or slower than `largest`.
    pub(crate) fn for_frequency(core_hz: u32, frequency_hz: u32, largest: u32) -> Option<Self> {
        let is_too_fast = frequency_hz > core_hz / SMALLEST;
        if frequency_hz == 0 || is_too_fast {
            return None;
        }
        let divider = core_hz.div_ceil(frequency_hz).checked_next_multiple_of(SMALLEST)?;
        (divider <= largest).then_some(Self { divider, core_hz })
    }

    /// The divider.
    pub(crate) const fn divider(self) -> u32 {
        self.divider
    }

    /// The clock of the bus, in Hz, rounded down.
    pub(crate) const fn frequency_hz(self) -> u32 {
        match self.core_hz.checked_div(self.divider) {
            Some(frequency_hz) => frequency_hz,
            None => 0,
        }
    }

    /// How long so many clocks of the bus take, in µs, rounded up.
    pub(crate) fn clocks_us(self, clocks: u32) -> u64 {
        let cycles = u64::from(self.divider).saturating_mul(u64::from(clocks)).saturating_mul(1_000_000);
        cycles.div_ceil(u64::from(self.core_hz).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frequency_in_range_is_met_from_below() {
        for core_hz in [200_000_000, 350_000_000, 500_000_000, 550_000_000, u32::MAX] {
            for step in 1..5_000 {
                let wanted = core_hz / 2 / step;
                let divider = CoreDivider::for_frequency(core_hz, wanted, 65_536).unwrap();
                assert!(divider.frequency_hz() <= wanted && divider.divider().is_multiple_of(2));
                // The next smaller one would be too fast.
                assert!(divider.divider() == 2 || core_hz.div_ceil(divider.divider() - 2) > wanted);
            }
        }
    }

    #[test]
    fn what_is_out_of_range_has_no_divider() {
        for (core_hz, frequency_hz) in [(0, 0), (0, 1), (100, 0), (100, 51), (u32::MAX, 1), (65_538, 1)] {
            assert_eq!(CoreDivider::for_frequency(core_hz, frequency_hz, 65_536), None, "{core_hz} {frequency_hz}");
        }
        assert!(CoreDivider::for_frequency(65_536, 1, 65_536).is_some());
        assert!(CoreDivider::for_frequency(100, 50, 2).is_some());
    }
}
