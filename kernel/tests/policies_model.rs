// SPDX-License-Identifier: MIT OR Apache-2.0
//! Levels that run the earliest deadline first, against models that are too simple to be wrong: a list that is searched for
//! whom to run, and what every task has been lent, reckoned anew after each step.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the hot-path lints are for the executive; a test that cannot go on fails"
)]

use proptest::prelude::{Just, Strategy, any, prop, prop_oneof};
use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq, proptest};
use takt_kernel::executive::{Demoted, Executive};
use takt_kernel::objects::inherit_mutex::InheritMutex;
use takt_kernel::objects::semaphore::Semaphore;
use takt_kernel::priority::{Priority, PrioritySet};
use takt_kernel::time::Instant;
use takt_kernel::{CAPACITY, PerTask, TaskId};

/// The priorities that run the earliest deadline first; the others are first come, first served.
const BY_DEADLINE: [u8; 2] = [2, 3];

fn id(rank: usize) -> TaskId {
    TaskId::new(rank).unwrap()
}

fn priority(number: u8) -> Priority {
    Priority::new(number).unwrap()
}

fn executive(numbers: &[u8], inherits: bool, start: u64) -> Executive {
    let mut all = [Priority::IDLE; CAPACITY];
    for (place, &number) in all.iter_mut().zip(numbers) {
        *place = priority(number);
    }
    let mut executive = Executive::empty();
    BY_DEADLINE.into_iter().for_each(|number| executive.run_by_deadline(priority(number)));
    executive.prepare(&PerTask::new(all), PrioritySet::EMPTY, inherits, Instant::from_half_ticks(start));
    executive
}

/// A deadline so long after the start, or before; none yet.
type Deadline = Option<i64>;

/// What decides, the smaller first: a task without a deadline comes behind those that have one.
fn urgency(number: u8, deadline: Deadline) -> (u8, i64) {
    (number, if BY_DEADLINE.contains(&number) { deadline.unwrap_or(i64::MAX) } else { 0 })
}

fn set_deadline(executive: &mut Executive, rank: usize, start: u64, deadline: Deadline) {
    if let Some(deadline) = deadline {
        executive.set_deadline(id(rank), Instant::from_half_ticks(start.wrapping_add_signed(deadline)));
    }
}

/// A step of the first trial; numbers pick among what there is.
#[derive(Debug, Clone)]
enum Step {
    /// A handler wakes a blocked task, whose job has another deadline, or the same as before.
    Wake(usize, Deadline),
    /// The same, of a task that waits for that instant.
    Release(usize, Deadline),
    /// The running task waits.
    Block,
    /// The running task waits for the semaphore.
    Take,
    /// A handler gives the semaphore.
    Give,
    /// The running task yields.
    Yield,
    /// Any task gets a priority.
    SetPriority(usize, u8),
    /// Any task is demoted.
    Demote(usize),
    /// The job of the running task ends, which waits.
    EndJob,
}

fn steps() -> impl Strategy<Value = Step> {
    let deadlines = || prop_oneof![1 => Just(None), 6 => (-3_i64..=3).prop_map(Some)];
    prop_oneof![
        4 => (0_usize..CAPACITY, deadlines()).prop_map(|(pick, deadline)| Step::Wake(pick, deadline)),
        4 => (0_usize..CAPACITY, deadlines()).prop_map(|(pick, deadline)| Step::Release(pick, deadline)),
        3 => Just(Step::Block),
        3 => Just(Step::Take),
        2 => Just(Step::Give),
        2 => Just(Step::Yield),
        1 => (0_usize..CAPACITY, 1_u8..=4).prop_map(|(pick, number)| Step::SetPriority(pick, number)),
        1 => (0_usize..CAPACITY).prop_map(Step::Demote),
        2 => Just(Step::EndJob),
    ]
}

/// Who is ready, and who waits for the semaphore, each in the order of arrival; who comes first is searched for.
struct Searched {
    priorities: Vec<u8>,
    deadlines: Vec<Deadline>,
    is_demoted: Vec<bool>,
    ready: Vec<usize>,
    waiting: Vec<usize>,
    units: usize,
}

