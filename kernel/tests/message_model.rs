// SPDX-License-Identifier: MIT OR Apache-2.0
//! The message queue against a model that is too simple to be wrong: a list of messages and one of who waits.
//!
//! What the board's side does is done here as well: messages are numbers in places and in slots, and whoever runs again
//! after a wait for a time asks whether it has given up. After every step both must agree on who runs, on what each task
//! received and on what is counted; so nothing is lost, doubled or reordered, and nobody who is woken finds nothing.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the hot-path lints are for the executive; a test that cannot go on fails"
)]

use std::collections::VecDeque;

use proptest::prelude::{Just, Strategy, prop, prop_oneof};
use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq, proptest};
use takt_kernel::executive::Executive;
use takt_kernel::objects::Wait;
use takt_kernel::objects::message_queue::{MessageQueue, MessageQueueCounts, Sent};
use takt_kernel::priority::{Priority, PrioritySet};
use takt_kernel::time::Instant;
use takt_kernel::{CAPACITY, PerTask, TaskId};

const PLACES: usize = 3;
/// The tasks' priorities: some are equals. The last never waits.
const PRIORITIES: [u8; 6] = [10, 10, 20, 20, 30, 40];
const LAST: usize = PRIORITIES.len() - 1;

fn id(rank: usize) -> TaskId {
    TaskId::new(rank).unwrap()
}

fn at(half_ticks: u64) -> Instant {
    Instant::from_half_ticks(half_ticks)
}

fn executive() -> Executive {
    let mut priorities = [Priority::IDLE; CAPACITY];
    for (place, &number) in priorities.iter_mut().zip(&PRIORITIES) {
        *place = Priority::new(number).unwrap();
    }
    let mut executive = Executive::new(&PerTask::new(priorities), PrioritySet::EMPTY, false, at(0));
    (0..PRIORITIES.len()).for_each(|rank| executive.start(id(rank)));
    let _ = executive.choose();
    executive
}

/// How a call that may wait does.
#[derive(Debug, Clone, Copy)]
enum Patience {
    /// Not at all.
    None,
    /// For so many half ticks, 0 and less for a deadline that has passed.
    For(i64),
    /// For ever.
    Endless,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Send(Patience),
    SendUrgent,
    SendFromHandler,
    Broadcast,
    Receive(Patience),
    /// Time passes, and deadlines come.
    Advance(u64),
}

fn patience() -> impl Strategy<Value = Patience> {
    prop_oneof![Just(Patience::None), (-2_i64..12).prop_map(Patience::For), Just(Patience::Endless)]
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => patience().prop_map(Step::Send),
        1 => Just(Step::SendUrgent),
        1 => Just(Step::SendFromHandler),
        1 => Just(Step::Broadcast),
        5 => patience().prop_map(Step::Receive),
        2 => (0_u64..8).prop_map(Step::Advance),
    ]
}

/// What a task waits for, in the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Waiter {
    rank: usize,
    /// What it sends; a receiver has none.
    message: Option<u32>,
    deadline: Option<u64>,
}

/// The reference. Who runs is asked of the executive, which has a model of its own (`executive_model.rs`).
#[derive(Default)]
struct Model {
    messages: VecDeque<u32>,
    /// In the order in which they came.
    waiters: Vec<Waiter>,
    counts: MessageQueueCounts,
}

impl Model {
    /// Takes out the most urgent, the first among equals, of the receivers or of the senders.
    fn most_urgent(&mut self, sends: bool) -> Option<Waiter> {
        let candidates = self.waiters.iter().enumerate().filter(|(_, waiter)| waiter.message.is_some() == sends);
        // The first of several least.
        let (place, _) = candidates.min_by_key(|(_, waiter)| PRIORITIES[waiter.rank])?;
        Some(self.waiters.remove(place))
    }

    fn note_fill(&mut self) {
        self.counts.highest = self.counts.highest.max(u32::try_from(self.messages.len()).unwrap());
    }
}

/// Both, side by side.
struct Trial {
    now: u64,
    executive: Executive,
    queue: MessageQueue<PLACES>,
    places: [Option<u32>; PLACES],
    slots: [Option<u32>; PRIORITIES.len()],
    /// What each task waits for that has not run since; whether it sends, and whether in time.
    asleep: [Option<(bool, bool)>; PRIORITIES.len()],
    model: Model,
    /// The latest message.
    next: u32,
}

impl Trial {
    fn new() -> Self {
        Self {
            now: 1_000,
            executive: executive(),
            queue: MessageQueue::new(),
            places: [None; PLACES],
            slots: [None; PRIORITIES.len()],
            asleep: [None; PRIORITIES.len()],
            model: Model::default(),
            next: 0,
        }
    }

    fn running(&self) -> usize {
        self.executive.running().index()
    }

