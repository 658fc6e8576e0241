// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether the two clocks still agree: the watch over a run.

use takt_kernel::time::Rate;
use takt_kernel::time_base::Phase;

use crate::board;
use crate::start::probe;

/// How many samples a check takes, far fewer than at boot: some tens of device reads.
const SAMPLES: usize = 64;

/// What became of the phase between the system timer and `CNTPCT_EL0` since boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseCheck {
    /// Both brackets allow the same phase: no drift is seen.
    Kept {
        /// How far the middle of the bracket moved, in half ticks.
        moved_half_ticks: i64,
        /// How far it may move, in half ticks: both half-widths together.
        allowed_half_ticks: u64,
    },
    /// The brackets exclude each other: the clocks drifted apart, and what was measured in between is void.
    Drifted {
        /// How far the middle of the bracket moved, in half ticks.
        moved_half_ticks: i64,
        /// How far it may move, in half ticks.
        allowed_half_ticks: u64,
    },
    /// The samples of this check contradict one another: the clocks drift while they are looked at.
    Contradiction,
    /// No phase was found at boot, so there is nothing to compare with.
    Unknown,
}

/// Brackets the phase once more and compares it with the one found at boot. Called by the least urgent task: an
/// interrupt during the check only widens its bracket.
pub fn check_phase() -> PhaseCheck {
    let Some(facts) = board::facts() else { return PhaseCheck::Unknown };
    let (Some(Phase { instant, half_width_half_ticks }), Ok(rate)) =
        (facts.phase, Rate::from_counter_hz(facts.counter_hz))
    else {
        return PhaseCheck::Unknown;
    };
    let Some(now) = probe::phase(rate, SAMPLES) else { return PhaseCheck::Contradiction };
    let moved_half_ticks = now.instant.since(instant);
    let allowed_half_ticks = half_width_half_ticks.saturating_add(now.half_width_half_ticks);
    if moved_half_ticks.unsigned_abs() <= allowed_half_ticks {
        PhaseCheck::Kept { moved_half_ticks, allowed_half_ticks }
    } else {
        PhaseCheck::Drifted { moved_half_ticks, allowed_half_ticks }
    }
}
