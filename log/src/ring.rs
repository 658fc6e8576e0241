// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whole frames on their way from those who log to the one who sends.
//!
//! Many may push, each preempting another in the middle; one takes. A record is a word that says its length and whether it
//! is whole, and the frame's bytes, filled up to words. Positions count words and wrap at 2^32.
//!
//! *A push* advances `reserved` by the record's length, in one compare-and-swap, and the record is its own from then on. It
//! copies the bytes, with interrupts on, and stores the first word last. A task that is preempted in between keeps nobody
//! from pushing; the taker waits for it, since it takes records in order.
//!
//! *Why a record is never seen half*: the taker looks at the word at `taken`. It is the first of the oldest record or, where
//! there is none, a word that nobody has reserved. Free words are zero: they are so at first, and the taker writes zero to
//! all words of a record before it gives them up. So the taker sees zero until the pusher has stored the first word, with
//! `Release` after the bytes.
//!
//! *Why a record is never overwritten*: room is what `taken` says, which is read before the compare-and-swap and only grows.
//! The swap succeeds only where `reserved` is still what the room was reckoned with.

#[cfg(not(test))]
use core::sync::atomic::{AtomicU32, Ordering};
#[cfg(test)]
use loom::sync::atomic::{AtomicU32, Ordering};

/// The first word of a record that is whole; its length in bytes is below.
const WHOLE: u32 = 1 << 31;

/// A ring of `WORDS` words, a power of two.
#[derive(Debug)]
pub struct FrameRing<const WORDS: usize> {
    words: [AtomicU32; WORDS],
    /// Words that were ever reserved.
    reserved: AtomicU32,
    /// Words that were ever taken.
    taken: AtomicU32,
}

/// There is no room for a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom;

impl<const WORDS: usize> FrameRing<WORDS> {
    const CHECKED: () = assert!(WORDS.is_power_of_two() && WORDS <= 1 << 20, "a ring has 2^n words, 2^20 at the most");

    /// An empty ring.
    #[must_use]
    #[cfg(not(test))]
    #[expect(clippy::new_without_default, reason = "a ring is a static")]
    pub const fn new() -> Self {
        let () = Self::CHECKED;
        Self { words: [const { AtomicU32::new(0) }; WORDS], reserved: AtomicU32::new(0), taken: AtomicU32::new(0) }
    }

    /// The same for loom, whose atomics are not constant, and with positions that are about to wrap.
    #[cfg(test)]
    fn starting_at(position: u32) -> Self {
        let () = Self::CHECKED;
        Self {
            words: std::array::from_fn(|_| AtomicU32::new(0)),
            reserved: AtomicU32::new(position),
            taken: AtomicU32::new(position),
        }
    }

    fn word(&self, position: u32) -> &AtomicU32 {
        #[expect(
            clippy::indexing_slicing,
            clippy::arithmetic_side_effects,
            reason = "the remainder is below WORDS, not 0"
        )]
        &self.words[position as usize % WORDS]
    }

    /// Appends a frame, provided that `kept_free_words` stay free. Anyone may call this, handlers included: nobody waits.
    ///
    /// # Errors
    /// There is no room.
    pub fn push(&self, frame: &[u8], kept_free_words: u32) -> Result<(), NoRoom> {
        let length = u32::try_from(frame.len()).map_err(|_| NoRoom)?;
        let needed = length.div_ceil(4).saturating_add(1);
        let record = self.reserve(needed, kept_free_words)?;
        for (bytes, position) in frame.chunks(4).zip(1_u32..) {
            let mut word = [0; 4];
            for (to, &from) in word.iter_mut().zip(bytes) {
                *to = from;
            }
            self.word(record.wrapping_add(position)).store(u32::from_le_bytes(word), Ordering::Relaxed);
        }
        self.word(record).store(WHOLE | length, Ordering::Release);
        Ok(())
    }

    /// Reserves `needed` words and answers where they begin.
    fn reserve(&self, needed: u32, kept_free_words: u32) -> Result<u32, NoRoom> {
        loop {
            // In this order. What was taken had been reserved before, which Acquire lets us see: otherwise `reserved` might
            // be read as older than `taken`. The words that the taker gave up are zero by now for the same reason.
            let taken = self.taken.load(Ordering::Acquire);
            let reserved = self.reserved.load(Ordering::Relaxed);
            let used = reserved.wrapping_sub(taken);
            let free = u32::try_from(WORDS).unwrap_or(0).saturating_sub(used);
            if needed.saturating_add(kept_free_words) > free {
                return Err(NoRoom);
            }
            let next = reserved.wrapping_add(needed);
            // Fails only where somebody else has got on meanwhile, or was in between.
            if self.reserved.compare_exchange_weak(reserved, next, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return Ok(reserved);
            }
        }
    }

    /// Takes the oldest frame out, writes it to `into` and answers its length in bytes; `None` where there is none, or where
    /// it is not whole yet. A frame that is longer than `into` is cut. Called by one taker.
    pub fn take(&self, into: &mut [u8]) -> Option<usize> {
        let record = self.taken.load(Ordering::Relaxed);
        let first = self.word(record).load(Ordering::Acquire);
        if first & WHOLE == 0 {
            return None;
        }
        self.word(record).store(0, Ordering::Relaxed);
        let length = first & !WHOLE;
        let words = length.div_ceil(4);
        let mut chunks = into.chunks_mut(4);
        for position in 1..=words {
            let word = self.word(record.wrapping_add(position));
            let bytes = word.load(Ordering::Relaxed).to_le_bytes();
            word.store(0, Ordering::Relaxed);
            for (to, from) in chunks.next().unwrap_or_default().iter_mut().zip(bytes) {
                *to = from;
            }
        }
        // The words are zero before anybody reserves them: Release.
        self.taken.store(record.wrapping_add(words).wrapping_add(1), Ordering::Release);
        Some(usize::try_from(length).unwrap_or(usize::MAX).min(into.len()))
    }

    /// Whether [`take`](Self::take) would find nothing now. Called by the taker.
    pub fn has_none(&self) -> bool {
        self.word(self.taken.load(Ordering::Relaxed)).load(Ordering::Acquire) & WHOLE == 0
    }
}

#[cfg(test)]
#[path = "ring/tests.rs"]
mod tests;
