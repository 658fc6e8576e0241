// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which divider makes a clock.

use core::fmt;

use crate::core_divider::CoreDivider;

/// The largest divider, which the register holds as 0 `[HW 8.3]`.
const LARGEST: u32 = 65_536;
/// The clocks of a byte, one of which is a pause `[HW 8.3]`.
const BYTE_CLOCKS: u32 = 9;

/// The divider between the core clock and the serial clock: even, from 2 to 65536.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divider(CoreDivider);

impl Divider {
    /// The divider for the fastest serial clock that is not faster than `frequency_hz`, from a core clock in Hz.
    ///
    /// # Errors
    /// Where that is slower than the largest divider makes it, or faster than the smallest: a device that needs more than
    /// the bus can do shall not get less without a word.
    pub fn for_frequency(core_hz: u32, frequency_hz: u32) -> Result<Self, FrequencyError> {
        let divider = CoreDivider::for_frequency(core_hz, frequency_hz, LARGEST);
        divider.map(Self).ok_or(FrequencyError { core_hz, frequency_hz })
    }

    /// What the register holds.
    #[must_use]
    pub const fn register(self) -> u32 {
        self.0.divider() & 0xFFFF
    }

    /// The serial clock, in Hz, rounded down.
    #[must_use]
    pub const fn frequency_hz(self) -> u32 {
        self.0.frequency_hz()
    }

    /// How long a byte takes, in µs, rounded up.
    pub(super) fn byte_us(self) -> u64 {
        self.0.clocks_us(BYTE_CLOCKS)
    }
}

/// A serial clock that the core clock cannot make. Nothing was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrequencyError {
    /// The core clock, in Hz.
    pub core_hz: u32,
    /// What was asked for, in Hz.
    pub frequency_hz: u32,
}

impl fmt::Display for FrequencyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { core_hz, frequency_hz } = self;
        let slowest = core_hz.div_ceil(LARGEST);
        let fastest = core_hz / 2;
        write!(
            f,
            "spi: {frequency_hz} Hz cannot be made from a core clock of {core_hz} Hz, whose even dividers from 2 to 65536 \
             make {slowest} to {fastest} Hz; ask for a frequency in this range, or set core_freq"
        )
    }
}

impl core::error::Error for FrequencyError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Divider and frequency.
    fn made(core_hz: u32, frequency_hz: u32) -> (u32, u32) {
        let divider = Divider::for_frequency(core_hz, frequency_hz).unwrap();
        (divider.register(), divider.frequency_hz())
    }

    #[test]
    fn dividers_are_even_and_the_clock_is_never_faster_than_asked() {
        // HARDWARE 8.3: SCLK = core / CDIV, even, 0 = 65536.
        assert_eq!(made(500_000_000, 10_000_000), (50, 10_000_000));
        assert_eq!(made(500_000_000, 9_999_999), (52, 9_615_384));
        assert_eq!(made(500_000_000, 100_000_000), (6, 83_333_333));
        assert_eq!(made(500_000_000, 250_000_000), (2, 250_000_000));
        assert_eq!(made(350_000_000, 1_000_000), (350, 1_000_000));
        assert_eq!(made(65_536_000, 1_000), (0, 1_000));
    }

    #[test]
    fn what_is_out_of_range_is_refused_in_a_sentence() {
        for frequency_hz in [0, 1, 7_629, 250_000_001, u32::MAX] {
            let refused = FrequencyError { core_hz: 500_000_000, frequency_hz };
            assert_eq!(Divider::for_frequency(500_000_000, frequency_hz), Err(refused));
        }
        assert!(Divider::for_frequency(500_000_000, 7_630).is_ok());
        assert!(Divider::for_frequency(0, 1).is_err());
    }
}
