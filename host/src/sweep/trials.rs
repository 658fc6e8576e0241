// SPDX-License-Identifier: MIT OR Apache-2.0
//! The trials that a program of the sweep printed, and the sections in which its interrupt was kept waiting.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail};

/// One trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trial {
    /// When the interrupt was due, in ticks after the start of the path's clock.
    pub offset: u64,
    /// How much later its handler's first statement came.
    pub handler: u64,
    /// The instruction before which it came; 0 for the idle task, which calls the handler itself.
    pub interrupted: u64,
    /// How much later than due the first statement of the task came that a kernel handler woke.
    pub task: Option<u64>,
}

/// Which of a trial's latencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// The handler's.
    Handler,
    /// The woken task's.
    Task,
}

impl Figure {
    fn of(self, trial: &Trial) -> u64 {
        match self {
            Self::Handler => trial.handler,
            Self::Task => trial.task.unwrap_or(0),
        }
    }
}

/// All trials, by path, in the order in which they were made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trials(Vec<(String, Vec<Trial>)>);

/// Due ticks in a row whose interrupts all came to the same instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    /// When the first of them was due, which so waited longest.
    pub offset: u64,
    /// How late that one came.
    pub latency: u64,
    /// How many instructions of these it was kept waiting, beyond what the way takes.
    pub masked: u64,
    /// The instruction before which the interrupt came that was due one trial earlier: the one that masks, if one does.
    pub masking: u64,
}

impl Trials {
    /// Reads the lines `path,offset,latency,pc` and `path,offset,latency,pc,task`. Lines that begin with `#` are for
    /// people.
    ///
    /// # Errors
    /// When a line is something else, or there is none.
    pub fn parse(printed: &str) -> Result<Self> {
        let mut all = Self::default();
        for line in printed.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (path, trial) = parse_line(line).with_context(|| {
                format!("'{line}' is no line path,offset,latency,pc; give the programs 'sweep' and 'sweep-kernel' of the tests")
            })?;
            match all.0.last_mut() {
                Some((last, trials)) if last == path => trials.push(trial),
                _ => all.0.push((path.to_owned(), vec![trial])),
            }
        }
        if all.0.is_empty() {
            bail!("the program printed no trial; give the programs 'sweep' and 'sweep-kernel' of the tests");
        }
        Ok(all)
    }

    /// Appends those of another run, their paths' names behind `prefix`.
    pub fn append(&mut self, other: Self, prefix: &str) {
        self.0.extend(other.0.into_iter().map(|(path, trials)| (format!("{prefix}{path}"), trials)));
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.iter().map(|(_, trials)| trials.len()).sum()
    }

    /// The paths and the sections of each by `figure`, in order.
    pub fn sections(&self, figure: Figure) -> impl Iterator<Item = (&str, Vec<Section>)> {
        let plain = Plain::of(self.0.iter().flat_map(|(_, trials)| trials), figure);
        self.0.iter().map(move |(path, trials)| (path.as_str(), sections(trials, plain)))
    }
}

fn parse_line(line: &str) -> Option<(&str, Trial)> {
    let mut fields = line.split(',');
    let path = fields.next()?;
    let offset = fields.next()?.parse().ok()?;
    let handler = fields.next()?.parse().ok()?;
    let interrupted = u64::from_str_radix(fields.next()?.strip_prefix("0x")?, 16).ok()?;
    let task = match fields.next() {
        Some(task) => Some(task.parse().ok()?),
        None => None,
    };
    fields.next().is_none().then_some((path, Trial { offset, handler, interrupted, task }))
}

/// The latency where nothing keeps the interrupt waiting: what most trials had.
#[derive(Debug, Clone, Copy)]
struct Plain {
    figure: Figure,
    of_idle: u64,
    of_others: u64,
}

impl Plain {
    fn of<'a>(trials: impl Iterator<Item = &'a Trial>, figure: Figure) -> Self {
        let (idle, others): (Vec<&Trial>, Vec<&Trial>) = trials.partition(|trial| trial.interrupted == 0);
        Self { figure, of_idle: most_common(&idle, figure), of_others: most_common(&others, figure) }
    }

    fn of_trial(self, trial: &Trial) -> u64 {
        if trial.interrupted == 0 { self.of_idle } else { self.of_others }
    }
}

fn most_common(trials: &[&Trial], figure: Figure) -> u64 {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for trial in trials {
        *counts.entry(figure.of(trial)).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map_or(0, |(latency, _)| latency)
}

fn sections(trials: &[Trial], plain: Plain) -> Vec<Section> {
    let late = |trial: &Trial| plain.figure.of(trial);
    let mut before = trials.first().map_or(0, |trial| trial.interrupted);
    let mut sections = Vec::new();
    for together in trials.chunk_by(|one, next| one.offset + late(one) == next.offset + late(next)) {
        let (Some(first), Some(last)) = (together.first(), together.last()) else { continue };
        // The last of a section is kept waiting no more, unless the trials end within it; a nested handler is entered an
        // instruction faster; and one that came before an acknowledgement of another is entered on that one's way.
        let plain = plain.of_trial(last);
        let way = late(last).clamp(plain.saturating_sub(1), plain);
        let (offset, latency) = (first.offset, late(first));
        sections.push(Section { offset, latency, masked: latency.saturating_sub(way), masking: before });
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
        let all: Vec<(&str, Vec<Section>)> = trials.sections(Figure::Handler).collect();
        let masked = |place: usize| all[place].1.iter().map(|section| section.masked).collect::<Vec<_>>();
        assert_eq!((all[0].0, masked(0)), ("wait", vec![0, 0, 2]));
        assert_eq!(all[0].1[2].masking, 0x104);
        assert_eq!((all[0].1[2].latency, all[0].1[2].offset), (46, 26));
        // The trials end within the section.
        assert_eq!((all[1].0, masked(1)), ("idle", vec![0, 0, 19]));
    }

    #[test]
    fn a_woken_tasks_sections_are_its_own() {
        let mut trials = Trials::parse("set,24,56,0x100,130\n").unwrap();
        trials.append(
            Trials::parse("set,24,56,0x100,131\nset,25,58,0x104,130\nset,26,57,0x108,130\n").unwrap(),
            "generic:",
        );
        let all: Vec<(&str, Vec<Section>)> = trials.sections(Figure::Task).collect();
        let late = |place: usize| all[place].1.iter().map(|section| section.latency).collect::<Vec<_>>();
        assert_eq!((all[0].0, late(0)), ("set", vec![130]));
        assert_eq!((all[1].0, late(1)), ("generic:set", vec![131, 130]));
    }

    #[test]
    fn what_is_no_trial_is_refused() {
        for text in ["", "# takt\n", "wait,1,2", "wait,1,2,3", "wait,1,2,0x3,4,5", "wait,1,2,0x3,", "wait,-1,2,0x3"] {
            assert!(Trials::parse(text).is_err(), "{text}");
        }
    }
}
