// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stream against a model that is too simple to be wrong: a queue of items.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the hot-path lints are for the executive; a test that cannot go on fails"
)]

use std::collections::VecDeque;

use proptest::prelude::{Strategy, prop, prop_oneof};
use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq, proptest};
use takt_kernel::crossing::stream::{Consuming, Positions, Producing};

const PLACES: usize = 8;

#[derive(Debug, Clone, Copy)]
enum Step {
    /// Writes a run of so many.
    Write(usize),
    /// Reads a run of so many.
    Read(usize),
    /// Looks at a run, and uses so many of it.
    Look(usize),
    /// Asks to be told of so many, and asks no more where that was `false`.
    Ask(usize, bool),
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..=PLACES + 2).prop_map(Step::Write),
        (0..=PLACES + 2).prop_map(Step::Read),
        (0..=PLACES + 2).prop_map(Step::Look),
        (1..=PLACES, prop::bool::ANY).prop_map(|(least, sleeps)| Step::Ask(least, sleeps)),
    ]
}

struct Trial {
    positions: Positions<PLACES>,
    producing: Producing,
    consuming: Consuming,
    places: [u64; PLACES],
    /// The item that is written next.
    next: u64,
    queue: VecDeque<u64>,
    /// So many items are to be there, with those that are read meanwhile, before the consumer is told.
    awaited: Option<u64>,
    found_full: u64,
    found_empty: u64,
}

impl Trial {
    fn new() -> Self {
        Self {
            positions: Positions::new(),
            producing: Producing::new(),
            consuming: Consuming::new(),
            places: [u64::MAX; PLACES],
            next: 0,
            queue: VecDeque::new(),
            awaited: None,
            found_full: 0,
            found_empty: 0,
        }
    }

    fn write(&mut self, wish: usize) -> Result<(), TestCaseError> {
        let expected = wish.min(PLACES - self.queue.len());
        let items: Vec<u64> = (self.next..).take(wish).collect();
        let mut pieces = Vec::new();
        let run = self.producing.write(&self.positions, wish, |piece| pieces.push(piece));
        for piece in &pieces {
            self.places[piece.place..][..piece.count].copy_from_slice(&items[piece.item..][..piece.count]);
        }
        prop_assert_eq!(run.count, expected);
        prop_assert_eq!(pieces.iter().map(|piece| piece.count).sum::<usize>(), expected);
        prop_assert!(pieces.iter().all(|piece| piece.count > 0));
        self.found_full += u64::from(expected < wish);
        self.queue.extend(&items[..expected]);
        self.next += expected as u64;
        let is_told = expected > 0 && self.awaited.is_some_and(|awaited| self.next >= awaited);
        prop_assert_eq!(run.tell, is_told);
        if is_told {
            self.awaited = None;
        }
        Ok(())
    }

    fn read(&mut self, wish: usize) -> Result<(), TestCaseError> {
        let mut items: Vec<u64> = Vec::new();
        let places = &self.places;
        let count = self.consuming.read(&self.positions, wish, |piece| {
            assert_eq!(piece.item, items.len());
            items.extend(&places[piece.place..][..piece.count]);
        });
        let expected: Vec<u64> = self.queue.drain(..wish.min(self.queue.len())).collect();
        prop_assert_eq!(count, expected.len());
        self.found_empty += u64::from(count == 0 && wish > 0);
        prop_assert_eq!(items, expected);
        Ok(())
    }

    fn look(&mut self, wish: usize) -> Result<(), TestCaseError> {
        let mut seen: Vec<u64> = Vec::new();
        let places = &self.places;
        let used = self.consuming.look(&self.positions, |piece| {
            seen.extend(&places[piece.place..][..piece.count]);
            wish
        });
        prop_assert_eq!(used.is_none(), self.queue.is_empty());
        prop_assert!(self.queue.iter().take(seen.len()).eq(&seen));
        let used = used.unwrap_or(0);
        prop_assert_eq!(used, wish.min(seen.len()));
        self.found_empty += u64::from(self.queue.is_empty());
        self.queue.drain(..used);
        Ok(())
    }

    fn ask(&mut self, least: usize, sleeps: bool) -> Result<(), TestCaseError> {
        let asks = self.consuming.ask(&self.positions, least);
        prop_assert_eq!(asks, self.queue.len() < least);
        self.awaited = asks.then_some(self.next - self.queue.len() as u64 + least as u64);
        if asks && !sleeps {
            self.consuming.ask_no_more(&self.positions);
            self.awaited = None;
        }
        Ok(())
    }

    fn step(&mut self, step: Step) -> Result<(), TestCaseError> {
        match step {
            Step::Write(wish) => self.write(wish)?,
            Step::Read(wish) => self.read(wish)?,
            Step::Look(wish) => self.look(wish)?,
            Step::Ask(least, sleeps) => self.ask(least, sleeps)?,
        }
        prop_assert_eq!(self.producing.found_full(), self.found_full);
        prop_assert_eq!(self.consuming.found_empty(), self.found_empty);
        Ok(())
    }
}

proptest! {
    #[test]
    fn the_stream_does_as_a_queue_does(steps in prop::collection::vec(steps(), 1..300)) {
        let mut trial = Trial::new();
        for step in steps {
            trial.step(step)?;
        }
    }
}
