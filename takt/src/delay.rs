// SPDX-License-Identifier: MIT OR Apache-2.0
//! A wait that keeps the core busy, for drivers of others that ask for one.

use embedded_hal::delay::DelayNs;
use takt_rpi4::counter::Counter;
use takt_rpi4::drivers::clock::Deadline;

/// Waits by watching the counter: at least as long as asked for, to a tick of the counter (18.5 ns on a board) and a few
/// instructions more; longer where something more urgent runs meanwhile. Anyone may use it, but all that is less urgent
/// waits as well: a periodic task waits by [`Periodic::wait`](crate::Periodic::wait).
///
/// ```no_run
/// use takt::Delay;
/// use takt::hal::delay::DelayNs;
///
/// fn reset_the_display() {
///     Delay.delay_us(10);
/// }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Delay;

impl DelayNs for Delay {
    fn delay_ns(&mut self, ns: u32) {
        Deadline::after_ns(&Counter, u64::from(ns)).wait(&Counter);
    }

    fn delay_us(&mut self, us: u32) {
        Deadline::after_us(&Counter, u64::from(us)).wait(&Counter);
    }

    fn delay_ms(&mut self, ms: u32) {
        Deadline::after_us(&Counter, u64::from(ms).saturating_mul(1_000)).wait(&Counter);
    }
}
