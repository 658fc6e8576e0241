// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a `load` command asks for.
//!
//! | words | meaning |
//! |---|---|
//! | | list what runs |
//! | `KIND[,KIND]... [LEVEL] [-c CORE[,CORE]...]` | run these at LEVEL, 100 without, on these cores, on 0 without; at 0 stop them |
//! | `hell [-s SEED]` | random bursts of all kinds, the same from the same seed |
//! | `stop` | stop all |
//!
//! `-c all` means each core that has a task for it; the kinds that use a device run on core 0 alone.

use core::fmt;

use super::{CORES, KINDS, Kind};
use crate::boot_line::ArgumentError;
use crate::words::{next_word, number_in};

const COMMAND: &str = "load";

/// The words that may stand first.
pub(super) const WORDS: &str = "cpu memory cache tlb interrupts messages uart dma mailbox hell stop";

/// The highest level, in per cent.
const FULL: u32 = 100;

/// What a `load` command asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Tell what runs.
    List,
    /// Stop all.
    Stop,
    /// Run random bursts.
    Hell {
        /// Where the sequence begins; the clock says it unless told.
        seed: Option<u64>,
    },
    /// Set the level of some kinds on some cores.
    Set {
        /// Which, in the order of [`Kind::ALL`].
        kinds: [bool; KINDS],
        /// For how many per cent of the time.
        level: u8,
        /// Where; on all cores that have a task for it where nothing stands here.
        cores: Option<[bool; CORES]>,
    },
}

/// A `load` that cannot be done: one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderError<'a> {
    /// One of its words cannot be used.
    Argument(ArgumentError<'a>),
    /// A kind that uses a device, on another core.
    OnCore0Alone {
        /// The kind.
        kind: Kind,
    },
}

impl fmt::Display for OrderError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument(error) => error.fmt(f),
            Self::OnCore0Alone { kind } => write!(
                f,
                "load: {} uses a device, and devices belong to core 0; give it in a command of its own, with -c 0 or without -c",
                kind.name()
            ),
        }
    }
}

impl core::error::Error for OrderError<'_> {}

impl<'a> From<ArgumentError<'a>> for OrderError<'a> {
    fn from(error: ArgumentError<'a>) -> Self {
        Self::Argument(error)
    }
}

impl Order {
    /// Reads the words behind `load`.
    ///
    /// # Errors
    /// [`OrderError`], whose text is one sentence, at the first word that cannot be used.
    pub fn parse(arguments: &str) -> Result<Self, OrderError<'_>> {
        let mut words = arguments.split_ascii_whitespace();
        let Some(first) = next_word(&mut words) else { return Ok(Self::List) };
        match first {
            "stop" => nothing_more(next_word(&mut words)).map(|()| Self::Stop),
            "hell" => hell(&mut words),
            names => set(names, &mut words),
        }
    }
}

fn hell<'a>(words: &mut core::str::SplitAsciiWhitespace<'a>) -> Result<Order, OrderError<'a>> {
    let Some(word) = next_word(words) else { return Ok(Order::Hell { seed: None }) };
    let value = value_of(word, "-s", words)?;
    let bad = ArgumentError::BadValue { command: COMMAND, option: "-s", valid: "a number of 0 to 2^64 - 1", value };
    let seed = number_in(value, 0, u64::MAX).ok_or(bad)?;
    nothing_more(next_word(words))?;
    Ok(Order::Hell { seed: Some(seed) })
}

fn set<'a>(names: &'a str, words: &mut core::str::SplitAsciiWhitespace<'a>) -> Result<Order, OrderError<'a>> {
    let mut kinds = [false; KINDS];
    for name in names.split(',') {
        let kind = Kind::from_name(name);
        let kind = kind.ok_or(ArgumentError::UnknownWord { command: COMMAND, word: name, valid: WORDS })?;
        mark(&mut kinds, kind as usize);
    }
    let mut word = next_word(words);
    let mut level = 100;
    if let Some(value) = word.filter(|word| !word.starts_with('-')) {
        let number = number_in(value, 0, u64::from(FULL)).and_then(|number| u8::try_from(number).ok());
        level = number.ok_or(ArgumentError::BadNumber {
            command: COMMAND,
            option: "LEVEL",
            what: "per cent",
            minimum: 0,
            maximum: FULL,
            value,
        })?;
        word = next_word(words);
    }
    let mut cores = Some([true, false, false, false]);
    if let Some(word) = word {
        cores = read_cores(value_of(word, "-c", words)?)?;
        nothing_more(next_word(words))?;
    }
    let is_elsewhere = cores.is_none_or(|cores| cores.iter().skip(1).any(|is_meant| *is_meant));
    let mut meant = Kind::ALL.into_iter().zip(kinds).filter(|(_, is_meant)| *is_meant);
    match meant.find(|(kind, _)| is_elsewhere && kind.uses_a_device()) {
        Some((kind, _)) => Err(OrderError::OnCore0Alone { kind }),
        None => Ok(Order::Set { kinds, level, cores }),
    }
}

