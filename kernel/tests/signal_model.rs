// SPDX-License-Identifier: MIT OR Apache-2.0
//! The signal against a model that is too simple to be wrong: a value that is there or not, and a list of who waits.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the hot-path lints are for the executive; a test that cannot go on fails"
)]

use proptest::prelude::{Strategy, prop, prop_oneof};
use proptest::test_runner::TestCaseError;
use proptest::{prop_assert_eq, proptest};
use takt_kernel::executive::Executive;
use takt_kernel::objects::signal::{Signal, SignalCounts, Signalled};
use takt_kernel::priority::{Priority, PrioritySet};
use takt_kernel::time::Instant;
use takt_kernel::{CAPACITY, PerTask, TaskId};

/// The tasks' priorities: some are equals. The last never waits.
const PRIORITIES: [u8; 5] = [10, 10, 20, 30, 40];
const LAST: usize = PRIORITIES.len() - 1;

fn id(rank: usize) -> TaskId {
    TaskId::new(rank).unwrap()
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Signal,
    Take,
    /// Takes, or waits: for so many half ticks, or for ever.
    Wait(Option<u64>),
    /// Time passes, and deadlines come.
    Advance(u64),
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..1).prop_map(|_| Step::Signal),
        (0..1).prop_map(|_| Step::Take),
        prop::option::of(0_u64..12).prop_map(Step::Wait),
        (0_u64..8).prop_map(Step::Advance),
    ]
}

struct Trial {
    now: u64,
    executive: Executive,
    signal: Signal,
    /// Which tasks have been handed a value that they have not seen.
    in_hand: [bool; PRIORITIES.len()],
    /// Which tasks have not run since they began to wait, and whether for a time.
    asleep: [Option<bool>; PRIORITIES.len()],
    is_there: bool,
    /// Who waits, in the order in which they came.
    waiters: Vec<usize>,
    counts: SignalCounts,
}

impl Trial {
    fn new() -> Self {
        let mut priorities = [Priority::IDLE; CAPACITY];
        for (place, &number) in priorities.iter_mut().zip(&PRIORITIES) {
            *place = Priority::new(number).unwrap();
        }
        let mut executive =
            Executive::new(&PerTask::new(priorities), PrioritySet::EMPTY, false, Instant::from_half_ticks(0));
        (0..PRIORITIES.len()).for_each(|rank| executive.start(id(rank)));
        let _ = executive.choose();
        Self {
            now: 1_000,
            executive,
            signal: Signal::new(),
            in_hand: [false; PRIORITIES.len()],
            asleep: [None; PRIORITIES.len()],
            is_there: false,
            waiters: Vec::new(),
            counts: SignalCounts::default(),
        }
    }

    fn signal(&mut self) -> Result<(), TestCaseError> {
        // The first of several least.
        let most_urgent = (0..self.waiters.len()).min_by_key(|&place| PRIORITIES[self.waiters[place]]);
        let expected = match most_urgent.map(|place| self.waiters.remove(place)) {
            Some(rank) => {
                self.in_hand[rank] = true;
                Signalled::To(id(rank))
            }
            None if self.is_there => {
                self.counts.overwritten += 1;
                Signalled::InPlaceOfAnother
            }
            None => Signalled::Kept,
        };
        self.is_there |= expected == Signalled::Kept;
        prop_assert_eq!(self.signal.signal(&mut self.executive), expected);
        Ok(())
    }

    fn take(&mut self) -> Result<bool, TestCaseError> {
        let was_there = std::mem::take(&mut self.is_there);
        prop_assert_eq!(self.signal.take(), was_there);
        Ok(was_there)
    }

    fn step(&mut self, step: Step) -> Result<(), TestCaseError> {
        let rank = self.executive.running().index();
        match step {
            Step::Signal => self.signal()?,
            Step::Take => {
                let _ = self.take()?;
            }
            Step::Wait(span) => {
                if !self.take()? && rank != LAST {
                    let until = span.map(|half_ticks| Instant::from_half_ticks(self.now + half_ticks));
                    let _ = self.signal.waiting().wait(&mut self.executive, until);
                    self.counts.wait.waits += 1;
                    self.asleep[rank] = Some(until.is_some());
                    self.waiters.push(rank);
                }
            }
            Step::Advance(half_ticks) => {
                self.now += half_ticks;
                while !Instant::from_half_ticks(self.now).is_before(self.executive.first_deadline().at) {
                    let _ = self.executive.release_first();
                }
            }
        }
        let _ = self.executive.choose();
        self.look()
    }

    /// Whoever runs and waited looks whether it has a value.
    fn look(&mut self) -> Result<(), TestCaseError> {
        let rank = self.executive.running().index();
        if let Some(is_timed) = self.asleep[rank].take() {
            let has_given_up = is_timed && self.signal.waiting().has_given_up(&mut self.executive);
            prop_assert_eq!(std::mem::take(&mut self.in_hand[rank]), !has_given_up);
            prop_assert_eq!(self.waiters.contains(&rank), has_given_up);
            self.waiters.retain(|&other| other != rank);
            self.counts.wait.time_outs += u64::from(has_given_up);
        }
        prop_assert_eq!(self.signal.counts(), self.counts);
        Ok(())
    }
}

proptest! {
    #[test]
    fn the_signal_does_as_the_model_does(steps in prop::collection::vec(steps(), 1..300)) {
        let mut trial = Trial::new();
        for step in steps {
            trial.step(step)?;
        }
    }
}
