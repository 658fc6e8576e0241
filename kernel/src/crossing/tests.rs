// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two cores, in every order in which what they do can be seen.

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;

use super::count::Count;
use super::dirty::Dirty;
use super::flags::Flags;
use super::latest::Latest;

mod barrier;
mod stream;

/// A value that is not atomic: loom finds who touches it at the same time as another.
struct Plain {
    touched: UnsafeCell<()>,
    value: AtomicU32,
}

impl Plain {
    fn new() -> Self {
        Self { touched: UnsafeCell::new(()), value: AtomicU32::new(0) }
    }

    fn write(&self, value: u32) {
        self.touched.with_mut(|_| self.value.store(value, Ordering::Relaxed));
    }

    fn read(&self) -> u32 {
        self.touched.with(|_| self.value.load(Ordering::Relaxed))
    }
}

/// An interrupt controller with one line, which a read acknowledges: as ordered as a device behind barrier (a) is.
struct Line(AtomicU32);

impl Line {
    fn raise(&self) {
        // Barrier (a), the sender's half. An exchange, since what is pending and what is acknowledged come one behind the other.
        self.0.swap(1, Ordering::Release);
    }

    fn acknowledge(&self) -> bool {
        // Barrier (a), the receiver's half.
        self.0.swap(0, Ordering::Acquire) == 1
    }
}

struct Shared {
    line: Line,
    word: Dirty,
    gives: Count,
    flags: Flags,
}

const GIVES: u64 = 1;
const FLAGS: u64 = 2;

impl Shared {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            line: Line(AtomicU32::new(0)),
            word: Dirty::new(),
            gives: Count::starting_at(u32::MAX),
            flags: Flags::new(),
        })
    }

    fn tell(&self, bit: u64) {
        if self.word.set(bit) {
            self.line.raise();
        }
    }

    /// What one interrupt brings.
    fn handle(&self, gives: &mut u32, flags: &mut u32) {
        let bits = self.word.take();
        if bits & GIVES != 0 {
            *gives = gives.wrapping_add(self.gives.take(1));
            if !self.gives.is_empty() {
                self.word.put_back(GIVES);
                self.line.raise();
            }
        }
        if bits & FLAGS != 0 {
            *flags |= self.flags.take();
        }
    }
}

#[test]
fn no_letter_is_lost_or_doubled() {
    loom::model(|| {
        let shared = Shared::new();
        let sender = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                shared.gives.send();
                shared.tell(GIVES);
                shared.flags.send(1);
                shared.tell(FLAGS);
                shared.gives.send();
                shared.tell(GIVES);
            })
        };
        let (mut gives, mut flags) = (0, 0);
        // An interrupt that comes at any time.
        if shared.line.acknowledge() {
            shared.handle(&mut gives, &mut flags);
        }
        sender.join().unwrap();
        // The rest: as often as the line says, and not once without.
        while shared.line.acknowledge() {
            shared.handle(&mut gives, &mut flags);
        }
        assert_eq!((gives, flags), (2, 1));
        assert_eq!(shared.word.take(), 0, "nothing is left that no interrupt tells of");
    });
}

#[test]
fn what_was_done_before_a_flag_is_seen_by_who_finds_it() {
    loom::model(|| {
        let shared = Arc::new((Shared::new(), Plain::new()));
        let sender = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let (crossing, value) = &*shared;
                value.write(7);
                crossing.flags.send(1);
            })
        };
        let (crossing, value) = &*shared;
        if crossing.flags.take() == 1 {
            assert_eq!(value.read(), 7);
        }
        sender.join().unwrap();
    });
}

#[test]
fn each_give_brings_what_was_done_before_it() {
    loom::model(|| {
        let shared = Arc::new((Shared::new(), [Plain::new(), Plain::new()]));
        let sender = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let (crossing, values) = &*shared;
                for value in values {
                    value.write(7);
                    crossing.gives.send();
                    crossing.tell(GIVES);
                }
            })
        };
        let (crossing, values) = &*shared;
        if crossing.word.take() == GIVES {
            // The first one's bit may bring both.
            for value in values.iter().take(crossing.gives.take(8) as usize) {
                assert_eq!(value.read(), 7);
            }
        }
        sender.join().unwrap();
    });
}

#[test]
fn the_latest_value_is_whole_and_never_older_than_the_last() {
    loom::model(|| {
        let shared = Arc::new((Latest::new(), [Plain::new(), Plain::new(), Plain::new()]));
        let sender = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let (latest, places) = &*shared;
                for value in 1..=3 {
                    latest.write(|place| places[place].write(value));
                }
            })
        };
        let (latest, places) = &*shared;
        let take = || latest.take(|place| places[place].read());
        let mut last = 0;
        for _ in 0..2 {
            if let Some(value) = take() {
                assert!(value > last, "{value} behind {last}");
                last = value;
            }
        }
        sender.join().unwrap();
        if let Some(value) = take() {
            last = value;
        }
        assert_eq!(last, 3, "the last value arrives");
        assert_eq!(take(), None);
    });
}
