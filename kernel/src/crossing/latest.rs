// SPDX-License-Identifier: MIT OR Apache-2.0
//! The latest value from one core to another: which of three places is whose.
//!
//! One place is the sender's, one the receiver's, and the third lies between them, with or without a value that is new. Both
//! sides exchange their own for that one in a single read-modify-write, so no place is ever two sides', and nobody waits.

#[cfg(not(test))]
use core::sync::atomic::{AtomicU32, Ordering};
#[cfg(test)]
use loom::sync::atomic::{AtomicU32, Ordering};

/// Whose the three places are. All zeros while it is new.
#[derive(Debug)]
pub struct Latest {
    /// The place between the sides, less one, and [`IS_NEW`].
    between: AtomicU32,
    /// The sender's place, less two. The sender's alone.
    writing: AtomicU32,
    /// The receiver's place. The receiver's alone.
    reading: AtomicU32,
}

/// Set where the place between the sides has a value that nobody has read.
const IS_NEW: u32 = 4;
/// So many places.
const PLACES: u32 = 3;

impl Latest {
    /// No value.
    #[must_use]
    #[cfg(not(test))]
    #[expect(clippy::new_without_default, reason = "it is part of a static")]
    pub const fn new() -> Self {
        Self { between: AtomicU32::new(0), writing: AtomicU32::new(0), reading: AtomicU32::new(0) }
    }

    /// The same for loom, whose atomics are not constant.
    #[cfg(test)]
    pub(super) fn new() -> Self {
        Self { between: AtomicU32::new(0), writing: AtomicU32::new(0), reading: AtomicU32::new(0) }
    }

    /// Lets `write` write a value into a place, 0 to 2, and makes it the latest. Called by the sender, one at a time.
    #[inline(always)]
    pub fn write(&self, write: impl FnOnce(usize)) {
        let place = moved(self.writing.load(Ordering::Relaxed), 2);
        write(place as usize);
        // Release: the value is seen by who finds the place. Acquire: what was read out of the place that comes back was read.
        let former = self.between.swap(moved(place, PLACES - 1) | IS_NEW, Ordering::AcqRel);
        self.writing.store(moved(moved(former & !IS_NEW, 1), PLACES - 2), Ordering::Relaxed);
    }

    /// Lets `read` read the latest value out of its place; `None` where there is none that was not read. Called by the receiver.
    pub fn take<R>(&self, read: impl FnOnce(usize) -> R) -> Option<R> {
        if self.between.load(Ordering::Relaxed) & IS_NEW == 0 {
            return None;
        }
        let own = self.reading.load(Ordering::Relaxed);
        // As above, the other way round.
        let between = self.between.swap(moved(own, PLACES - 1), Ordering::AcqRel);
        let place = moved(between & !IS_NEW, 1);
        self.reading.store(place, Ordering::Relaxed);
        Some(read(place as usize))
    }
}

/// `place`, so many further.
#[inline(always)]
const fn moved(place: u32, by: u32) -> u32 {
    let moved = place.wrapping_add(by);
    if moved < PLACES { moved } else { moved.wrapping_sub(PLACES) }
}
