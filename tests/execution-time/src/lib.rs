//! What the programs with execution times share.

#![no_std]

use core::hint::black_box;

use takt::TaskHandle;
use takt::clock;
use takt::execution_time::{interrupts_half_ticks, this_task_half_ticks};

/// Work of this many rounds of a few instructions each, however long it takes.
pub fn work(rounds: u32) {
    for round in 0..rounds {
        black_box(round);
    }
}

/// What something took, in half ticks.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// By the clock.
    pub elapsed: u64,
    /// By the task that did it.
    pub executed: u64,
    /// By interrupt handlers.
    pub interrupts: u64,
}

impl Taken {
    /// By `act`.
    pub fn by(act: impl FnOnce()) -> Self {
        let started = Self::now();
        act();
        let ended = Self::now();
        Self {
            elapsed: ended.elapsed - started.elapsed,
            executed: ended.executed - started.executed,
            interrupts: ended.interrupts - started.interrupts,
        }
    }

    fn now() -> Self {
        Self {
            elapsed: clock::now().half_ticks(),
            executed: this_task_half_ticks().unwrap_or(0),
            interrupts: interrupts_half_ticks().unwrap_or(0),
        }
    }
}

/// Executes for so many microseconds, whatever preempts and interrupts meanwhile.
pub fn execute_for_us(us: u64) {
    let begun = this_task_half_ticks().unwrap_or(0);
    while this_task_half_ticks().unwrap_or(u64::MAX) - begun < us * clock::half_ticks_per_us() {}
}

/// How many jobs of the task of this name went beyond their budget.
#[must_use]
pub fn overruns(name: &str) -> Option<u64> {
    Some(TaskHandle::named(name)?.report()?.execution().ok()?.budget?.overruns)
}
