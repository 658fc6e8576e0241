//! What a trial leaves behind, compared with the same path undisturbed: nothing may be lost, doubled or reordered.

use core::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use takt::kernel::release::ReleaseCounts;

/// How many steps of a trial are compared; none takes more.
const STEPS: usize = 32;
/// How many tasks the table has.
const TASKS: usize = 7;

static LOG: [AtomicU8; STEPS] = [const { AtomicU8::new(0) }; STEPS];
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// Notes that a task came to the place that `step` names.
pub(crate) fn note(step: u8) {
    let place = LENGTH.fetch_add(1, Ordering::Relaxed);
    if let Some(entry) = LOG.get(place) {
        entry.store(step, Ordering::Relaxed);
    }
}

/// The steps in their order, and how far the executive's own counters moved.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct State {
    steps: [u8; STEPS],
    length: usize,
    /// Interrupts that found nothing pending. Those at which nobody was due are left out: a direct handler that makes the
    /// interrupt path late lets it find a release passed, whose own interrupt then comes for nothing.
    spurious: u64,
    releases: [ReleaseCounts; TASKS],
}

impl State {
    /// The counters, before a trial. Empties the log.
    pub(crate) fn now() -> Self {
        LENGTH.store(0, Ordering::Relaxed);
        for entry in &LOG {
            entry.store(0, Ordering::Relaxed);
        }
        Self::look()
    }

    /// What became of it since `before`.
    pub(crate) fn since(before: &Self) -> Self {
        let mut state = Self::look();
        state.spurious -= before.spurious;
        for (counts, before) in state.releases.iter_mut().zip(&before.releases) {
            counts.count = counts.count.wrapping_sub(before.count);
            counts.overrun = counts.overrun.wrapping_sub(before.overrun);
            counts.late = counts.late.wrapping_sub(before.late);
            counts.skipped = counts.skipped.wrapping_sub(before.skipped);
            counts.postponed = counts.postponed.wrapping_sub(before.postponed);
        }
        state
    }

    fn look() -> Self {
        let mut releases = [ReleaseCounts::default(); TASKS];
        for (counts, task) in releases.iter_mut().zip(takt::task_reports()) {
            *counts = task.counts;
        }
        Self {
            steps: core::array::from_fn(|place| LOG[place].load(Ordering::Relaxed)),
            length: LENGTH.load(Ordering::Relaxed),
            spurious: takt::interrupt_counts().spurious,
            releases,
        }
    }
}
