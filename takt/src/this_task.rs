//! What a task can find out about itself.

use takt_kernel::release::ReleaseCounts;

use crate::core_state::masked;

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
pub fn this_task() -> Option<ThisTask> {
    masked(|core| {
        let id = core.executive.running();
        let (name, _) = core.name_and_priority(id)?;
        Some(ThisTask { rank: id.index(), name, counts: core.block(id).releases.counts() })
    })
}
