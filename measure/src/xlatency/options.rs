// SPDX-License-Identifier: MIT OR Apache-2.0
//! The options of `xlatency`, which mean what they mean in Xenomai's `latency`.
//!
//! | option | meaning | default |
//! |---|---|---|
//! | `-t N` | 0 and 1: at the task's first statement; 2: at the interrupt handler's | 0 |
//! | `-p US` | the period | 1000 |
//! | `-T S` | for how many seconds; 0 until Ctrl-C | 0 |
//! | `-P N` | the priority, 1 to 99; takt's is 100 less that | 99 |
//! | `-c CORE` | on which core | that of slot 0 |
//! | `-h` | histograms, and statistics of them | no |
//! | `-s` | the statistics alone | no |
//! | `-g` | the histogram of all samples as a file for gnuplot, on the console | no |
//! | `-H N`, `-B NS` | how many buckets a histogram has, and how wide they are | 300, 1000 |
//! | `-l N` | after how many lines the header comes again; 0 for never | 21 |
//! | `-q` | with `-T`: nothing but the last line | no |
//! | `-m US` | the run fails if a sample is above it | |
//!
//! A value is attached (`-p100`) or follows (`-p 100`).

use crate::boot_line::{ArgumentError, Number};
use crate::kernel::report::xenomai::Mode;
use crate::words::next_word;

const COMMAND: &str = "xlatency";

/// The valid words.
const VALID: &str = "-t -p -T -P -c -h -s -g -H -B -l -q -m";

/// What is to be measured, and shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XenomaiOptions {
    /// Where.
    pub mode: Mode,
    /// How often, in microseconds.
    pub period_us: u32,
    /// For how many seconds; for ever without.
    pub duration_s: Option<u64>,
    /// The priority as given and printed: 1 to 99, larger is more urgent.
    pub priority: u8,
    /// On which core, if that was said.
    pub core: Option<u8>,
    /// Whether histograms are printed.
    pub histograms: bool,
    /// Whether the statistics are.
    pub statistics: bool,
    /// Whether the file for gnuplot is.
    pub gnuplot: bool,
    /// How many buckets a histogram has.
    pub buckets: u32,
    /// How wide they are, in nanoseconds.
    pub bucket_ns: u32,
    /// After how many lines the header comes again; never where it is 0.
    pub header_lines: u64,
    /// Whether nothing but the last line is printed.
    pub quiet: bool,
    /// The sample above which the run has failed, in microseconds.
    pub max_us: Option<u32>,
}

impl XenomaiOptions {
    /// Those that hold where nothing else is said.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            mode: Mode::UserTask,
            period_us: 1_000,
            duration_s: None,
            priority: 99,
            core: None,
            histograms: false,
            statistics: false,
            gnuplot: false,
            buckets: 300,
            bucket_ns: 1_000,
            header_lines: 21,
            quiet: false,
            max_us: None,
        }
    }

    /// Reads the words behind `xlatency`. The period is at least `min_period_us`.
    ///
    /// # Errors
    /// [`ArgumentError`], whose text is one sentence, at the first word that is unknown or whose value cannot be used.
    pub fn parse(arguments: &str, min_period_us: u32) -> Result<Self, ArgumentError<'_>> {
        let mut options = Self::new();
        let mut words = arguments.split_ascii_whitespace();
        while let Some(word) = next_word(&mut words) {
            let mut rest = word.strip_prefix('-').filter(|rest| !rest.is_empty()).ok_or(unknown(word))?;
            while let Some(letter) = rest.chars().next() {
                rest = rest.get(letter.len_utf8()..).unwrap_or("");
                if options.set_flag(letter) {
                    continue;
                }
                let range = range(letter, min_period_us).ok_or(unknown(word))?;
                let value = if rest.is_empty() { next_word(&mut words).unwrap_or("") } else { rest };
                options.set(letter, range.read(value)?);
                break;
            }
        }
        if options.quiet && options.duration_s.is_none() {
            // As Xenomai: a run that ends by Ctrl-C alone shows its lines.
            options.quiet = false;
        }
        Ok(options)
    }

    /// Whether it is one.
    fn set_flag(&mut self, letter: char) -> bool {
        match letter {
            'h' => (self.histograms, self.statistics) = (true, true),
            's' => self.statistics = true,
            'g' => self.gnuplot = true,
            'q' => self.quiet = true,
            _ => return false,
        }
        true
    }

    /// The number is in its range.
    fn set(&mut self, letter: char, number: u32) {
        let byte = u8::try_from(number).unwrap_or(u8::MAX);
        match letter {
            't' => self.mode = Mode::from_number(number).unwrap_or(Mode::UserTask),
            'p' => self.period_us = number,
            'T' => self.duration_s = Some(u64::from(number)).filter(|seconds| *seconds > 0),
            'P' => self.priority = byte,
            'c' => self.core = Some(byte),
            'H' => self.buckets = number,
            'B' => self.bucket_ns = number,
            'l' => self.header_lines = u64::from(number),
            _ => self.max_us = Some(number),
        }
    }
}

impl Default for XenomaiOptions {
    fn default() -> Self {
        Self::new()
    }
}

fn range(letter: char, min_period_us: u32) -> Option<Number> {
    let (option, what, minimum, maximum) = match letter {
        't' => ("-t", "the test mode", 0, 2),
        'p' => ("-p", "microseconds", min_period_us, 1_000_000),
        'T' => ("-T", "seconds", 0, 365 * 86_400),
        'P' => ("-P", "the priority", 1, 99),
        'c' => ("-c", "the core", 0, 3),
        'H' => ("-H", "buckets", 1, 100_000),
        'B' => ("-B", "nanoseconds", 1, 1_000_000),
        'l' => ("-l", "lines", 0, u32::MAX),
        'm' => ("-m", "microseconds", 1, 10_000_000),
        _ => return None,
    };
    Some(Number { command: COMMAND, option, what, minimum, maximum })
}

fn unknown(word: &str) -> ArgumentError<'_> {
    ArgumentError::UnknownWord { command: COMMAND, word, valid: VALID }
}

#[cfg(test)]
mod tests;
