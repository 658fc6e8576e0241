// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a task can find out about itself.

use takt_kernel::release::ReleaseCounts;

use crate::core_state::masked;
use crate::turn;

/// The task that asks.
#[derive(Clone, Copy, Debug)]
pub struct ThisTask {
    /// Its place in the table's order of urgency, from 0.
    pub rank: usize,
    /// Its name in the table.
    pub name: &'static str,
    /// What happened to its releases up to its latest wait; zeros for a background task.
    pub counts: ReleaseCounts,
}

/// The task that runs. Called by tasks; `None` anywhere else.
///
/// ```no_run
/// use takt::this_task;
///
/// fn was_ever_late() -> bool {
///     this_task().is_some_and(|task| task.counts.late > 0)
/// }
/// ```
pub fn this_task() -> Option<ThisTask> {
    let (id, table) = masked(|core| (core.executive.running(), core.table));
    let name = table?.task(id)?.name;
    Some(ThisTask { rank: id.index(), name, counts: turn::release_counts(id) })
}
