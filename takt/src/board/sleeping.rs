// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a bus sleeps until its interrupt.
//!
//! The interrupt controller lets the bus's line through only while the bus sleeps; the handler holds it back again, and
//! leaves the device to the task that it wakes. So a device that goes on requesting does no harm, and the handler writes
//! no register of it: a write of I2C1's `C` starts a transfer in QEMU [HW 12].

use takt_rpi4::drivers::gic400::Intid;
use takt_rpi4::drivers::wait::Wait;
use takt_rpi4::{devices, map};

use crate::clock::{from_now, micros};
use crate::event::Event;

/// The interrupt line of a bus, and what its handler sets.
#[derive(Debug)]
struct Line {
    intid: Intid,
    has_come: Event,
}

static SPI0: Line = Line { intid: map::SPI0_INTID, has_come: Event::new() };
static I2C1: Line = Line { intid: map::I2C1_INTID, has_come: Event::new() };

impl Line {
    /// Holds the line back. The numbers are those of lines that the controller has, so this does not fail.
    fn hold_back(&self) {
        let _ = devices::distributor().disable(self.intid);
    }

    fn let_through(&self) {
        let _ = devices::distributor().enable(self.intid);
    }

    /// For the kernel handler.
    fn wake(&self) {
        self.hold_back();
        self.has_come.set_from_handler();
    }
}

/// The kernel handler of SPI0.
pub(super) fn wake_spi0() {
    SPI0.wake();
}

/// The kernel handler of I2C1.
pub(super) fn wake_i2c1() {
    I2C1.wake();
}

/// Sleeps until the bus's interrupt: less urgent tasks run meanwhile. Used by one task at a time.
#[derive(Debug)]
pub struct Sleeping {
    line: &'static Line,
    wakes: u32,
}

impl Sleeping {
    pub(super) fn on_spi0() -> Self {
        Self::on(&SPI0)
    }

    pub(super) fn on_i2c1() -> Self {
        Self::on(&I2C1)
    }

    /// Until the first sleep the line is held back; the table let it through at the start.
    fn on(line: &'static Line) -> Self {
        line.hold_back();
        Self { line, wakes: 0 }
    }

    /// How often an interrupt ended a sleep. It wraps.
    #[must_use]
    pub const fn wakes(&self) -> u32 {
        self.wakes
    }
}

impl Wait for Sleeping {
    const IS_BY_INTERRUPT: bool = true;

    fn sleep(&mut self, us: u64) -> bool {
        let deadline = from_now(micros(us));
        self.line.let_through();
        let mut has_come = self.line.has_come.wait_until(deadline).is_ok();
        if !has_come {
            self.line.hold_back();
            // It may have come just before this, and counts. The deadline has passed, so nothing is waited for.
            has_come = self.line.has_come.wait_until(deadline).is_ok();
        }
        self.wakes = self.wakes.wrapping_add(u32::from(has_come));
        has_come
    }
}