    /// A message that there has not been.
    fn message(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    fn deadline(&self, patience: Patience) -> Option<u64> {
        match patience {
            Patience::For(half_ticks) => Some(self.now.checked_add_signed(half_ticks).unwrap()),
            Patience::None | Patience::Endless => None,
        }
    }

    /// The running task waits: in both.
    fn sleep(&mut self, wait: Wait, waiter: Waiter) -> Result<(), TestCaseError> {
        prop_assert!(wait != Wait::Not);
        self.slots[waiter.rank] = waiter.message;
        self.asleep[waiter.rank] = Some((waiter.message.is_some(), waiter.deadline.is_some()));
        self.model.waiters.push(waiter);
        Ok(())
    }

    /// The most urgent task runs; one that waited looks at what it has.
    fn go_on(&mut self) -> Result<(), TestCaseError> {
        let _ = self.executive.choose();
        let running = self.running();
        let Some((sends, is_timed)) = self.asleep.get_mut(running).and_then(Option::take) else { return Ok(()) };
        let has_given_up = is_timed
            && if sends {
                self.queue.senders().has_given_up(&mut self.executive)
            } else {
                self.queue.receivers().has_given_up(&mut self.executive)
            };
        let still = self.model.waiters.iter().position(|waiter| waiter.rank == running);
        prop_assert_eq!(has_given_up, still.is_some());
        if let Some(place) = still {
            let _ = self.model.waiters.remove(place);
            let counts = if sends { &mut self.model.counts.send } else { &mut self.model.counts.receive };
            counts.time_outs += 1;
        }
        // A message that was sent, or never came, is not there.
        prop_assert_eq!(self.slots[running].is_some(), sends == has_given_up);
        self.slots[running] = None;
        Ok(())
    }

    /// The message goes where the queue says; answers whether anywhere.
    fn put(&mut self, sent: Sent, message: u32) -> Result<bool, TestCaseError> {
        match sent {
            Sent::Into(place) => prop_assert_eq!(self.places[place.index()].replace(message), None),
            Sent::To(task) => prop_assert_eq!(self.slots[task.index()].replace(message), None),
            Sent::Nowhere => return Ok(false),
        }
        Ok(true)
    }

    /// As [`Self::put`], of the model; compares.
    fn send(&mut self, urgent: bool) -> Result<Option<u32>, TestCaseError> {
        let message = self.message();
        let sent =
            if urgent { self.queue.send_urgent(&mut self.executive) } else { self.queue.send(&mut self.executive) };
        let is_put = self.put(sent, message)?;
        if let Some(receiver) = self.model.most_urgent(false) {
            prop_assert_eq!(sent, Sent::To(id(receiver.rank)));
        } else if self.model.messages.len() == PLACES {
            prop_assert_eq!(sent, Sent::Nowhere);
        } else if urgent {
            self.model.messages.push_front(message);
        } else {
            self.model.messages.push_back(message);
        }
        self.model.note_fill();
        Ok((!is_put).then_some(message))
    }

    fn drop_one(&mut self) {
        self.queue.note_dropped();
        self.model.counts.dropped += 1;
    }

    fn receive(&mut self) -> Result<bool, TestCaseError> {
        let received = self.queue.receive(&mut self.executive);
        let expected = self.model.messages.pop_front();
        let Some(received) = received else {
            prop_assert_eq!(expected, None);
            return Ok(false);
        };
        prop_assert_eq!(self.places[received.from.index()].take(), expected);
        let sender = self.model.most_urgent(true);
        prop_assert_eq!(received.sender, sender.map(|waiter| id(waiter.rank)));
        if let Some(waiter) = sender {
            self.places[received.from.index()] = self.slots[waiter.rank].take();
            self.model.messages.push_back(waiter.message.unwrap());
        }
        Ok(true)
    }

    fn broadcast(&mut self) -> Result<(), TestCaseError> {
        let message = self.message();
        while let Some(task) = self.queue.receivers().wake_one(&mut self.executive) {
            prop_assert_eq!(self.model.most_urgent(false).map(|waiter| id(waiter.rank)), Some(task));
            prop_assert_eq!(self.slots[task.index()].replace(message), None);
        }
        prop_assert_eq!(self.model.most_urgent(false), None);
        Ok(())
    }

    fn step(&mut self, step: Step) -> Result<(), TestCaseError> {
        let rank = self.running();
        match step {
            Step::Send(patience) => {
                if let Some(message) = self.send(false)? {
                    if matches!(patience, Patience::None) || rank == LAST {
                        self.drop_one();
                    } else {
                        let deadline = self.deadline(patience);
                        let wait = self.queue.senders().wait(&mut self.executive, deadline.map(at));
                        self.model.counts.send.waits += 1;
                        self.sleep(wait, Waiter { rank, message: Some(message), deadline })?;
                    }
                }
            }
            Step::SendUrgent | Step::SendFromHandler => {
                if self.send(matches!(step, Step::SendUrgent))?.is_some() {
                    self.drop_one();
                }
            }
            Step::Broadcast => self.broadcast()?,
            Step::Receive(patience) => {
                if !self.receive()? && !matches!(patience, Patience::None) && rank != LAST {
                    let deadline = self.deadline(patience);
                    let wait = self.queue.receivers().wait(&mut self.executive, deadline.map(at));
                    self.model.counts.receive.waits += 1;
                    self.sleep(wait, Waiter { rank, message: None, deadline })?;
                }
            }
            Step::Advance(half_ticks) => {
                self.now += half_ticks;
                while !at(self.now).is_before(self.executive.first_deadline().at) {
                    let _ = self.executive.release_first();
                }
            }
        }
        self.go_on()
    }

    fn agree(&self) -> Result<(), TestCaseError> {
        prop_assert_eq!(self.queue.counts(), self.model.counts);
        prop_assert_eq!(self.queue.stored() as usize, self.model.messages.len());
        prop_assert_eq!(self.places.iter().flatten().count(), self.model.messages.len());
        // Nobody waits for what is there.
        let waits = |sends| self.model.waiters.iter().any(|waiter| waiter.message.is_some() == sends);
        prop_assert!(!waits(false) || self.model.messages.is_empty());
        prop_assert!(!waits(true) || self.model.messages.len() == PLACES);
        Ok(())
    }
}

proptest! {
    #[test]
    fn the_queue_does_as_the_model_does(steps in prop::collection::vec(steps(), 1..300)) {
        let mut trial = Trial::new();
        for step in steps {
            trial.step(step)?;
            trial.agree()?;
        }
    }
}
