// SPDX-License-Identifier: MIT OR Apache-2.0
//! The options of `hwlat`; window, width and threshold, and what they are without an option, are those of Linux's tracer.
//!
//! | option | meaning | default |
//! |---|---|---|
//! | `-w US`, `--window US` | how often it looks | 1000000 |
//! | `--width US` | how long it looks, with interrupts masked | 500000, or half of the window |
//! | `-t US`, `--threshold US` | gaps above it are counted | 10 |
//! | `-l SECONDS` | for how long | until Ctrl-C |
//!
//! A value follows, or is attached: `-w1000`, `--width=500`.

use crate::boot_line::ArgumentError;
use crate::words::{next_word, number_in};

const COMMAND: &str = "hwlat";
const VALID: &str = "-l -w --window --width -t --threshold";

/// The longest window: Ctrl-C is heard behind each.
const MAX_WINDOW_US: u32 = 10_000_000;
/// The longest run: a year.
const MAX_SECONDS: u32 = 365 * 86_400;

/// What is to be looked for, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HwlatOptions {
    /// How often it looks, in microseconds.
    pub window_us: u32,
    /// How long it looks each time.
    pub width_us: u32,
    /// Gaps above it are counted.
    pub threshold_us: u32,
    /// For how many seconds; until Ctrl-C without.
    pub seconds: Option<u32>,
}

/// An option as it is named in a refusal, what its number counts, and its range.
struct Number {
    option: &'static str,
    what: &'static str,
    minimum: u32,
    maximum: u32,
}

impl Number {
    const fn us(option: &'static str, minimum: u32) -> Self {
        Self { option, what: "us", minimum, maximum: MAX_WINDOW_US }
    }

    fn read<'a>(&self, value: &'a str) -> Result<u32, ArgumentError<'a>> {
        let Self { option, what, minimum, maximum } = *self;
        let number = number_in(value, u64::from(minimum), u64::from(maximum)).and_then(|number| number.try_into().ok());
        number.ok_or(ArgumentError::BadNumber { command: COMMAND, option, what, minimum, maximum, value })
    }
}

impl HwlatOptions {
    /// Reads the words behind `hwlat`.
    ///
    /// # Errors
    /// [`ArgumentError`], whose text is one sentence, at the first word that is unknown or whose value cannot be used.
    pub fn parse(arguments: &str) -> Result<Self, ArgumentError<'_>> {
        let (mut window_us, mut width, mut threshold_us, mut seconds) = (1_000_000, None, 10, None);
        let mut words = arguments.split_ascii_whitespace();
        while let Some(word) = next_word(&mut words) {
            let (number, attached) = option(word)?;
            let value = if attached.is_empty() { next_word(&mut words).unwrap_or("") } else { attached };
            let read = number.read(value)?;
            match number.option {
                "-w" => window_us = read,
                "--width" => width = Some((read, value)),
                "-t" => threshold_us = read,
                _ => seconds = Some((read, value)),
            }
        }
        let width_us = match width {
            // It is a number; whether it fits is known now.
            Some((_, value)) => Number { maximum: window_us, ..Number::us("--width", 1) }.read(value)?,
            None => window_us / 2,
        };
        if let Some((_, value)) = seconds.filter(|(seconds, _)| u64::from(*seconds) * 1_000_000 < u64::from(window_us))
        {
            let valid = "as many seconds as a window has, or more,";
            return Err(ArgumentError::BadValue { command: COMMAND, option: "-l", valid, value });
        }
        Ok(Self { window_us, width_us, threshold_us, seconds: seconds.map(|(seconds, _)| seconds) })
    }
}

/// The option of a word, and the value that is attached to it.
fn option(word: &str) -> Result<(Number, &str), ArgumentError<'_>> {
    let unknown = ArgumentError::UnknownWord { command: COMMAND, word, valid: VALID };
    if let Some(long) = word.strip_prefix("--") {
        let (name, value) = long.split_once('=').unwrap_or((long, ""));
        let number = match name {
            "window" => Number::us("-w", 2),
            "width" => Number::us("--width", 1),
            "threshold" => Number::us("-t", 0),
            _ => return Err(unknown),
        };
        return Ok((number, value));
    }
    let (name, value) = word.split_at_checked(2).ok_or(unknown)?;
    let number = match name {
        "-w" => Number::us("-w", 2),
        "-t" => Number::us("-t", 0),
        "-l" => Number { option: "-l", what: "seconds", minimum: 1, maximum: MAX_SECONDS },
        _ => return Err(unknown),
    };
    Ok((number, value))
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::HwlatOptions;

    fn options(window_us: u32, width_us: u32, threshold_us: u32, seconds: Option<u32>) -> HwlatOptions {
        HwlatOptions { window_us, width_us, threshold_us, seconds }
    }

    #[test]
    fn what_is_given_is_used() {
        for (arguments, expected) in [
            ("", options(1_000_000, 500_000, 10, None)),
            ("-l 10", options(1_000_000, 500_000, 10, Some(10))),
            ("-w 2000 -t0", options(2_000, 1_000, 0, None)),
            ("--width 7 --window 7 --threshold=3 -l1", options(7, 7, 3, Some(1))),
        ] {
            assert_eq!(HwlatOptions::parse(arguments), Ok(expected), "{arguments}");
        }
    }

    #[test]
    fn what_cannot_be_used_is_refused_in_a_sentence() {
        for (arguments, sentence) in [
            ("-x", "hwlat: the word -x is unknown; valid is -l -w --window --width -t --threshold"),
            ("10", "hwlat: the word 10 is unknown; valid is -l -w --window --width -t --threshold"),
            ("-w 1", "hwlat: the value of -w is 1; a number of us of 2 to 10000000 is expected"),
            ("-w", "hwlat: the value of -w is missing; a number of us of 2 to 10000000 is expected"),
            ("--width 1001 -w 1000", "hwlat: the value of --width is 1001; a number of us of 1 to 1000 is expected"),
            ("--width 0", "hwlat: the value of --width is 0; a number of us of 1 to 10000000 is expected"),
            ("-t x", "hwlat: the value of -t is x; a number of us of 0 to 10000000 is expected"),
            ("-l 0", "hwlat: the value of -l is 0; a number of seconds of 1 to 31536000 is expected"),
            ("-l 2 -w 2000001", "hwlat: the value of -l is 2; as many seconds as a window has, or more, is expected"),
        ] {
            assert_eq!(HwlatOptions::parse(arguments).unwrap_err().to_string(), sentence, "{arguments}");
        }
    }
}
