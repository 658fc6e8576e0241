// SPDX-License-Identifier: MIT OR Apache-2.0
//! A clock for drivers that wait: a look at it takes a microsecond, or as long as the test says.

use std::cell::Cell;

use takt_drivers::clock::Clock;

/// The clock, at zero at first.
pub(crate) struct BusClock {
    now_us: Cell<u64>,
    look_us: Cell<u64>,
}

impl Default for BusClock {
    fn default() -> Self {
        Self { now_us: Cell::new(0), look_us: Cell::new(1) }
    }
}

impl BusClock {
    /// What it shows, without taking time.
    pub(crate) fn now_us(&self) -> u64 {
        self.now_us.get()
    }

    /// A microsecond passes.
    pub(crate) fn pass_us(&self) {
        self.now_us.set(self.now_us.get() + 1);
    }

    /// From now on a look takes so long: the task that looks is held up.
    pub(crate) fn slow_down_to_us(&self, look_us: u64) {
        self.look_us.set(look_us);
    }
}

impl Clock for BusClock {
    fn ticks(&self) -> u64 {
        self.now_us.set(self.now_us.get() + self.look_us.get());
        self.now_us.get()
    }

    fn rate_hz(&self) -> u64 {
        1_000_000
    }
}
