// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a driver passes the time until its device has got on: looking at it, or asleep until its interrupt.

/// A way to wait, chosen when a driver is made.
///
/// The driver believes its device alone, at which it looks after each sleep, and its own clock: an interrupt too many does no
/// harm, and one too few ends the transfer.
pub trait Wait {
    /// Whether the device is to raise its interrupt.
    const IS_BY_INTERRUPT: bool;

    /// Returns when the device's interrupt has come, after `us` microseconds at the latest, and answers whether it came.
    #[must_use = "the interrupt may not have come"]
    fn sleep(&mut self, us: u64) -> bool;
}

/// The driver looks again and again: nothing that is less urgent runs meanwhile.
#[derive(Clone, Copy, Debug, Default)]
pub struct Polling;

impl Wait for Polling {
    const IS_BY_INTERRUPT: bool = false;

    /// Returns at once, for the next look.
    #[inline(always)]
    fn sleep(&mut self, _us: u64) -> bool {
        true
    }
}