/// The number of who is demoted: behind all priorities.
const DEMOTED: u8 = 255;

impl Searched {
    fn first(&self, of: &[usize]) -> Option<usize> {
        // The first of the least.
        let number = |rank: usize| if self.is_demoted[rank] { DEMOTED } else { self.priorities[rank] };
        of.iter().copied().min_by_key(|&rank| urgency(number(rank), self.deadlines[rank]))
    }

    fn running(&self) -> Option<usize> {
        self.first(&self.ready)
    }

    fn leave(&mut self, rank: usize) {
        self.ready.retain(|&other| other != rank);
    }

    fn is_blocked(&self, rank: usize) -> bool {
        !self.ready.contains(&rank) && !self.waiting.contains(&rank)
    }
}

struct Trial {
    executive: Executive,
    demoted: Demoted,
    semaphore: Semaphore,
    model: Searched,
    start: u64,
}

impl Trial {
    fn come(&mut self, pick: usize, deadline: Deadline, is_released: bool) {
        let rank = pick % self.model.priorities.len();
        if !self.model.is_blocked(rank) {
            return;
        }
        set_deadline(&mut self.executive, rank, self.start, deadline);
        self.model.deadlines[rank] = deadline.or(self.model.deadlines[rank]);
        self.model.ready.push(rank);
        if !is_released {
            return self.executive.wake(id(rank));
        }
        let _ = self.executive.let_wait_until(id(rank), Instant::from_half_ticks(self.start));
        if let Err(by_policy) = self.executive.release_first() {
            let _ = self.executive.release_by_policy(by_policy);
        }
    }

    fn yield_turn(&mut self, rank: usize) {
        if self.executive.is_ordinary() {
            let _ = self.executive.yield_turn();
        } else {
            self.executive.yield_by_policy();
        }
        self.model.leave(rank);
        self.model.ready.push(rank);
    }

    fn set_priority(&mut self, pick: usize, number: u8) {
        let rank = pick % self.model.priorities.len();
        // By the former urgency: the order in which all would run becomes that of arrival.
        let mut order = Vec::new();
        while let Some(next) = self.model.running() {
            order.push(next);
            self.model.leave(next);
        }
        self.model.ready = order;
        self.executive.set_priority_among(&self.demoted, id(rank), priority(number));
        self.model.priorities[rank] = number;
    }

    fn demote(&mut self, pick: usize) {
        let rank = pick % self.model.priorities.len();
        self.executive.demote(&mut self.demoted, id(rank));
        self.model.is_demoted[rank] = true;
        if self.model.ready.contains(&rank) {
            self.model.leave(rank);
            self.model.ready.push(rank);
        }
    }

    fn step(&mut self, step: &Step) {
        match (step, self.model.running()) {
            (&Step::Wake(pick, deadline), _) => self.come(pick, deadline, false),
            (&Step::Release(pick, deadline), _) => self.come(pick, deadline, true),
            (&Step::SetPriority(pick, number), _) => self.set_priority(pick, number),
            (&Step::Demote(pick), _) => self.demote(pick),
            (Step::EndJob, Some(rank)) => {
                self.executive.block();
                self.executive.end_demotion(&mut self.demoted, id(rank));
                self.model.is_demoted[rank] = false;
                self.model.leave(rank);
            }
            (Step::Give, _) => {
                let woken = self.model.first(&self.model.waiting);
                let _ = self.semaphore.give(&mut self.executive);
                self.model.waiting.retain(|&rank| Some(rank) != woken);
                self.model.ready.extend(woken);
                self.model.units += usize::from(woken.is_none());
            }
            (Step::Block, Some(rank)) => {
                self.executive.block();
                self.model.leave(rank);
            }
            (Step::Take, Some(rank)) if self.model.units == 0 => {
                let _ = self.semaphore.take(&mut self.executive, None);
                self.model.leave(rank);
                self.model.waiting.push(rank);
            }
            (Step::Take, Some(_)) => {
                let _ = self.semaphore.take(&mut self.executive, None);
                self.model.units -= 1;
            }
            (Step::Yield, Some(rank)) => self.yield_turn(rank),
            (Step::Block | Step::Take | Step::Yield | Step::EndJob, None) => {}
        }
        let _ = self.executive.choose();
    }
}

