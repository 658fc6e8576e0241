// SPDX-License-Identifier: MIT OR Apache-2.0
//! How often one core gave or released something of another's.

#[cfg(not(test))]
use core::sync::atomic::{AtomicU32, Ordering};
#[cfg(test)]
use loom::sync::atomic::{AtomicU32, Ordering};

/// A count that one core raises and another takes from. All zeros while it is new.
///
/// Both numbers wrap at 2^32, of which the difference is right as long as fewer than 2^32 are under way: at one a microsecond, for
/// more than an hour in which the receiver takes none.
#[derive(Debug)]
pub struct Count {
    /// How many were ever sent. Written by the sender alone.
    sent: AtomicU32,
    /// How many were ever taken. Written by the receiver alone.
    taken: AtomicU32,
}

impl Count {
    /// None.
    #[must_use]
    #[cfg(not(test))]
    #[expect(clippy::new_without_default, reason = "it is part of a static")]
    pub const fn new() -> Self {
        Self { sent: AtomicU32::new(0), taken: AtomicU32::new(0) }
    }

    /// The same for loom, with numbers that are about to wrap.
    #[cfg(test)]
    pub(super) fn starting_at(number: u32) -> Self {
        Self { sent: AtomicU32::new(number), taken: AtomicU32::new(number) }
    }

    /// Sends one. Called by the sender, one at a time.
    #[inline(always)]
    pub fn send(&self) {
        // Release: an earlier one's bit may bring this one, too, and with it what was done before it.
        self.sent.store(self.sent.load(Ordering::Relaxed).wrapping_add(1), Ordering::Release);
    }

    /// Takes what was sent, `most` of it at the most. Called by the receiver.
    pub fn take(&self, most: u32) -> u32 {
        let taken = self.taken.load(Ordering::Relaxed);
        // Acquire: what was done before each of them is seen.
        let count = self.sent.load(Ordering::Acquire).wrapping_sub(taken).min(most);
        self.taken.store(taken.wrapping_add(count), Ordering::Relaxed);
        count
    }

    /// Whether all that was sent was taken. Called by the receiver.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sent.load(Ordering::Relaxed) == self.taken.load(Ordering::Relaxed)
    }
}
