// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stream of items from one task to another, on any core, in runs: which places are whose, and when the consumer is told.
//!
//! Positions count items, in 63 bits, which do not wrap. The producer alone moves `written` on, the consumer alone `read`, and
//! each has its own position, and the other's as it last saw it, in its own hands: a burst looks at the other's line once.
//!
//! *Why an item is never seen half or overwritten.* A place is the consumer's from when `written` is beyond it, which is released
//! behind the items and acquired before they are read; it is the producer's again from when `read` is beyond it, in the same way.
//!
//! *Why the consumer is always woken.* It writes down the position that it awaits, and then sets a flag in the very word that
//! says what was written. The producer moves that word on by a read-modify-write too, so one of the two comes first. Is it the
//! producer's, the consumer finds the items in the word that it sets its flag in, and does not sleep. Is it the consumer's, the
//! producer finds the flag, and behind it the position that is awaited, since the one is released and the other acquired. Either
//! it has written so many: it takes the flag back, and *then* tells the consumer; or it leaves the flag for its next run.
//!
//! A flag that the producer takes back late may be one that the consumer has set meanwhile for another wait. It is told behind
//! that all the same, wakes, finds too few, and sets the flag again: being told means no more than to look. So the consumer
//! sets the flag anew before each sleep, and a flag is never taken back without a word.

#[cfg(not(test))]
use core::sync::atomic::{AtomicUsize, Ordering};
#[cfg(test)]
use loom::sync::atomic::{AtomicUsize, Ordering};

/// What both sides of a stream of `PLACES` places, a power of two, see. All zeros while it is new.
#[derive(Debug)]
pub struct Positions<const PLACES: usize> {
    written: Written,
    read: Read,
}

/// Items that were ever written, times two, and [`AWAITED`]. On a cache line of its own.
#[derive(Debug)]
#[repr(align(64))]
struct Written(AtomicUsize);

/// What the consumer alone writes, on another.
#[derive(Debug)]
#[repr(align(64))]
struct Read {
    /// Items that were ever read.
    position: AtomicUsize,
    /// With the flag: so many are to be written before the consumer is told.
    awaited: AtomicUsize,
}

/// The consumer wants to be told.
const AWAITED: usize = 1;

/// Places that lie one behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The first place.
    pub place: usize,
    /// The item of the run that it is for.
    pub item: usize,
    /// How many, at least 1.
    pub count: usize,
}

/// What became of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the consumer may have to be told"]
pub struct Run {
    /// How many items were written.
    pub count: usize,
    /// Whether the consumer has to be told.
    pub tell: bool,
}

/// The producer's side.
#[derive(Debug, Default)]
pub struct Producing {
    written: usize,
    /// How far the consumer was when this side last looked.
    read: usize,
    found_full: u64,
}

/// The consumer's side.
#[derive(Debug, Default)]
pub struct Consuming {
    read: usize,
    /// How far the producer was when this side last looked.
    written: usize,
    found_empty: u64,
}

impl<const PLACES: usize> Positions<PLACES> {
    const MASK: usize = {
        assert!(
            PLACES.is_power_of_two() && PLACES <= 1 << 31,
            "takt: a stream has 1, 2, 4, 8, ... places, 2,147,483,648 at the most"
        );
        PLACES.wrapping_sub(1)
    };

    /// Nothing was written.
    #[must_use]
    #[cfg(not(test))]
    #[expect(clippy::new_without_default, reason = "it is part of a static")]
    pub const fn new() -> Self {
        Self {
            written: Written(AtomicUsize::new(0)),
            read: Read { position: AtomicUsize::new(0), awaited: AtomicUsize::new(0) },
        }
    }

    /// The same for loom, whose atomics are not constant.
    #[cfg(test)]
    pub(super) fn new() -> Self {
        Self {
            written: Written(AtomicUsize::new(0)),
            read: Read { position: AtomicUsize::new(0), awaited: AtomicUsize::new(0) },
        }
    }

    /// The places of `count` items, `PLACES` at the most, from `position` on: two pieces where they go around the end.
    #[inline(always)]
    fn for_each_piece(position: usize, count: usize, mut each: impl FnMut(Piece)) {
        let first = Self::first_piece(position, count);
        if first.count > 0 {
            each(first);
        }
        if first.count < count {
            each(Piece { place: 0, item: first.count, count: count.wrapping_sub(first.count) });
        }
    }

    #[inline(always)]
    fn first_piece(position: usize, count: usize) -> Piece {
        let place = position & Self::MASK;
        Piece { place, item: 0, count: count.min(PLACES.wrapping_sub(place)) }
    }
}

impl Producing {
    /// The side of a stream to which nothing was written.
    #[must_use]
    pub const fn new() -> Self {
        Self { written: 0, read: 0, found_full: 0 }
    }

    /// Lets `write` write a run of `wish` items, or as many as have a place.
    #[inline(always)]
    pub fn write<const PLACES: usize>(
        &mut self,
        positions: &Positions<PLACES>,
        wish: usize,
        write: impl FnMut(Piece),
    ) -> Run {
        let count = self.room(positions, wish).min(wish);
        if count < wish {
            self.found_full = self.found_full.wrapping_add(1);
        }
        if count == 0 {
            return Run { count, tell: false };
        }
        Positions::<PLACES>::for_each_piece(self.written, count, write);
        self.written = self.written.wrapping_add(count);
        // Release: who finds the position finds the items. Acquire: who finds the flag finds what is awaited.
        let former = positions.written.0.fetch_add(count.wrapping_shl(1), Ordering::AcqRel);
        Run { count, tell: former & AWAITED != 0 && self.is_enough(positions) }
    }

