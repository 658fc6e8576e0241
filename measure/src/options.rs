// SPDX-License-Identifier: MIT OR Apache-2.0
//! The options of the `latency` command: cyclictest's, as far as they mean something here.
//!
//! | option | meaning | default |
//! |---|---|---|
//! | `-i N`, `--interval` | period of the first thread, µs | 1000 |
//! | `-d N`, `--distance` | added to the period of each further thread, µs; 0 with a histogram | 500 |
//! | `-l N`, `--loops` | cycles of the first thread; 0 is endless | 0 |
//! | `-D T[m\|h\|d]`, `--duration` | seconds, minutes, hours or days; 0 is no limit | 0 |
//! | `-p N`, `--priority`, `--prio` | 1 to 99, larger is more urgent; takt's priority is 100 − N | 80 |
//! | `-h N`, `--histogram` | histogram of N rows of 1 µs (of one counter tick with `-N`) | none |
//! | `-H N`, `--histofall` | the same with a column that sums the threads | none |
//! | `-q`, `--quiet` | nothing before the end | no |
//! | `-N`, `--nsecs` | nanoseconds in the summary, counter ticks in the histogram | no |
//! | `-t [N]`, `--threads` | measuring threads; without N as many as there are | 1 |
//! | `-S`, `--smp` | a thread on each core, all of one priority: `-t` and `-a` | no |
//! | `-a [SET]`, `--affinity` | thread n on the n-th core of the set, `0-3` without one; refused where the image has it elsewhere | |
//! | `-A [N]`, `--aligned` | all threads begin at one instant, each further one N µs later; 0 without N | 0 |
//! | `--priospread` | each further thread is one less urgent | no |
//! | `-v`, `--verbose` | every sample, while the threads measure; refused where the serial line does not carry them | no |
//! | `-o N`, `--oscope` | with `-v`, the largest of each N samples of a thread | 1 |
//! | `-b US`, `--breaktrace` | the first sample above it ends the run, and the event ring, if there is one, is printed | |
//! | `--spike US` | samples above it are listed with the instants at which they were taken | |
//! | `--spike-nodes N` | how many are listed at the most; all are counted | 1024 |
//! | `-M`, `--refresh_on_max` | the status lines are drawn again at a new maximum only | no |
//! | `-R`, `--resolution` | the counter's resolution, by its rate and measured, before the run | no |
//! | `-s TIMER`, `--source` | `system` or `generic`: held against the timer of the run | |
//! | `--stage S` | `handler`, `task`, `done` or several with commas: where latency is taken | `task` |
//! | `--format F` | `cyclictest`, `cyclictest-2.7`, `xenomai` or `json` | `cyclictest` |
//! | `--max-us N` | the run fails if a sample is above it | |
//! | `-P`, `--percentiles` | p50 to p99.999 | no |
//! | `--explain` | the result in words and bars | no |
//! | `--freeze-on-max` | keep the event ring at each new maximum of the task stage, and print it at the end | no |
//! | `-m`, `-n`, `--mlockall`, `--nanosleep` | accepted; always so here | |
//!
//! All but one default are cyclictest's: without `-p` its threads are not real-time at all (SCHED_OTHER, printed as
//! 0), which takt has no equivalent of; 80 is what its users usually ask for. Values may be attached (`-i250`,
//! `--interval=250`) or follow (`-i 250`, `--interval 250`), and short options may share a dash (`-qN`). Given twice,
//! the last one counts.

mod affinity;
mod error;
mod given;
mod note;
mod table;
mod together;
mod value;

pub use crate::boot_line::TimeBaseWord;
pub use affinity::MAX_THREADS;
pub use error::{Expected, OptionError};
pub use note::Note;
pub use table::NAMES;

use given::Given;
use note::Notes;

use crate::words::next_word;

/// What the caller can run; values outside are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The shortest period, in microseconds.
    pub min_interval_us: u32,
    /// The longest period, in microseconds; also the largest distance.
    pub max_interval_us: u32,
    /// The longest duration, in seconds.
    pub max_duration_s: u64,
    /// The least urgent priority on cyclictest's scale, at least 1.
    pub min_priority: u8,
    /// The most urgent priority on cyclictest's scale, at most 99.
    pub max_priority: u8,
    /// The most rows of a histogram in microseconds.
    pub max_histogram_us: u32,
    /// The most rows of a histogram in counter ticks, with `-N`.
    pub max_histogram_ticks: u32,
    /// How many measuring tasks there are.
    pub max_threads: u32,
    /// The core of each measuring task; of those that there are not, 0.
    pub cores: [u8; MAX_THREADS],
    /// The timer that releases the tasks of core 0; those of other cores have their generic timer.
    pub source: TimeBaseWord,
    /// How many bytes a second the serial line carries.
    pub line_bytes_per_s: u32,
    /// How many spikes of each thread can be kept.
    pub max_spikes: u32,
    /// Whether the image records events, and so can freeze them.
    pub has_event_ring: bool,
}

