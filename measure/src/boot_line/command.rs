// SPDX-License-Identifier: MIT OR Apache-2.0
//! The commands of `autorun`.

use core::fmt;
use core::str::{Split, SplitAsciiWhitespace};

/// How many cycles `bench` runs unless told.
const USUAL_BENCH_CYCLES: u32 = 10_000;
/// How many it runs at the most: a few minutes.
const MAX_BENCH_CYCLES: u32 = 1_000_000;

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
    /// `bench` with something else than a number of cycles.
    BadCycles {
        /// What was given; empty if there was nothing behind `-l`.
        value: &'a str,
    },
    /// `bench` with a word that it does not know.
    UnknownWord {
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
                write!(f, "the command {word} is unknown; valid are latency, bench, trace, info, help and exit")
            }
            Self::BadCycles { value: "" } => {
                write!(
                    f,
                    "bench: the value of -l is missing; a number of cycles of 1 to {MAX_BENCH_CYCLES} is expected"
                )
            }
            Self::BadCycles { value } => {
                write!(
                    f,
                    "bench: the value of -l is {value}; a number of cycles of 1 to {MAX_BENCH_CYCLES} is expected"
                )
            }
            Self::UnknownWord { word } => write!(f, "bench: the word {word} is unknown; valid is -l"),
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
            "bench" => ("bench", Self::Bench { cycles: bench_cycles(&mut words)? }),
            "exit" => ("exit", Self::Exit { status: words.next().map_or(Ok(0), status)? }),
            "trace" => ("trace", Self::Trace),
            "info" => ("info", Self::Info),
            "help" => ("help", Self::Help),
            word => return Err(CommandError::Unknown { word }),
        };
        match words.next() {
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

fn bench_cycles<'a>(words: &mut SplitAsciiWhitespace<'a>) -> Result<u32, CommandError<'a>> {
    let Some(word) = words.next() else { return Ok(USUAL_BENCH_CYCLES) };
    let attached = word.strip_prefix("-l").ok_or(CommandError::UnknownWord { word })?;
    let value = if attached.is_empty() { words.next().unwrap_or("") } else { attached };
    let cycles = value.parse().ok().filter(|cycles| (1..=MAX_BENCH_CYCLES).contains(cycles));
    cycles.ok_or(CommandError::BadCycles { value })
}

fn status(value: &str) -> Result<u8, CommandError<'_>> {
    value.parse().map_err(|_| CommandError::BadStatus { value })
}
