// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens when a watch is due: somebody's execution time is looked at.

use takt_kernel::executive::Watch;
use takt_kernel::time::Instant;

use crate::core_state::CoreState;

/// `watch` is due, which the executive does not watch any more. Called by the timer's kernel handler, which came at `now`: what it
/// interrupted is charged up to there. The timer is armed afterwards.
pub(crate) fn look(_core: &mut CoreState, watch: Watch, _now: Instant) {
    match watch {
        Watch::Budget(_task) => {}
        Watch::Turn(_number) => {}
    }
}
