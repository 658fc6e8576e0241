// SPDX-License-Identifier: MIT OR Apache-2.0
//! A wait that keeps the core busy, for drivers of others that ask for one.

use embedded_hal::delay::DelayNs;
use takt_rpi4::{counter, interrupts};

/// Waits by watching the counter: at least as long as asked for, to a tick of the counter (18.5 ns on a board) and a few
/// instructions more; longer where something more urgent runs meanwhile. Anyone may use it, but all that is less urgent
/// waits as well: a periodic task waits by [`Periodic::wait`](crate::Periodic::wait).
#[derive(Clone, Copy, Debug, Default)]
pub struct Delay;

impl Delay {
    /// Waits for so many of the second's `parts`.
    fn wait(count: u32, parts: u64) {
        let start = counter::ticks();
        // At most 2^32 times a frequency below 2^31: no overflow. A tick more, since the first may be nearly over.
        let ticks = u64::from(count).wrapping_mul(counter::frequency_hz()).div_ceil(parts).wrapping_add(1);
        while counter::ticks().wrapping_sub(start) < ticks {
            interrupts::yield_hint();
        }
    }
}

impl DelayNs for Delay {
    fn delay_ns(&mut self, ns: u32) {
        Self::wait(ns, 1_000_000_000);
    }

    fn delay_us(&mut self, us: u32) {
        Self::wait(us, 1_000_000);
    }

    fn delay_ms(&mut self, ms: u32) {
        Self::wait(ms, 1_000);
    }
}
