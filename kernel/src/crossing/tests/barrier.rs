// SPDX-License-Identifier: MIT OR Apache-2.0
//! A barrier of two tasks on two cores, in every order in which what they do can be seen.

use loom::sync::Arc;
use loom::thread;

use super::super::barrier::{Arrivals, Released, Releases};
use super::super::count::Count;
use super::super::dirty::Dirty;
use super::Plain;

const BIT: u64 = 1;
const TASKS: u32 = 2;

struct Shared {
    values: [Plain; 2],
    come: [Count; 2],
    go_on: [Releases; 2],
    /// At core 0, where the barrier is.
    words: [Dirty; 2],
    /// At core 1.
    told: Dirty,
}

impl Shared {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            values: [Plain::new(), Plain::new()],
            come: [(); 2].map(|()| Count::starting_at(u32::MAX)),
            go_on: [(); 2].map(|()| Releases::starting_at(u64::MAX)),
            words: [Dirty::new(), Dirty::new()],
            told: Dirty::new(),
        })
    }

    fn come(&self, core: usize) {
        self.values[core].write(7);
        self.come[core].send();
        let _ = self.words[core].set(BIT);
    }

    /// What an interrupt of core 0 brings. Answers how many of its tasks go on.
    fn handle(&self, arrivals: &mut Arrivals) -> Released {
        for core in 0..2 {
            if self.words[core].take() == 0 {
                continue;
            }
            for _ in 0..self.come[core].take(8) {
                if let Some(opening) = arrivals.come(core, TASKS) {
                    for core in 0..2 {
                        self.go_on[core]
                            .send(Released { tasks: opening.of[core], last: u32::from(opening.last == core) });
                    }
                    let _ = self.told.set(BIT);
                }
            }
        }
        self.go_on[0].take(8)
    }

    /// The task of core `core` goes on.
    fn look_at_the_other(&self, core: usize) {
        assert_eq!(self.values[usize::from(core == 0)].read(), 7);
    }
}

#[test]
fn who_goes_on_sees_what_the_others_did() {
    loom::model(|| {
        let shared = Shared::new();
        let other = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                shared.come(1);
                if shared.told.take() == 0 {
                    return Released::default();
                }
                let released = shared.go_on[1].take(8);
                assert_eq!(released.tasks, 1, "told, so it goes on");
                shared.look_at_the_other(1);
                released
            })
        };
        let mut arrivals = Arrivals::new();
        shared.come(0);
        let mut here = shared.handle(&mut arrivals);
        if here.tasks == 1 {
            shared.look_at_the_other(0);
        }
        let mut there = other.join().unwrap();
        if here.tasks == 0 {
            here = shared.handle(&mut arrivals);
            shared.look_at_the_other(0);
        }
        if there.tasks == 0 {
            assert_eq!(shared.told.take(), BIT, "core 1 is told");
            there = shared.go_on[1].take(8);
        }
        assert_eq!((here.tasks, there.tasks, here.last + there.last), (1, 1, 1), "each once, and one is the last");
        assert_eq!(arrivals.openings(), 1);
    });
}

#[test]
fn an_opening_that_an_earlier_ones_bit_brings_brings_the_same() {
    loom::model(|| {
        let shared = Shared::new();
        let barriers_core = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                shared.go_on[1].send(Released { tasks: 1, last: 1 });
                let _ = shared.told.set(BIT);
                shared.values[0].write(7);
                shared.go_on[1].send(Released { tasks: 2, last: 0 });
            })
        };
        let first = if shared.told.take() == BIT { shared.go_on[1].take(2) } else { Released::default() };
        if first.tasks == 2 {
            shared.look_at_the_other(1);
        }
        barriers_core.join().unwrap();
        let rest = shared.go_on[1].take(8);
        assert_eq!((first.tasks + rest.tasks, first.last + rest.last), (3, 1));
        assert!(shared.go_on[1].is_empty());
    });
}

#[test]
fn the_last_of_each_opening_is_one() {
    let mut arrivals = Arrivals::new();
    assert_eq!(arrivals.come(3, 2), None);
    let opening = arrivals.come(1, 2).unwrap();
    assert_eq!((opening.of, opening.last), ([0, 1, 0, 1], 1));
    assert_eq!(arrivals.come(4, 1), None, "no such core");
    let opening = arrivals.come(0, 1).unwrap();
    assert_eq!((opening.of, opening.last, arrivals.openings()), ([1, 0, 0, 0], 0, 2));
}
