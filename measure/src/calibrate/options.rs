// SPDX-License-Identifier: MIT OR Apache-2.0
//! The words of `calibrate`, and what a timer can anticipate.

use crate::boot_line::{ArgumentError, Number, TimeBaseWord};
use crate::kernel::report::Stage;
use crate::kernel::time::Rate;
use crate::words::next_word;

/// The most that is anticipated: less than the shortest interval of `latency`.
pub const MAX_ANTICIPATION_NS: u32 = 15_000;

/// What `calibrate` is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Say what each core anticipates.
    Show,
    /// Anticipate nothing.
    Off,
    /// As much as the shortest way takes.
    Auto,
    /// So many nanoseconds.
    Nanoseconds(u32),
}

/// A `calibrate` command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalibrateOptions {
    /// What it is to do.
    pub wanted: Wanted,
    /// On which core.
    pub core: u8,
    /// Whose first statement is to come at the due instant.
    pub stage: Stage,
    /// Whether the task waits for its due instant where it came before.
    pub is_strict: bool,
    /// How many cycles are measured before and after.
    pub cycles: u32,
}

const COMMAND: &str = "calibrate";
const ANTICIPATION: Number = Number {
    command: COMMAND,
    option: "the anticipation",
    what: "nanoseconds",
    minimum: 1,
    maximum: MAX_ANTICIPATION_NS,
};
const VALID: &str = "auto, off, a number of nanoseconds, -c, -l, --stage, --strict";

impl CalibrateOptions {
    /// Reads the words behind `calibrate`.
    ///
    /// # Errors
    /// [`ArgumentError`], whose text is one sentence, at the first word that is unknown or whose value cannot be used.
    pub fn parse(arguments: &str) -> Result<Self, ArgumentError<'_>> {
        let mut options = Self { wanted: Wanted::Show, core: 0, stage: Stage::Task, is_strict: false, cycles: 1_000 };
        let mut words = arguments.split_ascii_whitespace();
        while let Some(word) = next_word(&mut words) {
            let mut number = |option, what, minimum, maximum| {
                Number { command: COMMAND, option, what, minimum, maximum }.read(next_word(&mut words).unwrap_or(""))
            };
            match word {
                "auto" => options.wanted = Wanted::Auto,
                "off" => options.wanted = Wanted::Off,
                "--strict" => options.is_strict = true,
                "-c" => options.core = u8::try_from(number("-c", "the core", 0, 3)?).unwrap_or(0),
                "-l" => options.cycles = number("-l", "cycles", 1, 1_000_000)?,
                "--stage" => options.stage = stage(next_word(&mut words).unwrap_or(""))?,
                _ if word.starts_with(|first: char| first.is_ascii_digit()) => {
                    options.wanted = Wanted::Nanoseconds(ANTICIPATION.read(word)?);
                }
                _ => return Err(ArgumentError::UnknownWord { command: COMMAND, word, valid: VALID }),
            }
        }
        Ok(options)
    }
}

fn stage(value: &str) -> Result<Stage, ArgumentError<'_>> {
    match value {
        "handler" => Ok(Stage::Handler),
        "task" => Ok(Stage::Task),
        _ => Err(ArgumentError::BadValue { command: COMMAND, option: "--stage", valid: "handler or task", value }),
    }
}

/// In what steps a timer can be set earlier, in half ticks: the system timer counts microseconds, the generic timer compares the
/// counter itself.
#[must_use]
pub fn step_half_ticks(timer: TimeBaseWord, rate: Rate) -> u64 {
    match timer {
        TimeBaseWord::System => rate.half_ticks_per_us().get(),
        TimeBaseWord::Generic => 2,
    }
}

/// The largest number of whole steps that is no more than `half_ticks`.
#[must_use]
pub fn in_steps(half_ticks: u64, step_half_ticks: u64) -> u64 {
    half_ticks.wrapping_sub(half_ticks.checked_rem(step_half_ticks).unwrap_or(0))
}

/// Nanoseconds as half ticks, rounded down.
#[must_use]
pub fn ns_to_half_ticks(ns: u32, rate: Rate) -> u64 {
    u64::from(ns).wrapping_mul(rate.half_ticks_per_us().get()) / 1_000
}

#[cfg(test)]
mod tests {
    use super::{CalibrateOptions, Wanted, in_steps, ns_to_half_ticks, step_half_ticks};
    use crate::boot_line::TimeBaseWord;
    use crate::kernel::report::Stage;
    use crate::kernel::time::Rate;
    use std::string::ToString;

    #[test]
    fn what_is_given_is_read() {
        let usual =
            CalibrateOptions { wanted: Wanted::Show, core: 0, stage: Stage::Task, is_strict: false, cycles: 1_000 };
        assert_eq!(CalibrateOptions::parse(""), Ok(usual));
        assert_eq!(CalibrateOptions::parse("off -c 3"), Ok(CalibrateOptions { wanted: Wanted::Off, core: 3, ..usual }));
        let all = CalibrateOptions::parse("auto --stage handler -l 20 --strict");
        let expected =
            CalibrateOptions { wanted: Wanted::Auto, stage: Stage::Handler, is_strict: true, cycles: 20, ..usual };
        assert_eq!(all, Ok(expected));
        let number = CalibrateOptions::parse("2136");
        assert_eq!(number, Ok(CalibrateOptions { wanted: Wanted::Nanoseconds(2_136), ..usual }));
    }

    #[test]
    fn what_cannot_be_used_is_refused_in_a_sentence() {
        let refused = |words: &str| CalibrateOptions::parse(words).unwrap_err().to_string();
        let number =
            "calibrate: the value of the anticipation is 15001; a number of nanoseconds of 1 to 15000 is expected";
        assert_eq!(refused("15001"), number);
        assert!(refused("0").contains("is 0; a number of nanoseconds of 1 to 15000"), "{}", refused("0"));
        assert!(refused("-c 4").contains("the value of -c is 4"), "{}", refused("-c 4"));
        assert!(refused("-l").contains("the value of -l is missing"), "{}", refused("-l"));
        assert!(refused("--stage done").contains("handler or task is expected"), "{}", refused("--stage done"));
        assert!(refused("of").contains("the word of is unknown; valid is auto, off,"), "{}", refused("of"));
    }

    #[test]
    fn each_timer_has_its_steps() {
        let board = Rate::from_counter_hz(54_000_000).unwrap();
        let (system, generic) =
            (step_half_ticks(TimeBaseWord::System, board), step_half_ticks(TimeBaseWord::Generic, board));
        assert_eq!((system, generic), (108, 2));
        assert_eq!(ns_to_half_ticks(2_136, board), 230);
        assert_eq!((in_steps(231, generic), in_steps(231, system), in_steps(107, system)), (230, 216, 0));
    }
}