/// The value of the one option that may stand here.
fn value_of<'a>(
    word: &'a str,
    option: &'static str,
    words: &mut core::str::SplitAsciiWhitespace<'a>,
) -> Result<&'a str, ArgumentError<'a>> {
    let attached = word.strip_prefix(option);
    let attached = attached.ok_or(ArgumentError::UnknownWord { command: COMMAND, word, valid: option })?;
    Ok(if attached.is_empty() { next_word(words).unwrap_or("") } else { attached })
}

/// Nothing for `all`.
fn read_cores(value: &str) -> Result<Option<[bool; CORES]>, ArgumentError<'_>> {
    if value == "all" {
        return Ok(None);
    }
    let mut cores = [false; CORES];
    for number in value.split(',') {
        let core = number_in(number, 0, 3).and_then(|core| usize::try_from(core).ok());
        let valid = "all, or cores of 0 to 3 with commas between them";
        mark(&mut cores, core.ok_or(ArgumentError::BadValue { command: COMMAND, option: "-c", valid, value })?);
    }
    Ok(Some(cores))
}

fn mark(places: &mut [bool], index: usize) {
    if let Some(place) = places.get_mut(index) {
        *place = true;
    }
}

fn nothing_more(word: Option<&str>) -> Result<(), OrderError<'_>> {
    word.map_or(Ok(()), |word| Err(ArgumentError::UnexpectedWord { command: COMMAND, word }.into()))
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::{KINDS, Kind, Order, WORDS};

    fn set(kinds: &[Kind], level: u8, cores: Option<[bool; 4]>) -> Order {
        let mut marked = [false; KINDS];
        kinds.iter().for_each(|kind| marked[*kind as usize] = true);
        Order::Set { kinds: marked, level, cores }
    }

    #[test]
    fn what_is_given_is_used() {
        let core_0 = Some([true, false, false, false]);
        for (arguments, order) in [
            ("", Order::List),
            ("stop", Order::Stop),
            ("hell", Order::Hell { seed: None }),
            ("hell -s 7", Order::Hell { seed: Some(7) }),
            ("hell -s18446744073709551615", Order::Hell { seed: Some(u64::MAX) }),
            ("cpu", set(&[Kind::Cpu], 100, core_0)),
            ("cpu,memory 50", set(&[Kind::Cpu, Kind::Memory], 50, core_0)),
            ("tlb 0 -c all", set(&[Kind::Tlb], 0, None)),
            ("cache -c1,3", set(&[Kind::Cache], 100, Some([false, true, false, true]))),
            ("uart,dma,mailbox 10 -c 0", set(&[Kind::Uart, Kind::Dma, Kind::Mailbox], 10, core_0)),
        ] {
            assert_eq!(Order::parse(arguments), Ok(order), "{arguments}");
        }
    }

    #[test]
    fn what_cannot_be_used_is_refused_in_a_sentence() {
        for (arguments, sentence) in [
            (
                "disk",
                "load: the word disk is unknown; valid is cpu memory cache tlb interrupts messages uart dma mailbox hell stop",
            ),
            (
                "cpu,",
                "load: the word  is unknown; valid is cpu memory cache tlb interrupts messages uart dma mailbox hell stop",
            ),
            ("cpu 101", "load: the value of LEVEL is 101; a number of per cent of 0 to 100 is expected"),
            ("cpu 50 -s 1", "load: the word -s is unknown; valid is -c"),
            (
                "cpu -c",
                "load: the value of -c is missing; all, or cores of 0 to 3 with commas between them is expected",
            ),
            ("cpu -c 4", "load: the value of -c is 4; all, or cores of 0 to 3 with commas between them is expected"),
            ("cpu 50 -c 1 2", "load: the word 2 is not expected; nothing may follow"),
            ("stop cpu", "load: the word cpu is not expected; nothing may follow"),
            ("hell 5", "load: the word 5 is unknown; valid is -s"),
            ("hell -s x", "load: the value of -s is x; a number of 0 to 2^64 - 1 is expected"),
            (
                "cpu,dma -c all",
                "load: dma uses a device, and devices belong to core 0; give it in a command of its own, with -c 0 or without -c",
            ),
        ] {
            assert_eq!(Order::parse(arguments).unwrap_err().to_string(), sentence, "{arguments}");
        }
    }

    #[test]
    fn the_words_are_the_kinds_and_two_more() {
        let names: std::vec::Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).chain(["hell", "stop"]).collect();
        assert_eq!(names.join(" "), WORDS);
    }
}
