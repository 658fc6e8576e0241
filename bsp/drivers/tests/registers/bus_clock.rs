// SPDX-License-Identifier: MIT OR Apache-2.0
//! A clock for drivers that wait: a look at it takes a microsecond.

use std::cell::Cell;

use takt_drivers::clock::Clock;

/// The clock, at zero at first.
#[derive(Default)]
pub(crate) struct BusClock(Cell<u64>);

impl BusClock {
    /// What it shows, without taking time.
    pub(crate) fn now_us(&self) -> u64 {
        self.0.get()
    }
}

impl Clock for BusClock {
    fn ticks(&self) -> u64 {
        self.0.set(self.0.get() + 1);
        self.0.get()
    }

    fn rate_hz(&self) -> u64 {
        1_000_000
    }
}
