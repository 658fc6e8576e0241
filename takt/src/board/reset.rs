// SPDX-License-Identifier: MIT OR Apache-2.0
//! The watchdog, a restart, the end for good, and why the last reset was.

use core::time::Duration;

use takt_rpi4::drivers::power_management::{ResetCause, TimeoutError, WatchdogTicks};
use takt_rpi4::{devices, end, interrupts};

use super::facts;
use super::peripheral::{Peripheral, TakeError};
use crate::exclusive::device_exclusively;

/// Why the board was last reset, as read at boot, before anything could write into the same word. In QEMU power has always
/// just come on.
pub fn last_reset() -> Option<ResetCause> {
    facts().map(|facts| facts.last_reset)
}

/// Restarts the board: the whole chip is reset, and the firmware loads everything anew, which takes seconds. `takt run`
/// ends with status 125. Whoever has the console flushes it before. Anyone may call this.
pub fn reboot() -> ! {
    interrupts::mask();
    devices::power_management().reboot();
    end::stop()
}

/// Turns the board off until its power is cycled: it is reset, and the firmware stays down. `takt run` ends with status 0.
/// Whoever has the console flushes it before. Anyone may call this.
pub fn halt() -> ! {
    interrupts::mask();
    devices::power_management().halt();
    end::stop()
}

/// The watchdog: once started, it resets the board unless it is fed in time. Dropping it lets it run on, with nobody to
/// feed it.
///
/// Feed it from the task whose stopping means that the board has to restart: from the least urgent periodic task, it tells
/// of everything above that takes too much.
#[derive(Debug)]
pub struct Watchdog {
    ticks: Option<WatchdogTicks>,
}

impl Watchdog {
    /// The watchdog, once, as the firmware left it. Called by tasks.
    ///
    /// # Errors
    /// Somebody has it.
    pub fn take() -> Result<Self, TakeError> {
        Peripheral::Watchdog.claim()?;
        Ok(Self { ticks: None })
    }

    /// Whether it runs: who started it may be the firmware.
    #[must_use]
    pub fn is_running(&self) -> bool {
        devices::power_management().is_watchdog_running()
    }

    /// Starts it, or starts it over: after `timeout` (1 µs to 15.999984 s, rounded up to 15.26 µs; it may last up to 5 % more,
    /// since the watchdog's clock was not measured) the board is reset. In QEMU it is reset at once, whatever the time-out
    /// [HW 12].
    ///
    /// # Errors
    /// The time is none, or longer than the watchdog can wait. Nothing changes.
    pub fn start(&mut self, timeout: Duration) -> Result<(), TimeoutError> {
        let ticks = WatchdogTicks::at_least(timeout)?;
        self.ticks = Some(ticks);
        self.feed();
        Ok(())
    }

    /// Lets the time-out begin anew; does nothing unless it was started. A read and two writes.
    pub fn feed(&mut self) {
        if let Some(ticks) = self.ticks {
            device_exclusively("the watchdog is started", || devices::power_management().start_watchdog(ticks));
        }
    }

    /// Stops it, whoever started it: one write.
    pub fn stop(&mut self) {
        self.ticks = None;
        devices::power_management().stop_watchdog();
    }
}
