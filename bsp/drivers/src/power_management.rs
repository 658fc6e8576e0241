// SPDX-License-Identifier: MIT OR Apache-2.0
//! The power management block: the watchdog, and with it the reset of the whole chip `[HW 7]`.
//!
//! There is one way to restart the board: let the watchdog end. Each write carries a password, or is ignored `[HW 11]`,
//! pitfall 38. The firmware then loads everything anew, which takes seconds; a reset of the cores alone does not exist.

mod reset_cause;
mod timeout;

pub use reset_cause::ResetCause;
pub use timeout::{TimeoutError, WatchdogTicks};

use tock_registers::interfaces::{Readable, Writeable};
use tock_registers::register_structs;
use tock_registers::registers::ReadWrite;

register_structs! {
    /// The registers of the watchdog `[HW 7]`; those of the power domains around them are the firmware's.
    #[allow(non_snake_case, reason = "the register names are the hardware's")]
    pub PowerManagementRegisters {
        (0x00 => _power_domains),
        /// Reset control.
        (0x1C => RSTC: ReadWrite<u32>),
        /// Reset status.
        (0x20 => RSTS: ReadWrite<u32>),
        /// Watchdog counter.
        (0x24 => WDOG: ReadWrite<u32>),
        (0x28 => @END),
    }
}

/// What each write needs to be heeded, in bits 31:24.
const PASSWORD: u32 = 0x5A00_0000;
/// The bits that are not the password.
const CONTENT: u32 = 0x00FF_FFFF;

/// `RSTC`: what the watchdog's end does.
const WRCFG: u32 = 0b11 << 4;
/// `RSTC`: reset the whole chip.
const WRCFG_FULL_RESET: u32 = 0b10 << 4;
/// `RSTC` with the watchdog off, also its value after a reset.
const RSTC_OFF: u32 = 0x102;

/// `RSTS`: the partition to start from, six bits, every second one from bit 0.
const PARTITION: u32 = 0x555;
/// `RSTS`: partition 63, at which the firmware stays down.
const PARTITION_HALT: u32 = 0x555;
/// `RSTS`: partition 0, the one that the board starts from by itself.
const PARTITION_USUAL: u32 = 0;

/// The power management block. It has one owner.
pub struct PowerManagement<'a> {
    registers: &'a PowerManagementRegisters,
}

impl<'a> PowerManagement<'a> {
    /// A driver for these registers.
    #[must_use]
    pub const fn new(registers: &'a PowerManagementRegisters) -> Self {
        Self { registers }
    }

    /// Why the chip was last reset. Read before anybody calls [`PowerManagement::reboot`] or [`PowerManagement::halt`],
    /// which write into the same word.
    #[must_use]
    pub fn reset_cause(&self) -> ResetCause {
        ResetCause::new(self.registers.RSTS.get() & CONTENT)
    }

    /// Starts the watchdog, or starts it over: when `ticks` have passed without another call, the chip is reset. In QEMU it
    /// is reset at once `[HW 12]`.
    pub fn start_watchdog(&mut self, ticks: WatchdogTicks) {
        // The counter first: the old one might end as soon as its end means a reset.
        self.registers.WDOG.set(PASSWORD | ticks.get());
        let others = self.registers.RSTC.get() & CONTENT & !WRCFG;
        self.registers.RSTC.set(PASSWORD | others | WRCFG_FULL_RESET);
    }

    /// Stops the watchdog: one write.
    pub fn stop_watchdog(&mut self) {
        self.registers.RSTC.set(PASSWORD | RSTC_OFF);
    }

    /// Whether the end of the watchdog would reset the chip: somebody started it, perhaps the firmware.
    #[must_use]
    pub fn is_watchdog_running(&self) -> bool {
        self.registers.RSTC.get() & WRCFG == WRCFG_FULL_RESET
    }

    /// Has the chip reset and started as usual, about 150 µs later. The caller waits.
    pub fn reboot(&mut self) {
        self.reset_to(PARTITION_USUAL);
    }

    /// Has the chip reset and the firmware stay down: the board is off until its power is cycled. The caller waits.
    pub fn halt(&mut self) {
        self.reset_to(PARTITION_HALT);
    }

    fn reset_to(&mut self, partition: u32) {
        let others = self.registers.RSTS.get() & CONTENT & !PARTITION;
        self.registers.RSTS.set(PASSWORD | others | partition);
        self.start_watchdog(WatchdogTicks::FOR_RESET);
    }
}
