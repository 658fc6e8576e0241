// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a ring holds that is no longer written, oldest first.

use super::Entry;

/// The events of one use of a ring. A use begins at the first place, and empties the last one: so events of an earlier use,
/// which still stand behind the newest, are told from a ring that went round.
#[derive(Clone, Copy, Debug)]
pub struct History<'r> {
    /// Empty where the ring did not go round.
    older: &'r [Entry],
    newer: &'r [Entry],
    went_round: bool,
}

impl<'r> History<'r> {
    /// What `places` hold, where the next event would have gone to place `next`.
    #[must_use]
    pub fn new(places: &'r [Entry], next: usize) -> Self {
        let (newer, behind) = places.split_at_checked(next).unwrap_or((places, &[]));
        let went_round = places.last().is_some_and(|last| !last.is_none());
        Self { older: if went_round { behind } else { &[] }, newer, went_round }
    }

    /// The events, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &'r Entry> + use<'r> {
        self.older.iter().chain(self.newer)
    }

    /// How many there are.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.older.len().saturating_add(self.newer.len())
    }

    /// How many older events were overwritten at least: nothing where all of this use are there. A ring does not count how
    /// often it went round; where it is exactly full, the least is 0.
    #[must_use]
    pub const fn overwritten_at_least(&self) -> Option<usize> {
        if self.went_round { Some(self.newer.len()) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::History;
    use crate::trace::{Entry, Event};
    use proptest::prelude::*;
    use std::vec::Vec;

    const PLACES: usize = 8;

    /// A ring that is written as the device's is.
    struct Ring {
        places: [Entry; PLACES],
        next: usize,
    }

    impl Ring {
        const EMPTY: Self = Self { places: [Entry::NONE; PLACES], next: 0 };

        fn begin(&mut self) {
            self.next = 0;
            self.places[PLACES - 1] = Entry::NONE;
        }

        fn record(&mut self, value: u32) {
            self.places[self.next] = Entry { stamp_ticks: u64::from(value), word: Event::Mark { value }.to_word() };
            self.next = self.next.wrapping_add(1) % PLACES;
        }

        fn history(&self) -> History<'_> {
            History::new(&self.places, self.next)
        }
    }

    proptest! {
        /// Against the plain list of what was recorded: the latest of it are there, in order, and none of an earlier use.
        #[test]
        fn the_latest_events_of_this_use_are_there(uses in proptest::collection::vec(0_usize..30, 1..6)) {
            let mut ring = Ring::EMPTY;
            let mut value = 0_u32;
            for count in uses {
                ring.begin();
                let recorded: Vec<u32> = (value..).take(count).collect();
                recorded.iter().for_each(|&recorded| ring.record(recorded));
                value = value.saturating_add(1_000);
                let history = ring.history();
                let read: Vec<u32> = history.entries().map(|entry| u32::try_from(entry.stamp_ticks).unwrap()).collect();
                let lost = recorded.len().saturating_sub(PLACES);
                prop_assert_eq!(&read, &recorded[lost..]);
                prop_assert_eq!(history.count(), read.len());
                match history.overwritten_at_least() {
                    None => prop_assert_eq!(lost, 0),
                    Some(least) => prop_assert!(least <= lost && recorded.len() >= PLACES),
                }
            }
        }
    }

    #[test]
    fn a_full_ring_may_have_lost_nothing() {
        let mut ring = Ring::EMPTY;
        assert_eq!((ring.history().count(), ring.history().overwritten_at_least()), (0, None));
        for value in 0..8 {
            ring.record(value);
        }
        assert_eq!((ring.history().count(), ring.history().overwritten_at_least()), (PLACES, Some(0)));
        ring.record(8);
        assert_eq!((ring.history().count(), ring.history().overwritten_at_least()), (PLACES, Some(1)));
    }
}
