// SPDX-License-Identifier: MIT OR Apache-2.0
//! The method `callback`: a periodic timer calls what measures, in the task for timers.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::time::Duration;

use takt::console::activity;
use takt::kernel::priority::Priority;
use takt::{TaskHandle, Timer, clock};

use super::options::SweepOptions;
use crate::latency::first_release;
use crate::refusal::Refusal;
use crate::slots;

/// The task for timers, by its name in the table.
pub(super) const TASK: &str = "timers";

static TIMER: Timer = Timer::new(called);
static PERIOD_HALF_TICKS: AtomicU64 = AtomicU64::new(0);
/// How many calls are still to come.
static LEFT: AtomicU64 = AtomicU64::new(0);
static IS_RUNNING: AtomicBool = AtomicBool::new(false);

/// Whether the calls are over.
pub(super) fn are_done() -> bool {
    !IS_RUNNING.load(Ordering::Acquire)
}

/// Starts the timer, with its task at `priority`. The record of slot 0 is empty, and the calls' until they are over.
pub(super) fn start(options: &SweepOptions, priority: Priority) -> Result<(), Refusal<'static>> {
    let task = TaskHandle::named(TASK).ok_or(Refusal::NoLevels)?;
    task.set_priority(priority).map_err(|_| Refusal::NoLevels)?;
    let period = Duration::from_micros(u64::from(options.interval_us));
    let first = first_release();
    PERIOD_HALF_TICKS.store(clock::half_ticks(period, clock::rate()), Ordering::Relaxed);
    LEFT.store(u64::from(options.cycles), Ordering::Relaxed);
    IS_RUNNING.store(true, Ordering::Relaxed);
    TIMER.every(first, period);
    Ok(())
}

/// Ends the calls.
pub(super) fn end() {
    let _ = TIMER.cancel();
    IS_RUNNING.store(false, Ordering::Release);
}

/// How many periods passed without a call.
pub(super) fn missed() -> u64 {
    TIMER.counts().missed
}

/// The callback: how late it is, behind its due instant.
fn called() {
    let now = clock::now();
    // It is started for the next period already; those that it missed are left out.
    let Some(next) = TIMER.due() else { return };
    let due = next.before(PERIOD_HALF_TICKS.load(Ordering::Relaxed));
    if let Some(mut record) = slots::record(0) {
        let cycle = record.cycles;
        record.task.record(now.since(due), cycle);
        record.cycles = cycle.wrapping_add(1);
    }
    let left = LEFT.load(Ordering::Relaxed).saturating_sub(1);
    LEFT.store(left, Ordering::Relaxed);
    if left == 0 {
        end();
        activity().set();
    }
}
