// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sleep in which time passes for a model of a device, until the model requests its interrupt.

use std::cell::Cell;

use takt_drivers::wait::Wait;

use crate::bus_clock::BusClock;

/// A device that goes on while its driver sleeps.
pub(crate) trait Device {
    /// A microsecond passes.
    fn pass_us(&self);

    /// Whether it requests its interrupt.
    fn is_requesting(&self) -> bool;
}

/// Where the device's interrupt leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// To the one who sleeps.
    Connected,
    /// Nowhere.
    Disconnected,
    /// To the one who sleeps, whom others wake as well, so often for each time that the device does.
    Shared {
        /// How often.
        wakes_in_vain: usize,
    },
}

/// The sleep.
pub(crate) struct Asleep<'a, D> {
    device: &'a D,
    clock: &'a BusClock,
    line: Cell<Line>,
    wakes: usize,
    in_vain: usize,
}

impl<'a, D> Asleep<'a, D> {
    pub(crate) fn new(device: &'a D, clock: &'a BusClock, line: Line) -> Self {
        Self { device, clock, line: Cell::new(line), wakes: 0, in_vain: 0 }
    }

    /// How often an interrupt ended a sleep.
    pub(crate) fn wakes(&self) -> usize {
        self.wakes
    }

    /// Connects the line.
    pub(crate) fn connect(&self) {
        self.line.set(Line::Connected);
    }
}

impl<D: Device> Wait for Asleep<'_, D> {
    const IS_BY_INTERRUPT: bool = true;

    fn sleep(&mut self, us: u64) -> bool {
        if let Line::Shared { wakes_in_vain } = self.line.get() {
            if self.in_vain < wakes_in_vain {
                self.in_vain += 1;
                self.wakes += 1;
                return true;
            }
            self.in_vain = 0;
        }
        for _ in 0..us {
            if self.device.is_requesting() && self.line.get() != Line::Disconnected {
                self.wakes += 1;
                return true;
            }
            self.device.pass_us();
            self.clock.pass_us();
        }
        false
    }
}
