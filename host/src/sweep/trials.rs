// SPDX-License-Identifier: MIT OR Apache-2.0
//! The trials that the program `sweep` printed, and the sections in which its direct handler was kept waiting.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail};

/// One trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trial {
    /// When the direct interrupt was due, in ticks after the start of the path's clock.
    pub offset: u64,
    /// How much later its handler's first statement came.
    pub latency: u64,
    /// The instruction before which it came; 0 for the idle task, which calls the handler itself.
    pub interrupted: u64,
}

/// All trials, by path, in the order in which they were made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trials(Vec<(String, Vec<Trial>)>);

/// Due ticks in a row whose interrupts were all taken at one instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    /// The trial that was due first, and so waited longest.
    pub first: Trial,
    /// How many instructions it waited beyond what the way into the handler takes.
    pub masked: u64,
    /// The instruction before which the interrupt came that was due one trial earlier: the one that masks, if one does.
    pub masking: u64,
}

impl Trials {
    /// Reads the lines `path,offset,latency,pc`. Lines that begin with `#` are for people.
    ///
    /// # Errors
    /// When a line is something else, or there is none.
    pub fn parse(printed: &str) -> Result<Self> {
        let mut all = Self::default();
        for line in printed.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (path, trial) = parse_line(line).with_context(|| {
                format!("'{line}' is no line path,offset,latency,pc; give the program 'sweep' of the tests")
            })?;
            match all.0.last_mut() {
                Some((last, trials)) if last == path => trials.push(trial),
                _ => all.0.push((path.to_owned(), vec![trial])),
            }
        }
        if all.0.is_empty() {
            bail!("the program printed no trial; give the program 'sweep' of the tests");
        }
        Ok(all)
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.iter().map(|(_, trials)| trials.len()).sum()
    }

    /// The paths and the sections of each, in order.
    pub fn sections(&self) -> impl Iterator<Item = (&str, Vec<Section>)> {
        let plain = Plain::of(self.0.iter().flat_map(|(_, trials)| trials));
        self.0.iter().map(move |(path, trials)| (path.as_str(), sections(trials, plain)))
    }
}

fn parse_line(line: &str) -> Option<(&str, Trial)> {
    let mut fields = line.split(',');
    let path = fields.next()?;
    let offset = fields.next()?.parse().ok()?;
    let latency = fields.next()?.parse().ok()?;
    let interrupted = u64::from_str_radix(fields.next()?.strip_prefix("0x")?, 16).ok()?;
    fields.next().is_none().then_some((path, Trial { offset, latency, interrupted }))
}

/// The latency where nothing keeps the handler waiting: what most trials had.
#[derive(Debug, Clone, Copy)]
struct Plain {
    of_idle: u64,
    of_others: u64,
}

impl Plain {
    fn of<'a>(trials: impl Iterator<Item = &'a Trial>) -> Self {
        let (idle, others): (Vec<&Trial>, Vec<&Trial>) = trials.partition(|trial| trial.interrupted == 0);
        Self { of_idle: most_common(&idle), of_others: most_common(&others) }
    }

    fn of_trial(self, trial: &Trial) -> u64 {
        if trial.interrupted == 0 { self.of_idle } else { self.of_others }
    }
}

fn most_common(trials: &[&Trial]) -> u64 {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for trial in trials {
        *counts.entry(trial.latency).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map_or(0, |(latency, _)| latency)
}

fn sections(trials: &[Trial], plain: Plain) -> Vec<Section> {
    let mut before = trials.first().map_or(0, |trial| trial.interrupted);
    let mut sections = Vec::new();
    for together in trials.chunk_by(|one, next| one.offset + one.latency == next.offset + next.latency) {
        let (Some(first), Some(last)) = (together.first(), together.last()) else { continue };
        // The last of a section is kept waiting no more, unless the trials end within it; a nested handler is entered an
        // instruction faster; and one that came before an acknowledgement of another is entered on that one's way.
        let plain = plain.of_trial(last);
        let way = last.latency.clamp(plain.saturating_sub(1), plain);
        sections.push(Section { first: *first, masked: first.latency.saturating_sub(way), masking: before });
        before = last.interrupted;
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "# takt\nwait,24,44,0x100\nwait,25,44,0x104\nwait,26,46,0x110\nwait,27,45,0x110\nwait,28,44,0x110\n\
                         idle,24,31,0x0\nidle,25,31,0x0\nidle,26,50,0x0\n";

    #[test]
    fn due_ticks_that_end_at_one_instruction_are_a_section() {
        let trials = Trials::parse(LINES).unwrap();
        assert_eq!(trials.count(), 8);
        let all: Vec<(&str, Vec<Section>)> = trials.sections().collect();
        let masked = |place: usize| all[place].1.iter().map(|section| section.masked).collect::<Vec<_>>();
        assert_eq!((all[0].0, masked(0)), ("wait", vec![0, 0, 2]));
        assert_eq!(all[0].1[2].masking, 0x104);
        assert_eq!(all[0].1[2].first.latency, 46);
        // The trials end within the section.
        assert_eq!((all[1].0, masked(1)), ("idle", vec![0, 0, 19]));
    }

    #[test]
    fn what_is_no_trial_is_refused() {
        for text in ["", "# takt\n", "wait,1,2", "wait,1,2,3", "wait,1,2,0x3,4", "wait,-1,2,0x3"] {
            assert!(Trials::parse(text).is_err(), "{text}");
        }
    }
}