/// How many mutexes the second trial has.
const MUTEXES: usize = 3;

/// A step of the second trial.
#[derive(Debug, Clone)]
enum Use {
    /// A handler wakes a blocked task, whose job has this deadline.
    Wake(usize, i64),
    /// The running task, which holds nothing, waits.
    Block,
    /// The running task locks a mutex.
    Lock(usize),
    /// The running task unlocks the latest.
    Unlock,
    /// Any task gets a priority.
    SetPriority(usize, u8),
    /// Any task is demoted.
    Demote(usize),
    /// The job of the running task ends and another begins at once, as of a release that was kept.
    EndJob,
}

fn uses() -> impl Strategy<Value = Use> {
    prop_oneof![
        4 => (0_usize..CAPACITY, -3_i64..=3).prop_map(|(pick, deadline)| Use::Wake(pick, deadline)),
        2 => Just(Use::Block),
        4 => (0..MUTEXES).prop_map(Use::Lock),
        3 => Just(Use::Unlock),
        1 => (0_usize..CAPACITY, 1_u8..=4).prop_map(|(pick, number)| Use::SetPriority(pick, number)),
        1 => (0_usize..CAPACITY).prop_map(Use::Demote),
        1 => Just(Use::EndJob),
    ]
}

/// What is known of each task and each mutex.
struct Lent {
    executive: Executive,
    demoted: Demoted,
    is_demoted: Vec<bool>,
    mutexes: [InheritMutex; MUTEXES],
    start: u64,
    priorities: Vec<u8>,
    deadlines: Vec<Deadline>,
    is_ready: Vec<bool>,
    held: Vec<Vec<usize>>,
    awaited: Vec<Option<usize>>,
}

impl Lent {
    fn new(priorities: Vec<u8>, start: u64) -> Self {
        let tasks = priorities.len();
        let mut mutexes = [const { InheritMutex::new() }; MUTEXES];
        for mutex in &mut mutexes {
            (0..tasks).for_each(|rank| mutex.admit(id(rank)));
        }
        Self {
            executive: executive(&priorities, true, start),
            demoted: Demoted::NONE,
            is_demoted: vec![false; tasks],
            mutexes,
            start,
            deadlines: vec![None; tasks],
            is_ready: vec![false; tasks],
            held: vec![Vec::new(); tasks],
            awaited: vec![None; tasks],
            priorities,
        }
    }

    /// Of a task and of all that wait for what it holds, and for what they hold.
    fn urgency(&self, rank: usize) -> (u8, i64) {
        let number = if self.is_demoted[rank] { DEMOTED } else { self.priorities[rank] };
        let own = urgency(number, self.deadlines[rank]);
        let waits_for_it = |&other: &usize| self.awaited[other].is_some_and(|mutex| self.held[rank].contains(&mutex));
        (0..self.priorities.len()).filter(waits_for_it).map(|other| self.urgency(other)).fold(own, Ord::min)
    }

    fn running(&self) -> Option<usize> {
        let running = self.executive.running();
        (running != TaskId::IDLE).then(|| running.index())
    }

