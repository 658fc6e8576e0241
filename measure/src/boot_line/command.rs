// SPDX-License-Identifier: MIT OR Apache-2.0
//! A list of commands, of the boot line or typed, and the arguments that commands have in common.

use core::fmt;
use core::str::Split;

use crate::words::{next_word, number_in};

/// One command as it stands in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// Its first word.
    pub name: &'a str,
    /// What stands behind it; empty if nothing does.
    pub arguments: &'a str,
}

/// Arguments that cannot be used: one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentError<'a> {
    /// A value that is no number in its range.
    BadNumber {
        /// The command.
        command: &'static str,
        /// The option.
        option: &'static str,
        /// What is counted, in the plural.
        what: &'static str,
        /// The least number.
        minimum: u32,
        /// The largest number.
        maximum: u32,
        /// What was given; empty if there was nothing behind the option.
        value: &'a str,
    },
    /// A word that the command does not know.
    UnknownWord {
        /// The command.
        command: &'static str,
        /// The word.
        word: &'a str,
        /// The words that it knows.
        valid: &'static str,
    },
    /// An option whose value is missing or none that it knows.
    BadValue {
        /// The command.
        command: &'static str,
        /// The option.
        option: &'static str,
        /// The values that it knows.
        valid: &'static str,
        /// What was given; empty if there was nothing behind the option.
        value: &'a str,
    },
    /// `exit` with something else than a status.
    BadStatus {
        /// What was given.
        value: &'a str,
    },
    /// A word too many.
    UnexpectedWord {
        /// The command.
        command: &'static str,
        /// The word.
        word: &'a str,
    },
}

impl fmt::Display for ArgumentError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadNumber { command, option, what, minimum, maximum, value } => {
                let value = if value.is_empty() { "missing" } else { value };
                write!(
                    f,
                    "{command}: the value of {option} is {value}; a number of {what} of {minimum} to {maximum} is expected"
                )
            }
            Self::UnknownWord { command, word, valid } => {
                write!(f, "{command}: the word {word} is unknown; valid is {valid}")
            }
            Self::BadValue { command, option, valid, value } => {
                let value = if value.is_empty() { "missing" } else { value };
                write!(f, "{command}: the value of {option} is {value}; {valid} is expected")
            }
            Self::BadStatus { value } => write!(f, "exit: the status is {value}; a number of 0 to 255 is expected"),
            Self::UnexpectedWord { command, word } => {
                write!(f, "{command}: the word {word} is not expected; nothing may follow")
            }
        }
    }
}

impl core::error::Error for ArgumentError<'_> {}

/// The commands of a list, separated by semicolons; empty ones are passed over.
#[derive(Clone, Debug)]
pub struct Commands<'a> {
    parts: Split<'a, char>,
}

/// Reads the commands of a list one after the other.
#[must_use]
pub fn commands(list: &str) -> Commands<'_> {
    Commands { parts: list.split(';') }
}

impl<'a> Iterator for Commands<'a> {
    type Item = Command<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let command = self.parts.by_ref().map(str::trim_ascii).find(|part| !part.is_empty())?;
        let (name, arguments) = command.split_once(|one: char| one.is_ascii_whitespace()).unwrap_or((command, ""));
        Some(Command { name, arguments: arguments.trim_ascii() })
    }
}

/// Whether the word `exit` stands anywhere in a boot line, be the rest as wrong as it may: whoever wrote it waits for an
/// end.
#[must_use]
pub fn asks_for_exit(line: &str) -> bool {
    line.split(|character: char| character.is_ascii_whitespace() || matches!(character, ';' | '"' | '='))
        .any(|word| word == "exit")
}

/// A number that is the value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// The command.
    pub command: &'static str,
    /// The option.
    pub option: &'static str,
    /// What is counted, in the plural.
    pub what: &'static str,
    /// The least.
    pub minimum: u32,
    /// The largest.
    pub maximum: u32,
}

impl Number {
    /// Reads it.
    ///
    /// # Errors
    /// [`ArgumentError`], whose text is one sentence, where `value` is no number in the range.
    pub fn read(self, value: &str) -> Result<u32, ArgumentError<'_>> {
        let Self { command, option, what, minimum, maximum } = self;
        let number =
            number_in(value, u64::from(minimum), u64::from(maximum)).and_then(|number| u32::try_from(number).ok());
        number.ok_or(ArgumentError::BadNumber { command, option, what, minimum, maximum, value })
    }
}

/// How often a command does what it does, by `-l`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The command.
    pub command: &'static str,
    /// What is counted, in the plural.
    pub what: &'static str,
    /// How often unless told.
    pub usual: u32,
    /// How often at the most.
    pub maximum: u32,
}

impl Times {
    /// Reads `-l` and a number, or nothing.
    ///
    /// # Errors
    /// [`ArgumentError`], whose text is one sentence.
    pub fn read<'a>(&self, arguments: &'a str) -> Result<u32, ArgumentError<'a>> {
        let Self { command, what, usual, maximum } = *self;
        let mut words = arguments.split_ascii_whitespace();
        let Some(word) = next_word(&mut words) else { return Ok(usual) };
        let attached = word.strip_prefix("-l").ok_or(ArgumentError::UnknownWord { command, word, valid: "-l" })?;
        let value = if attached.is_empty() { next_word(&mut words).unwrap_or("") } else { attached };
        let times = Number { command, option: "-l", what, minimum: 1, maximum }.read(value)?;
        nothing_more(command, next_word(&mut words))?;
        Ok(times)
    }
}

/// The status of `exit`: 0 without one.
///
/// # Errors
/// [`ArgumentError`], whose text is one sentence.
pub fn exit_status(arguments: &str) -> Result<u8, ArgumentError<'_>> {
    let mut words = arguments.split_ascii_whitespace();
    let Some(value) = next_word(&mut words) else { return Ok(0) };
    let status = number_in(value, 0, 255).and_then(|status| u8::try_from(status).ok());
    let status = status.ok_or(ArgumentError::BadStatus { value })?;
    nothing_more("exit", next_word(&mut words))?;
    Ok(status)
}

/// Refuses arguments where there are none.
///
/// # Errors
/// [`ArgumentError`], whose text is one sentence.
pub fn no_arguments<'a>(command: &'static str, arguments: &'a str) -> Result<(), ArgumentError<'a>> {
    nothing_more(command, next_word(&mut arguments.split_ascii_whitespace()))
}

/// Refuses a word where nothing may follow.
///
/// # Errors
/// [`ArgumentError`], whose text is one sentence.
pub fn nothing_more<'a>(command: &'static str, word: Option<&'a str>) -> Result<(), ArgumentError<'a>> {
    word.map_or(Ok(()), |word| Err(ArgumentError::UnexpectedWord { command, word }))
}
