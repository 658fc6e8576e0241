// SPDX-License-Identifier: MIT OR Apache-2.0
//! Freeze on maximum: the slot that sees a new maximum of a run keeps the event ring, which then explains it.
//!
//! There is one kept ring, of what core 0 did, so the maximum is that of all slots on core 0 together, and slots on other cores
//! do not look. All slots of a run have the same priority, so none looks while another does; should one find the state taken
//! all the same, it leaves its value out.

use takt::handover::{Handover, Taken};
use takt::kernel::time::Instant;
use takt::rpi4::cores;
use takt::trace;

/// What the kept ring explains.
#[derive(Clone, Copy)]
pub(crate) struct Maximum {
    /// Whose it is: the task's place in the order of urgency.
    pub(crate) rank: usize,
    /// In which of its cycles, from 0.
    pub(crate) cycle: u64,
    /// When it was due.
    pub(crate) due: Instant,
    /// From then to the task's first statement.
    pub(crate) lateness_half_ticks: i64,
}

struct Freeze {
    /// The least lateness that is looked at, in half ticks; nothing where none is.
    above_half_ticks: Option<i64>,
    maximum: Option<Maximum>,
}

static FREEZE: Handover<Freeze> = Handover::new(Freeze { above_half_ticks: None, maximum: None });

/// A run begins, whose maxima above so many half ticks are looked at. Called by the console task before it starts the slots.
pub(crate) fn begin(above_half_ticks: Option<i64>) {
    if !trace::IS_ON {
        return;
    }
    if let Some(mut freeze) = FREEZE.take() {
        *freeze = Freeze { above_half_ticks, maximum: None };
    }
}

/// The run has ended: the maximum that the kept ring explains, if that was wanted.
pub(crate) fn end() -> Option<Maximum> {
    if !trace::IS_ON {
        return None;
    }
    let mut freeze = FREEZE.take()?;
    freeze.above_half_ticks = None;
    freeze.maximum.take()
}

/// Keeps the event ring where a task whose release was due at `due` came later than every one before. Called by slots, behind their stamps.
#[inline(always)]
pub(crate) fn consider(due: Instant, start: Instant, cycle: u64) {
    if trace::IS_ON {
        keep_if_latest(due, start, cycle);
    }
}

#[inline(never)]
fn keep_if_latest(due: Instant, start: Instant, cycle: u64) {
    if cores::this_core() != 0 {
        return;
    }
    let lateness_half_ticks = start.since(due);
    let is_looked_at =
        |freeze: &Taken<'_, Freeze>| freeze.above_half_ticks.is_some_and(|above| lateness_half_ticks > above);
    let Some(mut freeze) = FREEZE.take().filter(is_looked_at) else { return };
    if freeze.maximum.is_none_or(|maximum| lateness_half_ticks > maximum.lateness_half_ticks)
        && trace::keep_adding_few()
    {
        let rank = takt::this_task().map_or(usize::MAX, |this| this.rank);
        freeze.maximum = Some(Maximum { rank, cycle, due, lateness_half_ticks });
    }
}