    fn step(&mut self, step: &Use) -> Result<(), TestCaseError> {
        match (step, self.running()) {
            (&Use::Wake(pick, deadline), _) => {
                let rank = pick % self.priorities.len();
                if !self.is_ready[rank] && self.awaited[rank].is_none() {
                    set_deadline(&mut self.executive, rank, self.start, Some(deadline));
                    self.executive.wake(id(rank));
                    (self.deadlines[rank], self.is_ready[rank]) = (Some(deadline), true);
                }
            }
            (&Use::SetPriority(pick, number), _) => {
                let rank = pick % self.priorities.len();
                self.executive.set_priority_among(&self.demoted, id(rank), priority(number));
                self.priorities[rank] = number;
            }
            (&Use::Demote(pick), _) => {
                let rank = pick % self.priorities.len();
                self.executive.demote(&mut self.demoted, id(rank));
                self.is_demoted[rank] = true;
            }
            (Use::EndJob, Some(rank)) => {
                self.executive.end_demotion(&mut self.demoted, id(rank));
                self.is_demoted[rank] = false;
            }
            (Use::Block, Some(rank)) if self.held[rank].is_empty() => {
                self.executive.block();
                self.is_ready[rank] = false;
            }
            (&Use::Lock(mutex), Some(rank)) => {
                let owner = self.mutexes[mutex].owner();
                if self.mutexes[mutex].lock(&mut self.executive, None).is_ok() {
                    if owner.is_none() {
                        self.held[rank].push(mutex);
                    } else {
                        (self.awaited[rank], self.is_ready[rank]) = (Some(mutex), false);
                    }
                }
            }
            (Use::Unlock, Some(rank)) => {
                if let Some(mutex) = self.held[rank].pop() {
                    self.unlock(mutex)?;
                }
            }
            (Use::Block | Use::Lock(_) | Use::Unlock | Use::EndJob, _) => {}
        }
        let _ = self.executive.choose();
        self.agree()
    }

    fn unlock(&mut self, mutex: usize) -> Result<(), TestCaseError> {
        let mut waiting =
            (0..self.priorities.len()).filter(|&rank| self.awaited[rank] == Some(mutex)).collect::<Vec<_>>();
        waiting.sort_by_key(|&rank| self.urgency(rank));
        let state = &mut self.mutexes[mutex];
        let next = if state.try_unlock(&mut self.executive) { None } else { state.unlock(&mut self.executive) };
        prop_assert_eq!(next.is_none(), waiting.is_empty());
        if let Some(next) = next.map(TaskId::index) {
            prop_assert_eq!(self.urgency(next), self.urgency(waiting[0]));
            (self.awaited[next], self.is_ready[next]) = (None, true);
            self.held[next].push(mutex);
        }
        Ok(())
    }

    /// Nobody who is ready comes before who runs.
    fn agree(&self) -> Result<(), TestCaseError> {
        let least = (0..self.priorities.len()).filter(|&rank| self.is_ready[rank]).map(|rank| self.urgency(rank)).min();
        prop_assert_eq!(self.running().map(|rank| self.urgency(rank)), least);
        prop_assert!(self.running().is_none_or(|rank| self.is_ready[rank]));
        Ok(())
    }
}

fn starts() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), any::<u64>(), (0_u64..10_000).prop_map(|before| u64::MAX - before)]
}

fn priorities() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![prop::collection::vec(1_u8..=4, 1..=6), prop::collection::vec(1_u8..=4, 1..=61)].prop_map(|mut all| {
        all.sort_unstable();
        all
    })
}

proptest! {
    #[test]
    fn the_earliest_deadline_runs_first(
        start in starts(),
        priorities in priorities(),
        steps in prop::collection::vec(steps(), 1..300),
    ) {
        let executive = executive(&priorities, false, start);
        let deadlines = vec![None; priorities.len()];
        let is_demoted = vec![false; priorities.len()];
        let model = Searched { priorities, deadlines, is_demoted, ready: Vec::new(), waiting: Vec::new(), units: 0 };
        let demoted = Demoted::NONE;
        let mut trial = Trial { executive, demoted, semaphore: Semaphore::new(0, u32::MAX), model, start };
        for step in &steps {
            trial.step(step);
            prop_assert_eq!(trial.executive.running(), trial.model.running().map_or(TaskId::IDLE, id));
        }
    }

    #[test]
    fn a_deadline_is_lent_along_a_chain(
        start in starts(),
        priorities in priorities(),
        steps in prop::collection::vec(uses(), 1..300),
    ) {
        let mut trial = Lent::new(priorities, start);
        for step in &steps {
            trial.step(step)?;
        }
    }
}
