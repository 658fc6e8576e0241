// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shortest window that holds all that is asked for within it, in a bounded number of rounds.

use super::Set;
use super::load::{WHOLE, others_ns};

/// How many rounds a task is given: a set that needs more is too near to full to be judged.
pub(super) const MOST_ROUNDS: u32 = 2_000;

/// Whose window it is.
#[derive(Clone, Copy)]
pub(super) struct Asker {
    /// The place of the task whose own jobs are in the base; none of the set's for a whole level.
    pub(super) own: usize,
    /// Tasks of this priority and above count.
    pub(super) priority: u8,
    /// What runs less urgently between two jobs, where the second was passed.
    pub(super) gap_ns: u64,
}

/// How a window settled.
#[derive(Clone, Copy)]
pub(super) enum Settled {
    /// All that is asked for within it ends with it.
    At(u64),
    /// The rounds ended; it is at least this long.
    NotBefore(u64),
    /// It has no end, or none that a 64-bit number of nanoseconds can tell.
    Never,
}

/// The window that holds `base_ns` and all that runs above it, sought from `from_ns`, which must not be longer. Takes
/// rounds off `rounds`.
pub(super) const fn settle(set: &Set<'_>, asker: Asker, base_ns: u64, from_ns: u64, rounds: &mut u32) -> Settled {
    let mut window_ns = from_ns;
    loop {
        let asked_ns = base_ns.saturating_add(others_ns(set, asker.own, asker.priority, window_ns, asker.gap_ns));
        if asked_ns == u64::MAX {
            return Settled::Never;
        }
        if asked_ns <= window_ns {
            return Settled::At(asked_ns);
        }
        window_ns = asked_ns;
        if *rounds == 0 {
            return Settled::NotBefore(window_ns);
        }
        *rounds = rounds.saturating_sub(1);
    }
}

/// A window that is certainly not too long: `base_ns` in what `others`, a share of the core, leaves. At least 1, since all
/// come once in any window.
pub(super) const fn at_least(base_ns: u64, others: u128) -> u64 {
    let least_ns = match (base_ns as u128).saturating_mul(WHOLE).checked_div(WHOLE.saturating_sub(others)) {
        Some(least_ns) => least_ns,
        None => base_ns as u128,
    };
    match least_ns {
        0 => 1,
        // A window of that length is past counting, and so is what is asked for within it.
        _ if least_ns > u64::MAX as u128 => u64::MAX,
        #[expect(clippy::cast_possible_truncation, reason = "compared in the line before")]
        _ => least_ns as u64,
    }
}
