// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which divisors make a baud, and how well.

use core::fmt;

/// The smallest divisor, 1, in sixty-fourths `[PL011 3.3.6]`.
const SMALLEST: u64 = 64;
/// The largest divisor, 65535 with no fraction, in sixty-fourths `[PL011 3.3.6]`.
const LARGEST: u64 = 65_535 << 6;

/// The baud rate divisor, clock / (16 * baud), as the two registers hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divisors {
    integer: u16,
    fraction: u8,
    error_ppm: i32,
}

impl Divisors {
    /// The divisors for a baud in bits per second, from the UART clock in Hz, in whole numbers.
    ///
    /// A line works while the two ends differ by no more than about 2 %. Steps of 1/64 keep every divisor within range
    /// to 0.8 %, so all that can be refused is a divisor out of range, below 1 or above 65535 `[PL011 3.3.6]`.
    pub fn for_baud(clock_hz: u32, baud: u32) -> Result<Self, BaudError> {
        let clock = u64::from(clock_hz);
        let wanted = u64::from(baud);
        // 64 * clock / (16 * baud), rounded to the nearest. No baud at all asks for an endless divisor.
        let divisor = clock.wrapping_mul(8).wrapping_add(wanted).checked_div(wanted.wrapping_mul(2));
        let divisor = divisor.unwrap_or(u64::MAX);
        if !(SMALLEST..=LARGEST).contains(&divisor) {
            let nearest_baud = baud_of(clock, divisor.clamp(SMALLEST, LARGEST), 1);
            let nearest_baud = u32::try_from(nearest_baud).unwrap_or(u32::MAX);
            return Err(BaudError { clock_hz, wanted_baud: baud, nearest_baud });
        }
        let real_ppm = baud_of(clock, divisor, 1_000_000).checked_div(wanted).unwrap_or(0);
        Ok(Self {
            integer: ((divisor >> 6) & 0xFFFF) as u16,
            fraction: (divisor & 0x3F) as u8,
            error_ppm: i32::try_from(real_ppm).unwrap_or(i32::MAX).wrapping_sub(1_000_000),
        })
    }

    /// `UARTIBRD`, 1..=65535.
    #[must_use]
    pub const fn integer(&self) -> u16 {
        self.integer
    }

    /// `UARTFBRD`, 0..=63 sixty-fourths.
    #[must_use]
    pub const fn fraction(&self) -> u8 {
        self.fraction
    }

    /// By how much the real baud is above (or below, negative) the wanted one, in parts per million.
    #[must_use]
    pub const fn error_ppm(&self) -> i32 {
        self.error_ppm
    }
}

/// The baud of a divisor given in sixty-fourths, times a scale.
fn baud_of(clock_hz: u64, divisor: u64, scale: u64) -> u64 {
    clock_hz.wrapping_mul(4).wrapping_mul(scale).checked_div(divisor).unwrap_or(0)
}

/// A baud that the UART clock cannot make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaudError {
    /// The UART clock in Hz.
    pub clock_hz: u32,
    /// What was asked for, in bits per second.
    pub wanted_baud: u32,
    /// The nearest that the clock can make, in bits per second.
    pub nearest_baud: u32,
}

impl fmt::Display for BaudError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { clock_hz, wanted_baud, nearest_baud } = self;
        write!(
            f,
            "pl011: {wanted_baud} baud is out of reach of a UART clock of {clock_hz} Hz, the nearest is {nearest_baud}; \
             choose a baud within reach or set init_uart_clock"
        )
    }
}

impl core::error::Error for BaudError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Integer, fraction and error of a baud.
    fn made(clock_hz: u32, baud: u32) -> (u16, u8, i32) {
        let divisors = Divisors::for_baud(clock_hz, baud).unwrap();
        (divisors.integer(), divisors.fraction(), divisors.error_ppm())
    }

    #[test]
    fn the_manuals_example() {
        // PL011 3.3.6: 230400 baud from 4 MHz is 1 and 5/64. The real baud is 4 MHz / (16 * 69/64) = 231884; the manual
        // says 231911 because it rounds 69/64 to 1.078 first.
        assert_eq!(made(4_000_000, 230_400), (1, 5, 6_441));
    }

    #[test]
    fn the_table_of_the_board() {
        // HARDWARE 5.1, 48 MHz.
        assert_eq!(made(48_000_000, 115_200), (26, 3, -200));
        assert_eq!(made(48_000_000, 230_400), (13, 1, 400));
        assert_eq!(made(48_000_000, 460_800), (6, 33, -800));
        assert_eq!(made(48_000_000, 921_600), (3, 16, 1_602));
        assert_eq!(made(48_000_000, 1_500_000), (2, 0, 0));
        assert_eq!(made(48_000_000, 3_000_000), (1, 0, 0));
    }

    #[test]
    fn the_clock_that_qemu_reports() {
        assert_eq!(made(3_000_000, 115_200), (1, 40, 1_602));
    }

    #[test]
    fn a_baud_beyond_a_sixteenth_of_the_clock_is_refused() {
        let refused = BaudError { clock_hz: 3_000_000, wanted_baud: 230_400, nearest_baud: 187_500 };
        assert_eq!(Divisors::for_baud(3_000_000, 230_400), Err(refused));
    }

    #[test]
    fn a_baud_below_the_largest_divisor_is_refused() {
        let refused = |wanted_baud| BaudError { clock_hz: 48_000_000, wanted_baud, nearest_baud: 45 };
        assert_eq!(Divisors::for_baud(48_000_000, 45), Err(refused(45)));
        assert_eq!(Divisors::for_baud(48_000_000, 0), Err(refused(0)));
        assert_eq!(made(48_000_000, 46).0, 65_217);
    }

    #[test]
    fn no_clock_makes_no_baud() {
        assert_eq!(
            Divisors::for_baud(0, 115_200),
            Err(BaudError { clock_hz: 0, wanted_baud: 115_200, nearest_baud: 0 })
        );
    }

    #[test]
    fn every_divisor_in_range_is_within_the_two_percent_of_a_line() {
        for clock_hz in [3_000_000, 48_000_000, 62_500_001, u32::MAX] {
            for step in 1..4_000 {
                if let Ok(divisors) = Divisors::for_baud(clock_hz, clock_hz / 16 / step + step % 7) {
                    assert!(divisors.error_ppm().abs() <= 8_000, "{clock_hz} {step} {divisors:?}");
                }
            }
        }
    }
}
