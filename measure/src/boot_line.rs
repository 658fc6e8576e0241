// SPDX-License-Identifier: MIT OR Apache-2.0
//! takt's words in the kernel command line.
//!
//! The line comes from `cmdline.txt` on a board, where the firmware adds many words of its own
//! (`coherent_pool=1M 8250.nr_uarts=1 …`), and from `-append` in QEMU. So a word that is not takt's is not an error:
//! nobody can tell a misspelt key from the firmware's. A word that *is* takt's must have a value takt can use.
//!
//! | word | meaning |
//! |---|---|
//! | `autorun="latency -l 1000; exit"` | commands to run after start, [`commands`] |
//! | `idle=spin` or `idle=wfi` | what a core does when no task is ready |
//! | `icount=N` | 0 to 10: QEMU counts instructions with this shift, says who started it |
//! | `timebase=system` or `timebase=generic` | the timer of core 0 |
//!
//! A value with blanks stands in double quotes; see [`boot_words`](crate::kernel::boot_words). `idle` and `timebase` are
//! heeded by takt's start, which refuses nothing; a value that it cannot use is refused here.

mod command;

pub use command::{
    ArgumentError, Command, Commands, Number, Times, asks_for_exit, commands, exit_status, no_arguments, nothing_more,
};

use core::fmt;

use crate::kernel::boot_words::{BootWords, Word};
use crate::words::number_in;

/// The largest shift QEMU's `-icount` takes.
const MAX_ICOUNT: u64 = 10;

/// What a core does when no task is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// Runs in a loop: the next interrupt finds it awake.
    Spin,
    /// Waits for an interrupt, with the `WFI` instruction.
    Wfi,
}

/// The timer that the line asks for on core 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeBaseWord {
    /// The BCM2711 system timer.
    System,
    /// The core's generic timer.
    Generic,
}

/// takt's words, as far as they were given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BootLine<'a> {
    /// The commands to run after start, without their quotes.
    pub autorun: Option<&'a str>,
    /// What a core does when no task is ready.
    pub idle: Option<Idle>,
    /// The shift of QEMU's instruction counter.
    pub icount: Option<u8>,
    /// The timer of core 0.
    pub time_base: Option<TimeBaseWord>,
}

/// A word of takt's that cannot be used: one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BootLineError<'a> {
    /// The value is none of the valid ones.
    BadValue {
        /// The key.
        key: &'static str,
        /// The value as given; empty if there is none.
        value: &'a str,
        /// The valid ones, in words.
        valid: &'static str,
    },
    /// A quote is opened and never closed.
    OpenQuote {
        /// The key whose value it opens.
        key: &'static str,
    },
    /// A key is given more than once.
    Twice {
        /// The key.
        key: &'static str,
    },
}

impl fmt::Display for BootLineError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("boot line: ")?;
        match self {
            Self::BadValue { key, value: "", valid } => {
                write!(f, "the value of {key} is missing; {valid} is expected")
            }
            Self::BadValue { key, value, valid } => write!(f, "the value of {key} is {value}; {valid} is expected"),
            Self::OpenQuote { key } => write!(f, "the value of {key} opens a quote (\") that nothing closes"),
            Self::Twice { key } => write!(f, "{key} is given twice; it is expected once"),
        }
    }
}

impl core::error::Error for BootLineError<'_> {}

impl<'a> BootLine<'a> {
    /// Finds takt's words in a whole kernel command line.
    ///
    /// # Errors
    ///
    /// [`BootLineError`], whose text is one sentence, at the first word of takt's that cannot be used.
    pub fn parse(line: &'a str) -> Result<Self, BootLineError<'a>> {
        let mut boot_line = Self::default();
        for word in BootWords::new(line) {
            match word.key {
                "autorun" => set(&mut boot_line.autorun, "autorun", "a list of commands", &word, Some)?,
                "idle" => set(&mut boot_line.idle, "idle", "spin or wfi", &word, idle)?,
                "icount" => set(&mut boot_line.icount, "icount", "a shift of 0 to 10", &word, icount)?,
                "timebase" => set(&mut boot_line.time_base, "timebase", "system or generic", &word, time_base)?,
                _ => {}
            }
        }
        Ok(boot_line)
    }
}

/// Sets what `word` gives, once.
fn set<'a, T>(
    place: &mut Option<T>,
    key: &'static str,
    valid: &'static str,
    word: &Word<'a>,
    read: fn(&'a str) -> Option<T>,
) -> Result<(), BootLineError<'a>> {
    if word.open_quote {
        return Err(BootLineError::OpenQuote { key });
    }
    if place.is_some() {
        return Err(BootLineError::Twice { key });
    }
    let value = word.value.unwrap_or("");
    *place = Some(word.value.and_then(read).ok_or(BootLineError::BadValue { key, value, valid })?);
    Ok(())
}

fn idle(value: &str) -> Option<Idle> {
    match value {
        "spin" => Some(Idle::Spin),
        "wfi" => Some(Idle::Wfi),
        _ => None,
    }
}

fn icount(value: &str) -> Option<u8> {
    number_in(value, 0, MAX_ICOUNT).and_then(|shift| u8::try_from(shift).ok())
}

fn time_base(value: &str) -> Option<TimeBaseWord> {
    match value {
        "system" => Some(TimeBaseWord::System),
        "generic" => Some(TimeBaseWord::Generic),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
