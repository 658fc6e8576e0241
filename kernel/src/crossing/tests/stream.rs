// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two sides of a stream, in every order in which what they do can be seen.

use std::vec::Vec;

use loom::sync::Arc;
use loom::sync::atomic::AtomicU32;
use loom::thread::{self, JoinHandle};

use super::super::stream::{Consuming, Positions, Producing};
use super::{Line, Plain};

const PLACES: usize = 2;

struct Shared {
    positions: Positions<PLACES>,
    items: [Plain; PLACES],
    /// What the consumer sleeps by.
    told: Line,
}

impl Shared {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            positions: Positions::new(),
            items: [(); PLACES].map(|()| Plain::new()),
            told: Line(AtomicU32::new(0)),
        })
    }

    /// Writes as many of the items `from`, `from` + 1 ... as fit. Answers how many.
    fn write(&self, producing: &mut Producing, from: u32, wish: usize) -> u32 {
        let run = producing.write(&self.positions, wish, |piece| {
            for (item, place) in (from..).skip(piece.item).zip(piece.place..).take(piece.count) {
                self.items[place].write(item);
            }
        });
        if run.tell {
            self.told.raise();
        }
        u32::try_from(run.count).unwrap()
    }

    /// Waits for `least` items, as a task does. Where it sleeps, all comes that is still to come, and the producer ends.
    fn wait(&self, consuming: &mut Consuming, least: usize, producer: &mut Option<JoinHandle<()>>) {
        while consuming.ask(&self.positions, least) {
            if !self.told.acknowledge() {
                producer.take().expect("it sleeps for ever").join().unwrap();
                assert!(self.told.acknowledge(), "it sleeps, and is not told");
            }
        }
    }

    fn read(&self, consuming: &mut Consuming, wish: usize, into: &mut Vec<u32>) -> usize {
        consuming.read(&self.positions, wish, |piece| {
            into.extend((piece.place..).take(piece.count).map(|place| self.items[place].read()));
        })
    }
}

#[test]
fn items_come_whole_and_in_order() {
    loom::model(|| {
        let shared = Shared::new();
        let producer = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let mut producing = Producing::new();
                let mut written = 0;
                for wish in [1, 2, 1] {
                    written += shared.write(&mut producing, written, wish);
                }
                written
            })
        };
        let (mut consuming, mut items) = (Consuming::new(), Vec::new());
        for _ in 0..2 {
            shared.read(&mut consuming, 2, &mut items);
        }
        let written = producer.join().unwrap();
        shared.read(&mut consuming, 2, &mut items);
        assert!(items.iter().copied().eq(0..written), "{items:?} of {written}");
    });
}

#[test]
fn who_waits_is_told() {
    loom::model(|| {
        let shared = Shared::new();
        let producer = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let mut producing = Producing::new();
                assert_eq!(shared.write(&mut producing, 0, 1), 1);
                assert_eq!(shared.write(&mut producing, 1, 1), 1);
            })
        };
        let mut producer = Some(producer);
        let (mut consuming, mut items) = (Consuming::new(), Vec::new());
        // One, and then the other, each waited for: a flag that is taken back late meets the second wait.
        for _ in 0..2 {
            shared.wait(&mut consuming, 1, &mut producer);
            assert_eq!(shared.read(&mut consuming, 1, &mut items), 1);
        }
        assert_eq!(items, [0, 1]);
        if let Some(producer) = producer {
            producer.join().unwrap();
        }
    });
}

#[test]
fn who_waits_for_two_is_told_at_the_second() {
    loom::model(|| {
        let shared = Shared::new();
        let producer = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let mut producing = Producing::new();
                shared.write(&mut producing, 0, 1);
                shared.write(&mut producing, 1, 1);
            })
        };
        let mut consuming = Consuming::new();
        let sleeps = consuming.ask(&shared.positions, 2);
        producer.join().unwrap();
        assert_eq!(shared.told.acknowledge(), sleeps, "told if it sleeps, and only then");
        assert!(!consuming.ask(&shared.positions, 2));
    });
}

#[test]
fn who_gave_up_may_ask_for_fewer() {
    loom::model(|| {
        let shared = Shared::new();
        let producer = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let mut producing = Producing::new();
                assert_eq!(shared.write(&mut producing, 0, 1), 1);
            })
        };
        let mut producer = Some(producer);
        let mut consuming = Consuming::new();
        // Its deadline comes. The producer must not take what is awaited now for what was.
        assert!(consuming.ask(&shared.positions, 2));
        consuming.ask_no_more(&shared.positions);
        shared.wait(&mut consuming, 1, &mut producer);
        if let Some(producer) = producer {
            producer.join().unwrap();
        }
    });
}
