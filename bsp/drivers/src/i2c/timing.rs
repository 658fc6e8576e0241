// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the three timing registers hold.

use core::fmt;

use crate::core_divider::CoreDivider;

/// The largest divider, even, of 16 bits.
const LARGEST: u32 = 0xFFFE;
/// The longest time-out, of 16 bits, in clocks of SCL.
const LONGEST_CLOCKS: u64 = 0xFFFF;

/// How fast the bus is, and how long a device may hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    divider: CoreDivider,
    clkt: u32,
}

impl Timing {
    /// The timing for the fastest clock that is not faster than `frequency_hz`, and for devices that hold it down for
    /// `stretch_limit_us` at most.
    ///
    /// # Errors
    /// Where a register cannot hold it.
    pub fn new(core_hz: u32, frequency_hz: u32, stretch_limit_us: u32) -> Result<Self, TimingError> {
        let divider = CoreDivider::for_frequency(core_hz, frequency_hz, LARGEST)
            .ok_or(TimingError::Frequency { core_hz, frequency_hz })?;
        let scl_hz = u64::from(divider.frequency_hz());
        let clocks = u64::from(stretch_limit_us).saturating_mul(scl_hz).div_ceil(1_000_000);
        match u32::try_from(clocks) {
            Ok(clkt) if clkt > 0 && clocks <= LONGEST_CLOCKS => Ok(Self { divider, clkt }),
            _ => Err(TimingError::Stretch { stretch_limit_us, clocks }),
        }
    }

    /// `DIV`.
    #[must_use]
    pub const fn div(self) -> u32 {
        self.divider.divider()
    }

    /// `DEL`: data change a sixteenth of a clock behind the falling edge and are sampled a quarter behind the rising one,
    /// as Linux has it.
    #[must_use]
    pub const fn del(self) -> u32 {
        let div = self.div();
        let fall = if div < 16 { 1 } else { div / 16 };
        let rise = if div < 4 { 1 } else { div / 4 };
        fall << 16 | rise
    }

    /// `CLKT`.
    #[must_use]
    pub const fn clkt(self) -> u32 {
        self.clkt
    }

    /// The clock, in Hz, rounded down.
    #[must_use]
    pub const fn frequency_hz(self) -> u32 {
        self.divider.frequency_hz()
    }

    /// How long `clocks` of SCL take, in µs, rounded up.
    pub(super) fn clocks_us(self, clocks: u32) -> u64 {
        self.divider.clocks_us(clocks)
    }
}

/// A timing that the registers cannot hold. Nothing was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimingError {
    /// The clock cannot be made.
    Frequency {
        /// The core clock, in Hz.
        core_hz: u32,
        /// What was asked for, in Hz.
        frequency_hz: u32,
    },
    /// The limit cannot be set.
    Stretch {
        /// What was asked for, in µs.
        stretch_limit_us: u32,
        /// How many clocks of SCL that is.
        clocks: u64,
    },
}

impl fmt::Display for TimingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Frequency { core_hz, frequency_hz } => write!(
                f,
                "i2c: {frequency_hz} Hz cannot be made from a core clock of {core_hz} Hz, whose even dividers from 2 to \
                 65534 make {} to {} Hz; ask for a frequency in this range, usually 100000 or 400000",
                core_hz.div_ceil(LARGEST),
                core_hz / 2,
            ),
            Self::Stretch { stretch_limit_us, clocks } => write!(
                f,
                "i2c: a device that may hold the clock for {stretch_limit_us} us may do so for {clocks} clocks, but the \
                 register holds 1 to 65535; choose another limit, or a slower bus"
            ),
        }
    }
}

impl core::error::Error for TimingError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_speeds_on_the_board_and_in_qemu() {
        // HARDWARE 8.4: DIV = core / SCL. SMBus lets a device stretch for 25 ms.
        let timing = Timing::new(500_000_000, 100_000, 25_000).unwrap();
        assert_eq!((timing.div(), timing.clkt(), timing.frequency_hz()), (5_000, 2_500, 100_000));
        assert_eq!(timing.del(), 312 << 16 | 1_250);
        let timing = Timing::new(350_000_000, 400_000, 1_000).unwrap();
        assert_eq!((timing.div(), timing.clkt(), timing.frequency_hz()), (876, 400, 399_543));
        assert_eq!(timing.clocks_us(9), 23);
    }

    #[test]
    fn the_delays_are_never_zero() {
        assert_eq!(Timing::new(4_000_000, 2_000_000, 10).unwrap().del(), 1 << 16 | 1);
    }

    #[test]
    fn what_no_register_holds_is_refused_in_a_sentence() {
        for frequency_hz in [0, 7_629, 250_000_001, u32::MAX] {
            let refused = TimingError::Frequency { core_hz: 500_000_000, frequency_hz };
            assert_eq!(Timing::new(500_000_000, frequency_hz, 25_000), Err(refused));
        }
        assert!(Timing::new(500_000_000, 7_630, 25_000).is_ok());
        assert!(Timing::new(0, 100_000, 25_000).is_err());
        let refused = TimingError::Stretch { stretch_limit_us: 1_000_000, clocks: 100_000 };
        assert_eq!(Timing::new(500_000_000, 100_000, 1_000_000), Err(refused));
        assert!(Timing::new(500_000_000, 100_000, 0).is_err());
    }
}
