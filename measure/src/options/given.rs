// SPDX-License-Identifier: MIT OR Apache-2.0
//! From words to options, one word at a time.

use super::affinity::{self, CoreSet};
use super::note::Notes;
use super::table::{self, Argument, Key, Spec};
use super::value::{duration_s, format, number, source, stages};
use super::{Expected, Format, LatencyOptions, Limits, Note, OptionError, Stages, TimeBaseWord, together};
use crate::words::{next_word, number_in};
use core::str::SplitAsciiWhitespace;

/// A value with the option it was given to, for an error that is found later.
#[derive(Clone, Copy)]
struct Raw<'a> {
    option: &'static str,
    value: &'a str,
}

/// What was given so far.
pub(super) struct Given<'a> {
    options: LatencyOptions,
    distance_us: Option<u32>,
    rows: Option<Raw<'a>>,
    /// The cores that were asked for, and by which option.
    affinity: Option<(&'static str, CoreSet)>,
    /// The timer that was asked for, and by which option.
    source: Option<(&'static str, TimeBaseWord)>,
}

impl<'a> Given<'a> {
    /// Nothing: the defaults.
    pub(super) fn new() -> Self {
        let options = LatencyOptions {
            interval_us: 1_000,
            distance_us: 500,
            loops: None,
            duration_s: None,
            priority: 80,
            histogram_rows: None,
            sum_column: false,
            quiet: false,
            nanoseconds: false,
            threads: 1,
            smp: false,
            aligned_us: None,
            priority_spread: false,
            verbose: false,
            of: 1,
            break_us: None,
            spike_us: None,
            spike_nodes: 1_024,
            refresh_on_maximum: false,
            resolution: false,
            stages: Stages { handler: false, task: true, done: false },
            format: Format::Cyclictest,
            max_us: None,
            percentiles: false,
            explain: false,
            freeze_on_maximum: false,
            notes: Notes::default(),
        };
        Self { options, distance_us: None, rows: None, affinity: None, source: None }
    }

    /// A word that starts with two dashes, without them.
    pub(super) fn take_long(
        &mut self,
        word: &'a str,
        long: &'a str,
        words: &mut SplitAsciiWhitespace<'a>,
        limits: &Limits,
    ) -> Result<(), OptionError<'a>> {
        let (name, attached) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (long, None),
        };
        let (spec, option) = table::find_long(name).ok_or(OptionError::UnknownWord { word })?;
        if let (Argument::None, Some(value)) = (spec.argument, attached) {
            return Err(OptionError::NeedlessValue { option, value });
        }
        self.take(spec, option, attached, words, limits)
    }

    /// A word that starts with one dash, without it: flags, and at most one option with a value at its end.
    pub(super) fn take_short(
        &mut self,
        word: &'a str,
        short: &'a str,
        words: &mut SplitAsciiWhitespace<'a>,
        limits: &Limits,
    ) -> Result<(), OptionError<'a>> {
        let mut rest = short.chars();
        while let Some(letter) = rest.next() {
            let (spec, option) = table::find_short(letter).ok_or(OptionError::UnknownWord { word })?;
            if let Argument::None = spec.argument {
                self.take(spec, option, None, words, limits)?;
                continue;
            }
            let attached = Some(rest.as_str()).filter(|value| !value.is_empty());
            return self.take(spec, option, attached, words, limits);
        }
        Ok(())
    }

    /// One option; its value is attached or, if it takes one, the next word.
    fn take(
        &mut self,
        spec: &Spec,
        option: &'static str,
        attached: Option<&'a str>,
        words: &mut SplitAsciiWhitespace<'a>,
        limits: &Limits,
    ) -> Result<(), OptionError<'a>> {
        let value = match spec.argument {
            Argument::None => return self.set_flag(spec.key, option, limits),
            Argument::Required => attached.or_else(|| next_word(words)),
            Argument::Optional => attached.or_else(|| next_number(words)),
        };
        match (value, spec.argument) {
            (Some(value), _) => self.set(spec.key, Raw { option, value }, limits),
            (None, Argument::Optional) => self.set_flag(spec.key, option, limits),
            (None, _) => Err(OptionError::MissingValue { option, expected: self.expected(spec.key, limits) }),
        }
    }

    fn set_flag(&mut self, key: Key, option: &'static str, limits: &Limits) -> Result<(), OptionError<'a>> {
        let options = &mut self.options;
        match key {
            Key::Quiet => options.quiet = true,
            Key::Nanoseconds => options.nanoseconds = true,
            Key::Threads => options.threads = limits.max_threads,
            Key::Smp => {
                (options.smp, options.threads) = (true, limits.max_threads);
                self.affinity = Some((option, CoreSet::ALL));
            }
            Key::Affinity => self.affinity = Some((option, CoreSet::ALL)),
            Key::Aligned => options.aligned_us = Some(0),
            Key::PrioritySpread => options.priority_spread = true,
            Key::Verbose => options.verbose = true,
            Key::RefreshOnMaximum => options.refresh_on_maximum = true,
            Key::Resolution => options.resolution = true,
            Key::Percentiles => options.percentiles = true,
            Key::Explain => options.explain = true,
            Key::FreezeOnMaximum if !limits.has_event_ring => return Err(OptionError::NoEventRing { option }),
            Key::FreezeOnMaximum => options.freeze_on_maximum = true,
            Key::LockMemory => options.notes.add(Note::LockMemory),
            Key::Nanosleep => options.notes.add(Note::Nanosleep),
            // All others take a value and do not come here.
            _ => {}
        }
        Ok(())
    }

    fn set(&mut self, key: Key, raw: Raw<'a>, limits: &Limits) -> Result<(), OptionError<'a>> {
        let expected = self.expected(key, limits);
        let Raw { option, value } = raw;
        let unusable = OptionError::BadValue { option, value, expected };
        let whole = || number(value, expected).ok_or(unusable);
        let whole_u32 = || whole().and_then(|number| u32::try_from(number).map_err(|_| unusable));
        let options = &mut self.options;
        match key {
            Key::Interval => options.interval_us = whole_u32()?,
            Key::Distance => self.distance_us = Some(whole_u32()?),
            Key::Loops => options.loops = Some(whole()?).filter(|&loops| loops > 0),
            Key::Duration => {
                let seconds = duration_s(value, limits.max_duration_s).ok_or(unusable)?;
                options.duration_s = Some(seconds).filter(|&seconds| seconds > 0);
            }
            Key::Priority => options.priority = u8::try_from(whole()?).map_err(|_| unusable)?,
            // The range is checked at the end: it depends on `-N`, which may still come.
            Key::Histogram | Key::HistogramOfAll => {
                number_in(value, 0, u64::MAX).ok_or(unusable)?;
                self.rows = Some(raw);
                options.sum_column |= key == Key::HistogramOfAll;
            }
            Key::Threads => options.threads = whole_u32()?,
            Key::Affinity => self.affinity = Some((option, CoreSet::read(value).ok_or(unusable)?)),
            Key::Aligned => options.aligned_us = Some(whole_u32()?),
            Key::Of => options.of = whole_u32()?,
            Key::Break => options.break_us = Some(whole_u32()?),
            Key::Spike => options.spike_us = Some(whole_u32()?),
            Key::SpikeNodes => options.spike_nodes = whole_u32()?,
            Key::MaximumUs => options.max_us = Some(whole_u32()?),
            Key::Source => self.source = Some((option, source(value).ok_or(unusable)?)),
            Key::Stage => options.stages = stages(value).ok_or(unusable)?,
            Key::Format => options.format = format(value).ok_or(unusable)?,
            // The others are flags and do not come here.
            _ => {}
        }
        Ok(())
    }

    /// What the value of an option has to be.
    fn expected(&self, key: Key, limits: &Limits) -> Expected {
        let range = |what, minimum: u32, maximum: u32, unit| Expected::Range {
            what,
            minimum: u64::from(minimum),
            maximum: u64::from(maximum),
            unit,
        };
        match key {
            Key::Interval => range("an interval", limits.min_interval_us, limits.max_interval_us, " us"),
            Key::Distance => range("a distance", 0, limits.max_interval_us, " us"),
            Key::Priority => range("a priority", u32::from(limits.min_priority), u32::from(limits.max_priority), ""),
            Key::Threads => range("a number", 1, limits.max_threads, ""),
            Key::Affinity => Expected::Cores,
            Key::Aligned => range("an offset", 0, limits.max_interval_us, " us"),
            Key::Histogram | Key::HistogramOfAll if self.options.nanoseconds => {
                range("a histogram", 1, limits.max_histogram_ticks, " counter ticks")
            }
            Key::Histogram | Key::HistogramOfAll => range("a histogram", 1, limits.max_histogram_us, " us"),
            Key::Duration => Expected::Duration { maximum_s: limits.max_duration_s },
            Key::Of => range("a number of samples", 1, u32::MAX, ""),
            Key::Break | Key::Spike | Key::MaximumUs => range("a latency", 1, limits.max_interval_us, " us"),
            Key::SpikeNodes => range("a number", 1, limits.max_spikes, ""),
            Key::Stage => Expected::Stages,
            Key::Source => Expected::Source,
            Key::Format => Expected::Format,
            // The others are flags, whose value nobody asks for.
            _ => Expected::Loops,
        }
    }

    /// What can be decided only when all words are known.
    pub(super) fn finish(mut self, limits: &Limits) -> Result<LatencyOptions, OptionError<'a>> {
        if let Some(Raw { option, value }) = self.rows {
            let expected = self.expected(Key::Histogram, limits);
            let rows = number(value, expected).and_then(|rows| u32::try_from(rows).ok());
            self.options.histogram_rows = Some(rows.ok_or(OptionError::BadValue { option, value, expected })?);
        }
        let mut options = self.options;
        match (self.distance_us, options.histogram_rows) {
            (given, Some(_)) => {
                options.distance_us = 0;
                if given.is_some_and(|distance_us| distance_us > 0) {
                    options.notes.add(Note::NoDistance);
                }
            }
            (Some(distance_us), None) => options.distance_us = distance_us,
            (None, None) => {}
        }
        if options.loops.is_none() && options.duration_s.is_none() {
            options.notes.add(Note::Endless);
        }
        if let Some((option, set)) = self.affinity {
            affinity::check(option, set, &options, limits)?;
        }
        if options.freeze_on_maximum && limits.cores.iter().any(|&core| core > 0) {
            options.notes.add(Note::FreezeOfCore0);
        }
        if let Some((option, wanted)) = self.source.filter(|(_, wanted)| *wanted != limits.source) {
            return Err(OptionError::OtherSource { option, wanted });
        }
        together::check(&options, limits)?;
        Ok(options)
    }
}

/// Takes the next word if it starts like a number.
fn next_number<'a>(words: &mut SplitAsciiWhitespace<'a>) -> Option<&'a str> {
    let mut behind = words.clone();
    let word = next_word(&mut behind).filter(|word| word.as_bytes().first().is_some_and(u8::is_ascii_digit))?;
    *words = behind;
    Some(word)
}
