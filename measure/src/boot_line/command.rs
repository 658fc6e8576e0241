// SPDX-License-Identifier: MIT OR Apache-2.0
//! The commands of `autorun`.

use core::fmt;
use core::str::{Split, SplitAsciiWhitespace};

use crate::words::{next_word, number_in};

/// How many cycles `bench` runs unless told.
const USUAL_BENCH_CYCLES: u32 = 10_000;
/// How many it runs at the most: a few minutes.
const MAX_BENCH_CYCLES: u32 = 1_000_000;
/// How many rounds `wake` has for each pair of cores, at the most and unless told.
pub const MAX_WAKE_ROUNDS: u32 = 1_000;

/// One command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// Measure; [`LatencyOptions::parse`](crate::options::LatencyOptions::parse) reads the arguments.
    Latency {
        /// The words after the command.
        arguments: &'a str,
    },
    /// Run the benchmarks.
    Bench {
        /// How many cycles each runs: 10,000 if none are given.
        cycles: u32,
    },
    /// Measure how each core wakes a task of each.
    Wake {
        /// How many times: 1,000 if no number is given.
        rounds: u32,
    },
    /// Stop: with this status in QEMU, by halting on a board.
    Exit {
        /// 0 if none is given.
        status: u8,
    },
    /// Print what the event ring holds.
    Trace,
    /// Print what is known about board, clocks and image.
    Info,
    /// Print the commands.
    Help,
}

/// A command that cannot be run: one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandError<'a> {
    /// There is no such command.
    Unknown {
        /// The word in its place.
        word: &'a str,
    },
    /// `bench` or `wake` with something else than a number of cycles.
    BadCycles {
        /// The command.
        command: &'static str,
        /// The largest number.
        maximum: u32,
        /// What was given; empty if there was nothing behind `-l`.
        value: &'a str,
    },
    /// `bench` or `wake` with a word that it does not know.
    UnknownWord {
        /// The command.
        command: &'static str,
        /// The word.
        word: &'a str,
    },
    /// `exit` with something else than a status.
    BadStatus {
        /// What was given.
        value: &'a str,
    },
    /// A word after a command that takes none (or no more).
    UnexpectedWord {
        /// The command.
        command: &'static str,
        /// The first word too many.
        word: &'a str,
    },
}

impl fmt::Display for CommandError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { word } => {
                write!(f, "the command {word} is unknown; valid are latency, bench, wake, trace, info, help and exit")
            }
            Self::BadCycles { command, maximum, value } => {
                let value = if value.is_empty() { "missing" } else { value };
                write!(f, "{command}: the value of -l is {value}; a number of cycles of 1 to {maximum} is expected")
            }
            Self::UnknownWord { command, word } => write!(f, "{command}: the word {word} is unknown; valid is -l"),
            Self::BadStatus { value } => write!(f, "exit: the status is {value}; a number of 0 to 255 is expected"),
            Self::UnexpectedWord { command, word } => {
                write!(f, "{command}: the word {word} is not expected; nothing may follow")
            }
        }
    }
}

impl core::error::Error for CommandError<'_> {}

/// The commands of a list, separated by semicolons; empty ones are passed over.
#[derive(Clone, Debug)]
pub struct Commands<'a> {
    parts: Split<'a, char>,
}

/// Reads the commands of a list one after the other, each or why it cannot be run.
#[must_use]
pub fn commands(list: &str) -> Commands<'_> {
    Commands { parts: list.split(';') }
}

impl<'a> Iterator for Commands<'a> {
    type Item = Result<Command<'a>, CommandError<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let command = self.parts.by_ref().map(str::trim_ascii).find(|part| !part.is_empty())?;
        Some(Command::parse(command))
    }
}

impl<'a> Command<'a> {
    /// Reads one command with its arguments.
    ///
    /// # Errors
    ///
    /// [`CommandError`], whose text is one sentence. The arguments of `latency` are not looked at.
    pub fn parse(command: &'a str) -> Result<Self, CommandError<'a>> {
        let command = command.trim_ascii();
        let (name, arguments) =
            command.split_once(|character: char| character.is_ascii_whitespace()).unwrap_or((command, ""));
        let mut words = arguments.split_ascii_whitespace();
        let (name, parsed) = match name {
            "latency" => return Ok(Self::Latency { arguments: arguments.trim_ascii() }),
            "bench" => {
                ("bench", Self::Bench { cycles: cycles("bench", &mut words, USUAL_BENCH_CYCLES, MAX_BENCH_CYCLES)? })
            }
            "wake" => ("wake", Self::Wake { rounds: cycles("wake", &mut words, MAX_WAKE_ROUNDS, MAX_WAKE_ROUNDS)? }),
            "exit" => ("exit", Self::Exit { status: next_word(&mut words).map_or(Ok(0), status)? }),
            "trace" => ("trace", Self::Trace),
            "info" => ("info", Self::Info),
            "help" => ("help", Self::Help),
            word => return Err(CommandError::Unknown { word }),
        };
        match next_word(&mut words) {
            Some(word) => Err(CommandError::UnexpectedWord { command: name, word }),
            None => Ok(parsed),
        }
    }
}

/// Whether the word `exit` stands anywhere in a boot line, be the rest as wrong as it may: whoever wrote it waits for an
/// end.
#[must_use]
pub fn asks_for_exit(line: &str) -> bool {
    line.split(|character: char| character.is_ascii_whitespace() || matches!(character, ';' | '"' | '='))
        .any(|word| word == "exit")
}

/// `-l` and a number, or nothing.
fn cycles<'a>(
    command: &'static str,
    words: &mut SplitAsciiWhitespace<'a>,
    usual: u32,
    maximum: u32,
) -> Result<u32, CommandError<'a>> {
    let Some(word) = next_word(words) else { return Ok(usual) };
    let attached = word.strip_prefix("-l").ok_or(CommandError::UnknownWord { command, word })?;
    let value = if attached.is_empty() { next_word(words).unwrap_or("") } else { attached };
    let cycles = number_in(value, 1, u64::from(maximum)).and_then(|cycles| u32::try_from(cycles).ok());
    cycles.ok_or(CommandError::BadCycles { command, maximum, value })
}

fn status(value: &str) -> Result<u8, CommandError<'_>> {
    let status = number_in(value, 0, 255).and_then(|status| u8::try_from(status).ok());
    status.ok_or(CommandError::BadStatus { value })
}
