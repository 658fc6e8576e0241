// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a slot to the console task while a run goes on: values in the order in which they came, and the latest of something.
//!
//! Slot and console task may be on different cores, and neither waits. What has no room is lost, counted and told.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use takt::handover::Handover;
use takt::kernel::crossing::latest::Latest;
use takt::kernel::crossing::stream::{Consuming, Positions, Producing};

/// A ring of `PLACES` items, each of so many words.
pub(crate) struct Feed<const PLACES: usize, const WORDS: usize> {
    positions: Positions<PLACES>,
    places: [[AtomicU64; WORDS]; PLACES],
    producing: Handover<Producing>,
    consuming: Handover<Consuming>,
    lost: AtomicU32,
}

impl<const PLACES: usize, const WORDS: usize> Feed<PLACES, WORDS> {
    pub(crate) const fn new() -> Self {
        Self {
            positions: Positions::new(),
            places: [const { [const { AtomicU64::new(0) }; WORDS] }; PLACES],
            producing: Handover::new(Producing::new()),
            consuming: Handover::new(Consuming::new()),
            lost: AtomicU32::new(0),
        }
    }

    /// Puts an item behind the others. Called by the slot.
    pub(crate) fn put(&self, item: [u64; WORDS]) {
        let Some(mut producing) = self.producing.take() else { return };
        let run = producing.write(&self.positions, 1, |piece| {
            if let Some(place) = self.places.get(piece.place) {
                store(place, item);
            }
        });
        if run.count == 0 {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The oldest item. Called by the console task.
    pub(crate) fn take(&self) -> Option<[u64; WORDS]> {
        let mut item = None;
        self.consuming.take()?.read(&self.positions, 1, |piece| item = self.places.get(piece.place).map(load));
        item
    }

    /// Throws away what is left of an earlier run. Called by the console task while the slot does not run.
    pub(crate) fn clear(&self) {
        while self.take().is_some() {}
        self.lost.store(0, Ordering::Relaxed);
    }

    /// How many items had no room. Called by the console task.
    pub(crate) fn lost(&self) -> u32 {
        self.lost.load(Ordering::Relaxed)
    }
}

/// The latest of something, so many words.
pub(crate) struct Latter<const WORDS: usize> {
    which: Latest,
    places: [[AtomicU64; WORDS]; 3],
}

impl<const WORDS: usize> Latter<WORDS> {
    pub(crate) const fn new() -> Self {
        Self { which: Latest::new(), places: [const { [const { AtomicU64::new(0) }; WORDS] }; 3] }
    }

    /// Makes this the latest. Called by the slot.
    pub(crate) fn put(&self, item: [u64; WORDS]) {
        self.which.write(|place| {
            if let Some(place) = self.places.get(place) {
                store(place, item);
            }
        });
    }

    /// The latest, if it was not taken before. Called by the console task.
    pub(crate) fn take(&self) -> Option<[u64; WORDS]> {
        self.which.take(|place| self.places.get(place).map(load)).flatten()
    }
}

/// Relaxed: the place is one side's while it writes or reads it.
fn store<const WORDS: usize>(place: &[AtomicU64; WORDS], item: [u64; WORDS]) {
    place.iter().zip(item).for_each(|(word, value)| word.store(value, Ordering::Relaxed));
}

fn load<const WORDS: usize>(place: &[AtomicU64; WORDS]) -> [u64; WORDS] {
    place.each_ref().map(|word| word.load(Ordering::Relaxed))
}
