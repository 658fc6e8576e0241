// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a `latency` command cannot be run: one sentence each.

use super::table;
use crate::boot_line::TimeBaseWord;
use core::fmt;

/// What runs the image that measures on every core.
const FOUR_CORES: &str = "make run IMAGE=takt-four-cores";

/// What is wrong with a `latency` command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionError<'a> {
    /// A word that is not an option.
    UnknownWord {
        /// The word as given.
        word: &'a str,
    },
    /// An option at the end of the command that needs a value.
    MissingValue {
        /// The option.
        option: &'static str,
        /// What its value has to be.
        expected: Expected,
    },
    /// A value that is not a number, or out of range.
    BadValue {
        /// The option.
        option: &'static str,
        /// The value as given.
        value: &'a str,
        /// What it has to be.
        expected: Expected,
    },
    /// A value attached to an option that takes none.
    NeedlessValue {
        /// The option.
        option: &'static str,
        /// The value as given.
        value: &'a str,
    },
    /// An option that needs the event ring, which the image does not have.
    NoEventRing {
        /// The option.
        option: &'static str,
    },
    /// One thread on each core was asked for, and all are on core 0.
    OneCore {
        /// The option.
        option: &'static str,
    },
    /// A thread was asked for on a core where the image does not have it.
    Elsewhere {
        /// The option.
        option: &'static str,
        /// The thread, from 0.
        thread: u32,
        /// The core that was asked for.
        wanted: u8,
        /// The core that it is on.
        core: u8,
    },
    /// The timer is fixed when the image starts, and another one was asked for.
    OtherSource {
        /// The option.
        option: &'static str,
        /// The one that was asked for.
        wanted: TimeBaseWord,
    },
    /// More is to be printed while the threads measure than the serial line carries.
    LineTooSlow {
        /// How many bytes a second that is.
        bytes_per_s: u64,
        /// How many it carries.
        line_bytes_per_s: u32,
        /// The smallest value of `-o` with which it would.
        of: u64,
    },
    /// Two things that exclude each other.
    Conflict {
        /// What was asked for.
        option: &'static str,
        /// What it needs instead of what was given.
        needs: &'static str,
    },
    /// `--priospread` gives the last thread no priority.
    LastPriority {
        /// The last thread, from 0.
        thread: u32,
        /// The priority of the first.
        priority: u8,
    },
    /// The distance makes the interval of the last thread too long.
    LastInterval {
        /// The last thread, from 0.
        thread: u32,
        /// The interval it would have, in microseconds.
        interval_us: u64,
        /// The longest there is, in microseconds.
        max_interval_us: u32,
    },
}

/// What the value of an option has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A number in a range, both ends included.
    Range {
        /// What it is, with its article.
        what: &'static str,
        /// The smallest.
        minimum: u64,
        /// The largest.
        maximum: u64,
        /// Its unit, with a blank before it; may be empty.
        unit: &'static str,
    },
    /// Any number of cycles.
    Loops,
    /// A duration.
    Duration {
        /// The longest, in seconds.
        maximum_s: u64,
    },
    /// A set of cores.
    Cores,
    /// Where latency is taken.
    Stages,
    /// A timer.
    Source,
    /// What a report looks like.
    Format,
}

impl fmt::Display for OptionError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("latency: ")?;
        match self {
            Self::UnknownWord { word } => {
                write!(f, "the word {word} is unknown; valid are")?;
                table::NAMES.iter().try_for_each(|name| write!(f, " {name}"))
            }
            Self::MissingValue { option, expected } => {
                write!(f, "the value of {option} is missing; {expected} is expected")
            }
            Self::BadValue { option, value: "", expected } => {
                write!(f, "the value of {option} is empty; {expected} is expected")
            }
            Self::BadValue { option, value, expected } => {
                write!(f, "the value of {option} is {value}; {expected} is expected")
            }
            Self::NeedlessValue { option, value } => write!(f, "{option} is given {value}, but takes no value"),
            Self::NoEventRing { option } => {
                write!(f, "{option} needs an image that records events; make run EVENT_RING=1 builds one")
            }
            Self::OneCore { option } => {
                write!(f, "{option} needs an image that measures on each core; {FOUR_CORES} runs one")
            }
            Self::Elsewhere { option, thread, wanted, core } => write!(
                f,
                "{option} puts thread {thread} on core {wanted}, but this image has it on core {core}; in the image of \
                 {FOUR_CORES} thread n is on core n"
            ),
            Self::OtherSource { option, wanted } => {
                let (wanted, word) = match wanted {
                    TimeBaseWord::System => ("system", "timebase=system"),
                    TimeBaseWord::Generic => ("generic", "timebase=generic"),
                };
                write!(
                    f,
                    "{option} asks for the {wanted} timer, which is not the one of this run; boot with the word {word}"
                )
            }
            Self::LineTooSlow { bytes_per_s, line_bytes_per_s, of } => write!(
                f,
                "-v would print {bytes_per_s} bytes a second, but the serial line carries {line_bytes_per_s}; give -o {of}, a \
                 longer interval, or fewer threads"
            ),
            Self::Conflict { option, needs } => write!(f, "{option} needs {needs}"),
            Self::LastPriority { thread, priority } => write!(
                f,
                "--priospread leaves thread {thread} no priority, below {priority} for the first; give a higher -p"
            ),
            Self::LastInterval { thread, interval_us, max_interval_us } => write!(
                f,
                "the distance gives thread {thread} an interval of {interval_us} us; at most {max_interval_us} us is \
                 expected"
            ),
        }
    }
}

impl core::error::Error for OptionError<'_> {}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range { what, minimum, maximum, unit } => write!(f, "{what} of {minimum} to {maximum}{unit}"),
            Self::Loops => f.write_str("a number of cycles (0 for endless)"),
            Self::Duration { maximum_s } => {
                write!(f, "a number of seconds, or with m, h or d of minutes, hours or days, up to {maximum_s} s,")
            }
            Self::Cores => f.write_str("a set of cores such as 0-3 or 0,2"),
            Self::Stages => f.write_str("handler, task, done or several with commas"),
            Self::Source => f.write_str("system or generic"),
            Self::Format => f.write_str("cyclictest, cyclictest-2.7, xenomai or json"),
        }
    }
}
