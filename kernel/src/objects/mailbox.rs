// SPDX-License-Identifier: MIT OR Apache-2.0
//! A ring of messages from one side that may come at any instruction of the other: which place is whose. The messages
//! themselves are the board's.
//!
//! Positions count messages and wrap at 2^32. One side alone writes `posted` and one alone `taken`, so nobody ever tries
//! again. *Why a message is never seen half*: its place is beyond `posted` until it is whole, which `Release` and `Acquire`
//! order. *Why a message is never overwritten*: a place is used again only once `taken` is beyond it, which says in the same
//! way that the message is out.

#[cfg(not(test))]
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
#[cfg(test)]
use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A ring of `PLACES` places, a power of two. All zeros while it is new.
#[derive(Debug)]
pub struct MailboxRing<const PLACES: usize> {
    /// Messages that were ever posted.
    posted: AtomicU32,
    /// Messages that were ever taken.
    taken: AtomicU32,
    /// Messages that found no place.
    dropped: AtomicU64,
}

impl<const PLACES: usize> MailboxRing<PLACES> {
    const COUNT: u32 = {
        assert!(
            PLACES.is_power_of_two() && PLACES <= 1 << 31,
            "takt: a mailbox has 1, 2, 4, 8, ... places, 2,147,483,648 at the most"
        );
        #[expect(clippy::cast_possible_truncation, reason = "looked at above")]
        let count = PLACES as u32;
        count
    };

    /// An empty ring.
    #[must_use]
    #[cfg(not(test))]
    #[expect(clippy::new_without_default, reason = "a ring is part of a static")]
    pub const fn new() -> Self {
        Self { posted: AtomicU32::new(0), taken: AtomicU32::new(0), dropped: AtomicU64::new(0) }
    }

    /// The same for loom, whose atomics are not constant, and with positions that are about to wrap.
    #[cfg(test)]
    fn starting_at(position: u32) -> Self {
        Self { posted: AtomicU32::new(position), taken: AtomicU32::new(position), dropped: AtomicU64::new(0) }
    }

    /// Posts a message, which `write` writes into the place that it is given. For one side at a time.
    ///
    /// # Errors
    /// The message, where there is no place: it counts as dropped.
    #[inline(always)]
    pub fn post<T>(&self, message: T, write: impl FnOnce(usize, T)) -> Result<(), T> {
        let posted = self.posted.load(Ordering::Relaxed);
        if posted.wrapping_sub(self.taken.load(Ordering::Acquire)) == Self::COUNT {
            self.note_dropped();
            return Err(message);
        }
        write(Self::place(posted), message);
        self.posted.store(posted.wrapping_add(1), Ordering::Release);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn note_dropped(&self) {
        self.dropped.store(self.dropped.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }

    /// Takes what `read` reads out of the place that it is given, the oldest; `None` where there is none. For one at a time,
    /// whom a post may interrupt.
    #[inline(always)]
    pub fn take<R>(&self, read: impl FnOnce(usize) -> R) -> Option<R> {
        let taken = self.taken.load(Ordering::Relaxed);
        if self.posted.load(Ordering::Acquire) == taken {
            return None;
        }
        let message = read(Self::place(taken));
        self.taken.store(taken.wrapping_add(1), Ordering::Release);
        Some(message)
    }

    /// How many messages there are. Called by who takes them.
    #[inline(always)]
    #[must_use]
    pub fn stored(&self) -> u32 {
        self.posted.load(Ordering::Relaxed).wrapping_sub(self.taken.load(Ordering::Relaxed))
    }

    /// How many messages found no place.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    #[inline(always)]
    const fn place(position: u32) -> usize {
        (position & Self::COUNT.wrapping_sub(1)) as usize
    }
}

#[cfg(test)]
mod tests;
