// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a slot looks for in a cycle besides binning it, where somebody watches the run.

use heapless::Vec;
use takt::kernel::report::{Span, Stage};
use takt::kernel::time::Instant;

use crate::feed::{Feed, Latter};
use crate::slots::Lateness;

/// How many spikes of each slot can be kept: as many as cyclictest keeps unless told.
pub(crate) const MAX_SPIKES: usize = 1_024;

/// How many samples wait for the console task at the most: those of ten seconds at the rate that a line of 115200 baud carries.
const SAMPLES: usize = 4_096;
/// How many seconds wait for it.
const SECONDS: usize = 64;

/// What is looked for. All zeros where nothing is, so that the records take no room in the image.
#[derive(Clone, Copy)]
pub(crate) struct Watch {
    /// Whether anything is.
    pub(crate) is_on: bool,
    /// Whose lateness all this is about.
    pub(crate) stage: Stage,
    /// One above it ends the run.
    pub(crate) break_half_ticks: Option<i64>,
    /// One above it is a spike.
    pub(crate) spike_half_ticks: Option<i64>,
    /// How many spikes are kept.
    pub(crate) spike_nodes: usize,
    /// Whether the console task shows the state of the run.
    pub(crate) is_live: bool,
    /// Whether it shows every sample.
    pub(crate) has_samples: bool,
    /// How many cycles make a second, where it shows the seconds.
    pub(crate) second_cycles: Option<u64>,
}

/// How late one cycle was at each stage, in half ticks.
#[derive(Clone, Copy)]
pub(crate) struct Cycle {
    pub(crate) number: u64,
    pub(crate) handler: i64,
    pub(crate) task: i64,
    pub(crate) done: i64,
    /// The task's first statement.
    pub(crate) start: Instant,
}

/// A sample above the limit.
#[derive(Clone, Copy)]
pub(crate) struct Spiked {
    pub(crate) lateness_half_ticks: i64,
    pub(crate) at: Instant,
}

/// What was found. All zeros at first.
pub(crate) struct Found {
    pub(crate) spikes: Vec<Spiked, MAX_SPIKES>,
    /// All there were.
    pub(crate) spike_count: u64,
    /// The sample that ended the run.
    pub(crate) broke_half_ticks: Option<i64>,
    second: Option<Span>,
}

/// The state of a run: cycles; then of each stage, in the order of [`STAGES`], latest, minimum, maximum, sum.
pub(crate) type State = [u64; 13];

/// In the order in which a state has them.
pub(crate) const STAGES: [Stage; 3] = [Stage::Handler, Stage::Task, Stage::Done];

/// What goes to the console task while the run goes on.
pub(crate) struct ToConsole {
    pub(crate) state: Latter<13>,
    /// Number of the cycle and lateness.
    pub(crate) samples: Feed<SAMPLES, 2>,
    /// Count, sum, minimum, maximum, and how many releases were skipped since the run began.
    pub(crate) seconds: Feed<SECONDS, 5>,
}

impl ToConsole {
    pub(crate) const fn new() -> Self {
        Self { state: Latter::new(), samples: Feed::new(), seconds: Feed::new() }
    }

    /// Throws away what is left of an earlier run.
    pub(crate) fn clear(&self) {
        let _ = self.state.take();
        self.samples.clear();
        self.seconds.clear();
    }
}

impl Found {
    pub(crate) const fn new() -> Self {
        Self { spikes: Vec::new(), spike_count: 0, broke_half_ticks: None, second: None }
    }

    pub(crate) fn clear(&mut self) {
        self.spikes.clear();
        (self.spike_count, self.broke_half_ticks, self.second) = (0, None, None);
    }
}

impl Watch {
    /// Nothing is looked for.
    pub(crate) const OFF: Self = Self {
        is_on: false,
        stage: Stage::Handler,
        break_half_ticks: None,
        spike_half_ticks: None,
        spike_nodes: 0,
        is_live: false,
        has_samples: false,
        second_cycles: None,
    };

    /// Looks at a cycle that was binned. Answers whether it ends the run.
    #[inline(never)]
    pub(crate) fn look(&self, cycle: &Cycle, found: &mut Found, binned: [&Lateness; 3], to: &ToConsole) -> bool {
        let lateness_half_ticks = match self.stage {
            Stage::Handler => cycle.handler,
            Stage::Task => cycle.task,
            Stage::Done => cycle.done,
        };
        if self.spike_half_ticks.is_some_and(|limit| lateness_half_ticks > limit) {
            found.spike_count = found.spike_count.wrapping_add(1);
            if found.spikes.len() < self.spike_nodes {
                let _ = found.spikes.push(Spiked { lateness_half_ticks, at: cycle.start });
            }
        }
        if self.is_live {
            to.state.put(state(cycle.number.wrapping_add(1), binned));
        }
        if self.has_samples {
            to.samples.put([cycle.number, lateness_half_ticks.cast_unsigned()]);
        }
        if let Some(cycles) = self.second_cycles {
            let second = found.second.get_or_insert_default();
            second.add(lateness_half_ticks);
            if second.count >= cycles {
                let skipped = binned.first().map_or(0, |lateness| lateness.histogram.view().skipped().count);
                to.seconds.put(words_of(second, skipped));
                found.second = None;
            }
        }
        let is_broken = self.break_half_ticks.is_some_and(|limit| lateness_half_ticks > limit);
        if is_broken {
            found.broke_half_ticks = Some(lateness_half_ticks);
        }
        is_broken
    }
}

fn state(cycles: u64, binned: [&Lateness; 3]) -> State {
    let mut state = [cycles; 13];
    let words = state.iter_mut().skip(1);
    let values = binned.iter().flat_map(|lateness| {
        let Span { minimum_half_ticks, maximum_half_ticks, sum_half_ticks, .. } = Span::of(&lateness.histogram.view());
        // The sum fits for as long as any run lasts.
        let sum = i64::try_from(sum_half_ticks).unwrap_or(i64::MAX);
        [lateness.latest_half_ticks.unwrap_or(0), minimum_half_ticks, maximum_half_ticks, sum]
    });
    words.zip(values).for_each(|(word, value)| *word = value.cast_unsigned());
    state
}

/// What a state says of the stage at this place of [`STAGES`]: the latest, and all.
pub(crate) fn of_stage(state: &State, place: usize) -> Option<(i64, Span)> {
    let (cycles, stages) = state.split_first()?;
    let words = stages.chunks_exact(4).nth(place)?;
    let [latest, minimum, maximum, sum] = *words.first_chunk::<4>()?;
    let span = Span {
        minimum_half_ticks: minimum.cast_signed(),
        sum_half_ticks: i128::from(sum.cast_signed()),
        count: *cycles,
        maximum_half_ticks: maximum.cast_signed(),
    };
    Some((latest.cast_signed(), span))
}

fn words_of(second: &Span, skipped: u64) -> [u64; 5] {
    let sum = i64::try_from(second.sum_half_ticks).unwrap_or(i64::MAX).cast_unsigned();
    let (minimum, maximum) = (second.minimum_half_ticks.cast_unsigned(), second.maximum_half_ticks.cast_unsigned());
    [second.count, sum, minimum, maximum, skipped]
}

/// A second from its words, and how many releases were skipped up to its end.
pub(crate) fn second_of([count, sum, minimum, maximum, skipped]: [u64; 5]) -> (Span, u64) {
    let span = Span {
        minimum_half_ticks: minimum.cast_signed(),
        sum_half_ticks: i128::from(sum.cast_signed()),
        count,
        maximum_half_ticks: maximum.cast_signed(),
    };
    (span, skipped)
}