    /// How many places there are, as far as is known; known anew where these are fewer than `wish`.
    #[inline(always)]
    pub fn room<const PLACES: usize>(&mut self, positions: &Positions<PLACES>, wish: usize) -> usize {
        let room = |read| PLACES.wrapping_sub(self.written.wrapping_sub(read));
        if room(self.read) < wish {
            // Acquire: the items of these places were read.
            self.read = positions.read.position.load(Ordering::Acquire);
        }
        PLACES.wrapping_sub(self.written.wrapping_sub(self.read))
    }

    /// Whether the consumer, which has set its flag, has what it awaits. Then the flag is taken back.
    #[cold]
    #[inline(never)]
    fn is_enough<const PLACES: usize>(&self, positions: &Positions<PLACES>) -> bool {
        // Relaxed: ordered by the flag. Where a later wait's is found, whose flag this side has not seen, that wait sees what
        // was written.
        let is_enough = self.written >= positions.read.awaited.load(Ordering::Relaxed);
        if is_enough {
            // Relaxed: it belongs to the release of the position, as each read-modify-write behind that does.
            positions.written.0.fetch_and(!AWAITED, Ordering::Relaxed);
        }
        is_enough
    }

    /// How many runs did not find a place for all of their items.
    #[must_use]
    pub const fn found_full(&self) -> u64 {
        self.found_full
    }
}

impl Consuming {
    /// The side of a stream to which nothing was written.
    #[must_use]
    pub const fn new() -> Self {
        Self { read: 0, written: 0, found_empty: 0 }
    }

    /// Lets `read` read a run of `wish` items, or as many as there are. Answers how many.
    #[inline(always)]
    pub fn read<const PLACES: usize>(
        &mut self,
        positions: &Positions<PLACES>,
        wish: usize,
        read: impl FnMut(Piece),
    ) -> usize {
        let count = self.available(positions, wish).min(wish);
        if count == 0 {
            self.note_empty(wish);
            return 0;
        }
        Positions::<PLACES>::for_each_piece(self.read, count, read);
        self.go_on(positions, count);
        count
    }

    /// Lets `look` look at the items that lie one behind the other, and say how many of them it has used. Answers `None` where
    /// there is none.
    #[inline(always)]
    pub fn look<const PLACES: usize>(
        &mut self,
        positions: &Positions<PLACES>,
        look: impl FnOnce(Piece) -> usize,
    ) -> Option<usize> {
        let piece = Positions::<PLACES>::first_piece(self.read, self.available(positions, 1));
        if piece.count == 0 {
            self.note_empty(1);
            return None;
        }
        let used = look(piece).min(piece.count);
        self.go_on(positions, used);
        Some(used)
    }

    #[inline(always)]
    fn go_on<const PLACES: usize>(&mut self, positions: &Positions<PLACES>, count: usize) {
        self.read = self.read.wrapping_add(count);
        // Release: the items are out.
        positions.read.position.store(self.read, Ordering::Release);
    }

    /// How many items there are, as far as is known; known anew where these are fewer than `wish`.
    #[inline(always)]
    pub fn available<const PLACES: usize>(&mut self, positions: &Positions<PLACES>, wish: usize) -> usize {
        if self.written.wrapping_sub(self.read) < wish {
            // Acquire: the items are seen.
            self.written = positions.written.0.load(Ordering::Acquire).wrapping_shr(1);
        }
        self.written.wrapping_sub(self.read)
    }

    /// Asks to be told when there are `least` items, which are `PLACES` at the most. False where there are already: then nothing
    /// is asked any more. Called before each sleep.
    pub fn ask<const PLACES: usize>(&mut self, positions: &Positions<PLACES>, least: usize) -> bool {
        // Relaxed: the flag is set behind it.
        positions.read.awaited.store(self.read.wrapping_add(least), Ordering::Relaxed);
        // Release: who finds the flag finds the above. Acquire: the items are seen.
        let word = positions.written.0.fetch_or(AWAITED, Ordering::AcqRel);
        self.written = word.wrapping_shr(1);
        let are_too_few = self.written.wrapping_sub(self.read) < least;
        if !are_too_few {
            self.ask_no_more(positions);
        }
        are_too_few
    }

    /// Asks no more. It may be told once all the same.
    pub fn ask_no_more<const PLACES: usize>(&self, positions: &Positions<PLACES>) {
        // Relaxed: nothing is told by this.
        positions.written.0.fetch_and(!AWAITED, Ordering::Relaxed);
    }

    #[cold]
    #[inline(never)]
    fn note_empty(&mut self, wish: usize) {
        if wish > 0 {
            self.found_empty = self.found_empty.wrapping_add(1);
        }
    }

    /// How many reads found nothing.
    #[must_use]
    pub const fn found_empty(&self) -> u64 {
        self.found_empty
    }
}
