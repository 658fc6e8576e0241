// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which objects have letters from one core for another: a bit each.

#[cfg(not(test))]
use core::sync::atomic::{AtomicU64, Ordering};
#[cfg(test)]
use loom::sync::atomic::{AtomicU64, Ordering};

/// How many letters a receiver delivers in one kernel step at the most: as long as its other kernel handlers wait for that.
pub const MOST_A_STEP: u32 = 8;

/// A word that one core sets bits in and another takes them from. Zero while it is new.
#[derive(Debug)]
pub struct Dirty(AtomicU64);

impl Dirty {
    /// No bit is set.
    #[must_use]
    #[cfg(not(test))]
    #[expect(clippy::new_without_default, reason = "it is part of a static")]
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// The same for loom, whose atomics are not constant.
    #[cfg(test)]
    pub(super) fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Sets `bit`, behind the letter that was written. Answers whether the interrupt has to be raised: no bit was set. Called by
    /// the sender.
    #[inline(always)]
    #[must_use = "the interrupt has to be raised"]
    pub fn set(&self, bit: u64) -> bool {
        // Release: the letter is seen by who takes the bit.
        self.0.fetch_or(bit, Ordering::Release) == 0
    }

    /// Takes all bits. What is sent from now on raises the interrupt anew. Called by the receiver, behind the interrupt.
    #[inline(always)]
    #[must_use = "these objects have letters"]
    pub fn take(&self) -> u64 {
        // Most words are empty. A bit that this load misses has raised, or is behind one that has raised, an interrupt that has
        // not been acknowledged yet: then the receiver comes again.
        if self.0.load(Ordering::Relaxed) == 0 {
            return 0;
        }
        // Acquire: the letters of these bits are seen.
        self.0.swap(0, Ordering::Acquire)
    }

    /// Puts bits back that were taken, since there are more letters; the receiver raises the interrupt at itself.
    pub fn put_back(&self, bits: u64) {
        // Relaxed: it comes between what senders set and the next taking without hiding either's order, as every
        // read-modify-write does.
        self.0.fetch_or(bits, Ordering::Relaxed);
    }
}