/// Where latency is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stages {
    /// At the first statement of the interrupt handler.
    pub handler: bool,
    /// At the first statement of the woken task.
    pub task: bool,
    /// At the end of its job.
    pub done: bool,
}

/// What a report looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// cyclictest's up to 2.6: every row.
    Cyclictest,
    /// cyclictest's from 2.7 on: no row without a sample.
    Cyclictest27,
    /// The lines of Xenomai's `latency`.
    Xenomai,
    /// An object of JSON for each thread and stage, and nothing else that is no comment.
    Json,
}

/// A `latency` command whose every value was found usable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatencyOptions {
    /// The period of the first thread, in microseconds.
    pub interval_us: u32,
    /// What each further thread's period is longer, in microseconds: 0 with a histogram.
    pub distance_us: u32,
    /// After how many cycles of the first thread the run ends.
    pub loops: Option<u64>,
    /// After how many seconds the run ends; the first of the two limits ends it.
    pub duration_s: Option<u64>,
    /// The priority as given and printed: 1 to 99, larger is more urgent.
    pub priority: u8,
    /// How many rows the histogram has, of 1 µs or, with `nanoseconds`, of one counter tick; none without one.
    pub histogram_rows: Option<u32>,
    /// Whether a histogram has a column that sums the threads.
    pub sum_column: bool,
    /// Whether nothing is printed before the end.
    pub quiet: bool,
    /// Whether the summary is in nanoseconds and the histogram in counter ticks.
    pub nanoseconds: bool,
    /// How many threads measure.
    pub threads: u32,
    /// Whether one thread on each core was asked for.
    pub smp: bool,
    /// How many microseconds behind the thread before it each further thread begins, if that was asked for.
    pub aligned_us: Option<u32>,
    /// Whether each further thread is one less urgent.
    pub priority_spread: bool,
    /// Whether every sample is printed while the threads measure, or the largest of each `of`.
    pub verbose: bool,
    /// Of how many samples the largest is printed.
    pub of: u32,
    /// The sample above which the run ends, in microseconds.
    pub break_us: Option<u32>,
    /// The sample above which it is listed, in microseconds.
    pub spike_us: Option<u32>,
    /// How many are listed at the most, of each thread.
    pub spike_nodes: u32,
    /// Whether the status is drawn again at a new maximum only.
    pub refresh_on_maximum: bool,
    /// Whether the counter's resolution is measured first.
    pub resolution: bool,
    /// Where latency is taken.
    pub stages: Stages,
    /// What the report looks like.
    pub format: Format,
    /// The sample above which the run has failed, in microseconds.
    pub max_us: Option<u32>,
    /// Whether percentiles are printed.
    pub percentiles: bool,
    /// Whether the result is explained.
    pub explain: bool,
    /// Whether the event ring is kept at each new maximum of the task stage, and printed at the end.
    pub freeze_on_maximum: bool,
    notes: Notes,
}

impl LatencyOptions {
    /// Reads the words after `latency`.
    ///
    /// # Errors
    ///
    /// [`OptionError`], whose text is one sentence, at the first word that is unknown or whose value cannot be used.
    pub fn parse<'a>(arguments: &'a str, limits: &Limits) -> Result<Self, OptionError<'a>> {
        let mut given = Given::new();
        let mut words = arguments.split_ascii_whitespace();
        while let Some(word) = next_word(&mut words) {
            match (word.strip_prefix("--"), word.strip_prefix('-')) {
                (Some(long), _) => given.take_long(word, long, &mut words, limits)?,
                (None, Some(short)) if !short.is_empty() => given.take_short(word, short, &mut words, limits)?,
                _ => return Err(OptionError::UnknownWord { word }),
            }
        }
        given.finish(limits)
    }

    /// The period of thread `thread` (from 0), in microseconds.
    #[must_use]
    pub fn interval_us_of(&self, thread: u32) -> u32 {
        // The last thread's was checked against the limit; saturating is for threads that do not exist.
        self.interval_us.saturating_add(self.distance_us.saturating_mul(thread))
    }

    /// The priority of thread `thread` (from 0), 1 to 99.
    #[must_use]
    pub fn priority_of(&self, thread: u32) -> u8 {
        let less = if self.priority_spread { u8::try_from(thread).unwrap_or(u8::MAX) } else { 0 };
        // The last thread's was checked.
        self.priority.saturating_sub(less)
    }

    /// The priority of thread `thread` on takt's scale, where 1 is the most urgent: 80 is 20.
    #[must_use]
    pub fn takt_priority_of(&self, thread: u32) -> u8 {
        // It is 1 to 99.
        100_u8.saturating_sub(self.priority_of(thread))
    }

    /// Whether anything is printed while the threads measure: the status, or every sample.
    #[must_use]
    pub fn is_live(&self) -> bool {
        !self.quiet && self.format != Format::Json
    }

    /// What to tell about options that were accepted without effect, a sentence each.
    pub fn notes(&self) -> impl Iterator<Item = Note> + use<> {
        self.notes.iter()
    }
}

#[cfg(test)]
mod tests;
