// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which divisor makes a baud, and how well.

use core::fmt;

/// The largest value of `AUX_MU_BAUD_REG` `[BCM2711 2.2.2]`.
const LARGEST: u64 = 0xFFFF;
/// By how much the real baud may be off, in parts per million: a line works while its two ends differ by no more than
/// about 2 %, and the other end has its share.
const MOST_ERROR_PPM: u64 = 10_000;

/// The divisor, core clock / (8 * baud) - 1, as the register holds it `[HW 5.2]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divisor {
    register: u16,
    error_ppm: i32,
}

impl Divisor {
    /// The divisor for a baud in bits per second, from the core clock in Hz, in whole numbers.
    ///
    /// # Errors
    /// The divisor is out of range, or the nearest one misses the baud by more than 1 %.
    pub fn for_baud(core_hz: u32, baud: u32) -> Result<Self, BaudError> {
        let (clock, wanted) = (u64::from(core_hz), u64::from(baud));
        // core clock / (8 * baud), rounded to the nearest. No baud at all asks for an endless divisor.
        let divisor = clock.wrapping_add(wanted.wrapping_mul(4)).checked_div(wanted.wrapping_mul(8));
        let register = divisor.unwrap_or(u64::MAX).saturating_sub(1).min(LARGEST);
        let real_ppm = baud_of(clock, register, 1_000_000).checked_div(wanted).unwrap_or(0);
        if real_ppm.abs_diff(1_000_000) > MOST_ERROR_PPM {
            let nearest_baud = u32::try_from(baud_of(clock, register, 1)).unwrap_or(u32::MAX);
            return Err(BaudError { core_hz, wanted_baud: baud, nearest_baud });
        }
        Ok(Self {
            register: (register & LARGEST) as u16,
            error_ppm: i32::try_from(real_ppm).unwrap_or(i32::MAX).wrapping_sub(1_000_000),
        })
    }

    /// `AUX_MU_BAUD_REG`.
    #[must_use]
    pub const fn register(&self) -> u16 {
        self.register
    }

    /// By how much the real baud is above (or below, negative) the wanted one, in parts per million.
    #[must_use]
    pub const fn error_ppm(&self) -> i32 {
        self.error_ppm
    }
}

/// The baud of a register value, times a scale.
fn baud_of(clock_hz: u64, register: u64, scale: u64) -> u64 {
    clock_hz.wrapping_mul(scale).checked_div(register.wrapping_add(1).wrapping_mul(8)).unwrap_or(0)
}

/// A baud that the core clock cannot make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaudError {
    /// The VPU core clock in Hz.
    pub core_hz: u32,
    /// What was asked for, in bits per second.
    pub wanted_baud: u32,
    /// The nearest that the clock can make, in bits per second.
    pub nearest_baud: u32,
}

impl fmt::Display for BaudError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { core_hz, wanted_baud, nearest_baud } = self;
        write!(
            f,
            "aux_uart: {wanted_baud} baud is more than 1 % away from what a core clock of {core_hz} Hz makes, the nearest \
             is {nearest_baud}; choose another baud or set core_freq"
        )
    }
}

impl core::error::Error for BaudError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Register and error of a baud.
    fn made(core_hz: u32, baud: u32) -> (u16, i32) {
        let divisor = Divisor::for_baud(core_hz, baud).unwrap();
        (divisor.register(), divisor.error_ppm())
    }

    #[test]
    fn the_table_of_the_board() {
        // HARDWARE 5.2.
        assert_eq!(made(500_000_000, 115_200), (542, -857));
        assert_eq!(made(500_000_000, 921_600), (67, -2_694));
        assert_eq!(made(250_000_000, 115_200), (270, 986));
        assert_eq!(made(250_000_000, 921_600), (33, -2_694));
        assert_eq!(made(200_000_000, 115_200), (216, 64));
    }

    #[test]
    fn the_clock_that_qemu_reports() {
        assert_eq!(made(350_000_000, 115_200), (379, -594));
    }

    #[test]
    fn a_baud_that_is_missed_by_more_than_a_hundredth_is_refused() {
        let refused = BaudError { core_hz: 200_000_000, wanted_baud: 10_000_000, nearest_baud: 8_333_333 };
        assert_eq!(Divisor::for_baud(200_000_000, 10_000_000), Err(refused));
        let refused = BaudError { core_hz: 500_000_000, wanted_baud: 300, nearest_baud: 953 };
        assert_eq!(Divisor::for_baud(500_000_000, 300), Err(refused));
        assert!(Divisor::for_baud(500_000_000, 0).is_err());
        assert!(Divisor::for_baud(0, 115_200).is_err());
    }
}
