//! What a trial leaves behind, compared with the same path undisturbed: nothing may be lost, doubled or reordered.

use core::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

/// How many steps of a trial are compared; none takes more.
const STEPS: usize = 48;

static LOG: [AtomicU8; STEPS] = [const { AtomicU8::new(0) }; STEPS];
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// Notes that a task came to the place that `step` names.
pub(crate) fn note(step: u8) {
    let place = LENGTH.fetch_add(1, Ordering::Relaxed);
    if let Some(entry) = LOG.get(place) {
        entry.store(step, Ordering::Relaxed);
    }
}

/// Notes what became of the releases of the task that asks, since it was last given a period.
pub(crate) fn note_own_counts() {
    let Some(task) = takt::this_task() else { return };
    let counts = task.counts;
    for count in [counts.count, counts.overrun, counts.late, counts.skipped, counts.postponed] {
        note(count as u8);
    }
}

/// The steps in their order, and how far the executive's own counter moved.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct State {
    steps: [u8; STEPS],
    length: usize,
    /// Interrupts that found nothing pending. Those at which nobody was due are left out: a direct handler that makes the
    /// interrupt path late lets it find a release passed, whose own interrupt then comes for nothing.
    spurious: u64,
}

impl State {
    /// The counter, before a trial. Empties the log.
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
        state
    }

    /// Whether no step says that something is not as it was meant.
    pub(crate) fn is_as_meant(&self) -> bool {
        self.length <= STEPS && !self.steps.iter().any(|step| [b'?', b'!'].contains(step))
    }

    fn look() -> Self {
        Self {
            steps: core::array::from_fn(|place| LOG[place].load(Ordering::Relaxed)),
            length: LENGTH.load(Ordering::Relaxed),
            spurious: takt::interrupt_counts().spurious,
        }
    }
}
