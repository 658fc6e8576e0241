// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens when a watch is due: somebody's execution time is looked at. An image that accounts none has no watch.

use core::time::Duration;

use takt_kernel::executive::{ByPolicy, Watch};
use takt_kernel::priority::Priority;
use takt_kernel::schedulability::Policy;
use takt_kernel::time::Instant;

use crate::core_state::CoreState;
use crate::{budget, clock, execution_time, time_base};

/// The tasks of these levels run in turn from now on. Called once, before the first task runs.
pub(crate) fn begin(core: &mut CoreState) {
    if !execution_time::IS_ON {
        return;
    }
    let Some(table) = core.table else { return };
    for level in table.levels() {
        let (Policy::RoundRobin { slice_ns }, Some(priority)) = (level.policy, Priority::new(level.priority)) else {
            continue;
        };
        let slice_half_ticks = clock::half_ticks(Duration::from_nanos(slice_ns), core.time_base.rate);
        // The table's check has counted them.
        let Some(number) = core.executive.run_in_turn(priority, slice_half_ticks) else { continue };
        let at = clock::now().after(slice_half_ticks);
        if core.executive.watch_at(Watch::Turn(number), at) {
            time_base::arm(&core.time_base, at);
        }
    }
}

/// What is to be looked at, where it is no task that is due.
#[inline(always)]
pub(crate) fn of(due: ByPolicy) -> Option<Watch> {
    if execution_time::IS_ON { due.watch() } else { None }
}

/// `watch` was due, and is not any more. Called by the timer's kernel handler, which came at `now`: what it interrupted is charged
/// up to there. The timer is armed afterwards.
#[inline(never)]
pub(crate) fn look(core: &mut CoreState, watch: Watch, now: Instant) {
    match watch {
        Watch::Budget(task) => budget::look(core, task, now),
        Watch::Turn(number) => {
            core.executive.look_at_turn(number, now, |task| execution_time::executed(task).unwrap_or(0));
        }
    }
}
