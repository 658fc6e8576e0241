// SPDX-License-Identifier: MIT OR Apache-2.0
//! The words of `sweep`, and the combinations that they stand for.

use crate::boot_line::{ArgumentError, Number, TimeBaseWord};
use crate::words::next_word;

/// By which policy the measuring task runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// By priority, first come first served among equals.
    Fifo,
    /// By priority, equals in turn.
    RoundRobin,
    /// By the deadline of its job.
    EarliestDeadlineFirst,
    /// Less urgent than all but the console task.
    Background,
}

/// How it waits for its next cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodWord {
    /// For an instant that is a period behind the one before.
    Absolute,
    /// For a period from now on.
    Relative,
    /// Not at all: a periodic timer calls it.
    Callback,
}

/// How the core idles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleWord {
    /// In `WFI`.
    Wfi,
    /// In a loop.
    Spin,
}

/// One measurement of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combination {
    /// Which timer.
    pub timer: TimeBaseWord,
    /// How the core idles.
    pub idle: IdleWord,
    /// Which policy.
    pub policy: Policy,
    /// How the task waits.
    pub method: MethodWord,
}

/// A `sweep` command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepOptions {
    /// How often, in microseconds.
    pub interval_us: u32,
    /// How many cycles each measurement has.
    pub cycles: u32,
    /// One timer alone.
    pub timer: Option<TimeBaseWord>,
    /// One way to idle alone.
    pub idle: Option<IdleWord>,
}

const COMMAND: &str = "sweep";

/// The most measurements.
pub const MAX_COMBINATIONS: usize = 48;

impl SweepOptions {
    /// Reads the words behind `sweep`. The interval is at least `min_interval_us`.
    ///
    /// # Errors
    /// [`ArgumentError`], whose text is one sentence, at the first word that is unknown or whose value cannot be used.
    pub fn parse(arguments: &str, min_interval_us: u32) -> Result<Self, ArgumentError<'_>> {
        let mut options = Self { interval_us: 1_000, cycles: 1_000, timer: None, idle: None };
        let mut words = arguments.split_ascii_whitespace();
        while let Some(word) = next_word(&mut words) {
            let value = next_word(&mut words).unwrap_or("");
            let number = |option, what, minimum, maximum| {
                Number { command: COMMAND, option, what, minimum, maximum }.read(value)
            };
            match word {
                "-i" => options.interval_us = number("-i", "microseconds", min_interval_us, 1_000_000)?,
                "-l" => options.cycles = number("-l", "cycles", 1, u32::MAX)?,
                "--timer" => options.timer = Some(timer(value)?),
                "--idle" => options.idle = Some(idle(value)?),
                _ => {
                    let valid = "-i, -l, --timer, --idle";
                    return Err(ArgumentError::UnknownWord { command: COMMAND, word, valid });
                }
            }
        }
        Ok(options)
    }

    /// What is measured, in this order: timer by timer, of each way to idle by way, of each policy by policy.
    pub fn combinations(self) -> impl Iterator<Item = Combination> {
        let timers = [TimeBaseWord::System, TimeBaseWord::Generic].into_iter();
        let timers = timers.filter(move |timer| self.timer.is_none_or(|only| only == *timer));
        timers.flat_map(move |timer| {
            let idles = [IdleWord::Wfi, IdleWord::Spin].into_iter();
            let idles = idles.filter(move |idle| self.idle.is_none_or(|only| only == *idle));
            idles.flat_map(move |idle| {
                const POLICIES: [Policy; 4] =
                    [Policy::Fifo, Policy::RoundRobin, Policy::EarliestDeadlineFirst, Policy::Background];
                const METHODS: [MethodWord; 3] = [MethodWord::Absolute, MethodWord::Relative, MethodWord::Callback];
                POLICIES.into_iter().flat_map(move |policy| {
                    METHODS.into_iter().map(move |method| Combination { timer, idle, policy, method })
                })
            })
        })
    }
}

fn timer(value: &str) -> Result<TimeBaseWord, ArgumentError<'_>> {
    match value {
        "system" => Ok(TimeBaseWord::System),
        "generic" => Ok(TimeBaseWord::Generic),
        _ => Err(ArgumentError::BadValue { command: COMMAND, option: "--timer", valid: "system or generic", value }),
    }
}

fn idle(value: &str) -> Result<IdleWord, ArgumentError<'_>> {
    match value {
        "wfi" => Ok(IdleWord::Wfi),
        "spin" => Ok(IdleWord::Spin),
        _ => Err(ArgumentError::BadValue { command: COMMAND, option: "--idle", valid: "wfi or spin", value }),
    }
}

impl Policy {
    /// As cyclictest calls it, where it does.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fifo => "fifo",
            Self::RoundRobin => "rr",
            Self::EarliestDeadlineFirst => "edf",
            Self::Background => "background",
        }
    }
}

impl MethodWord {
    /// In a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Absolute => "absolute",
            Self::Relative => "relative",
            Self::Callback => "callback",
        }
    }
}

impl IdleWord {
    /// As the boot line has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wfi => "wfi",
            Self::Spin => "spin",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Combination, IdleWord, MAX_COMBINATIONS, MethodWord, Policy, SweepOptions};
    use crate::boot_line::TimeBaseWord;
    use std::string::ToString;
    use std::vec::Vec;

    #[test]
    fn all_combinations_are_measured_once() {
        let all: Vec<Combination> = SweepOptions::parse("", 20).unwrap().combinations().collect();
        assert_eq!(all.len(), MAX_COMBINATIONS);
        for (index, one) in all.iter().enumerate() {
            assert!(!all[..index].contains(one), "{one:?} twice");
        }
        // The timer changes least often.
        assert!(all[..24].iter().all(|one| one.timer == TimeBaseWord::System));
        assert_eq!(all[0].policy.name(), "fifo");
        assert_eq!((all[47].policy, all[47].method), (Policy::Background, MethodWord::Callback));
    }

    #[test]
    fn a_part_of_them_can_be_asked_for() {
        let options = SweepOptions::parse("--timer generic -i 250 --idle spin -l 7", 20).unwrap();
        assert_eq!((options.interval_us, options.cycles), (250, 7));
        let part: Vec<Combination> = options.combinations().collect();
        assert_eq!(part.len(), 12);
        assert!(part.iter().all(|one| one.timer == TimeBaseWord::Generic && one.idle == IdleWord::Spin));
    }

    #[test]
    fn what_cannot_be_used_is_refused_in_a_sentence() {
        let refused = |words: &str| SweepOptions::parse(words, 20).unwrap_err().to_string();
        assert_eq!(refused("--idle loop"), "sweep: the value of --idle is loop; wfi or spin is expected");
        assert_eq!(refused("--timer"), "sweep: the value of --timer is missing; system or generic is expected");
        assert_eq!(
            refused("-i 19"),
            "sweep: the value of -i is 19; a number of microseconds of 20 to 1000000 is expected"
        );
        assert_eq!(refused("-x"), "sweep: the word -x is unknown; valid is -i, -l, --timer, --idle");
    }
}
