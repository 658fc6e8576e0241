// SPDX-License-Identifier: MIT OR Apache-2.0
//! The executive against a model that is too simple to be wrong: sorted lists where the executive has bits and linked
//! queues, and periods counted one by one where it divides.
//!
//! Random task sets take random steps from random start instants, near the counter's wrap too. After every step both
//! must agree on who runs and on the first deadline.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the hot-path lints are for the executive; a test that cannot go on fails"
)]

use proptest::prelude::{Just, Strategy, any, prop, prop_oneof};
use proptest::test_runner::TestCaseError;
use proptest::{prop_assert_eq, proptest};
use takt_kernel::executive::{Executive, TaskState};
use takt_kernel::priority::{Priority, PrioritySet};
use takt_kernel::release::{OverrunPolicy, Releases};
use takt_kernel::time::Instant;
use takt_kernel::{CAPACITY, PerTask, TaskId};

/// The rank of the idle task.
const IDLE: usize = 63;

/// What the model knows of a task. Times are half ticks since the start of the trial, which never wrap.
struct ModelTask {
    priority: u8,
    state: State,
    period: i128,
    policy: OverrunPolicy,
    /// The current job's due instant.
    due: i128,
    skipped: u64,
    overruns: u64,
    postponed: u64,
    jobs: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ready,
    Blocked,
    Waits,
}

/// The reference: everything in plain sight.
struct Model {
    tasks: Vec<ModelTask>,
    /// Who is ready, in the order in which they would run.
    ready: Vec<usize>,
    /// Who waits until when, in the order in which they will be released.
    waiting: Vec<(i128, usize)>,
}

impl Model {
    fn running(&self) -> usize {
        self.ready.first().copied().unwrap_or(IDLE)
    }

    /// Behind all that are as urgent or more urgent.
    fn append(&mut self, rank: usize) {
        let priority = self.tasks[rank].priority;
        let place = self.ready.iter().position(|&other| self.tasks[other].priority > priority);
        self.ready.insert(place.unwrap_or(self.ready.len()), rank);
        self.tasks[rank].state = State::Ready;
    }

    fn leave(&mut self, rank: usize, state: State) {
        self.ready.retain(|&other| other != rank);
        self.tasks[rank].state = state;
    }

    /// The task waits until `at`, behind those due at the same instant. Answers whether it is the first.
    fn wait_until(&mut self, rank: usize, at: i128) -> bool {
        self.leave(rank, State::Waits);
        let place = self.waiting.iter().position(|&(other, _)| other > at).unwrap_or(self.waiting.len());
        self.waiting.insert(place, (at, rank));
        place == 0
    }

    /// When the first deadline is and whose.
    fn first_deadline(&self) -> Option<(i128, usize)> {
        self.waiting.first().copied()
    }

    /// The `pick`-th of the tasks in this state, if there is one.
    fn pick(&self, state: State, pick: usize) -> Option<usize> {
        let found: Vec<usize> = (0..self.tasks.len()).filter(|&rank| self.tasks[rank].state == state).collect();
        (!found.is_empty()).then(|| found[pick % found.len()])
    }

    /// The running task's job ends at `now`: its next due instant, counted period by period.
    fn end_job(&mut self, rank: usize, now: i128) -> i128 {
        let task = &mut self.tasks[rank];
        task.jobs += 1;
        task.due += task.period;
        if task.due < now {
            task.overruns += 1;
            match task.policy {
                OverrunPolicy::Postpone => task.postponed += 1,
                OverrunPolicy::Skip => {
                    while task.due < now {
                        task.due += task.period;
                        task.skipped += 1;
                    }
                }
            }
        }
        task.due
    }
}

/// A task as it is made up.
#[derive(Debug, Clone)]
struct Sort {
    priority: u8,
    period: u64,
    skips: bool,
}

/// A step as it is made up; numbers pick among what there is.
#[derive(Debug, Clone)]
enum Step {
    /// Time passes, and the timer releases whoever is due by then.
    Advance(u64),
    /// The running task's job ends, and it waits for its next release.
    EndJob,
    /// The running task waits until some instant from now, which may lie in the past.
    WaitUntil(i64),
    /// The running task waits for an event.
    Block,
    /// A handler wakes this many blocked tasks before anybody is chosen.
    Wake(usize, usize),
    /// A handler wakes a task that waits until some instant, or tries to wake one that does not.
    WakeEarly(usize),
    /// A blocked task waits until some instant instead.
    LetWaitUntil(usize, i64),
    /// A task that waits until some instant waits until another, or does not where that has come.
    ChangeDeadline(usize, i64),
    /// The running task yields.
    Yield,
    /// A task gets a priority.
    SetPriority(usize, u8),
}

/// Few values, so that equals are frequent, and all.
fn priorities() -> impl Strategy<Value = u8> {
    prop_oneof![1_u8..=4, 1_u8..=254]
}

fn spans() -> impl Strategy<Value = u64> {
    prop_oneof![0_u64..=3, 0_u64..=1_000, 0_u64..=1_000_000_000, Just(1_000)]
}

fn steps() -> impl Strategy<Value = Step> {
    let offsets = || (any::<bool>(), spans()).prop_map(|(past, span)| if past { -(span as i64) } else { span as i64 });
    prop_oneof![
        4 => spans().prop_map(Step::Advance),
        4 => Just(Step::EndJob),
        3 => offsets().prop_map(Step::WaitUntil),
        2 => Just(Step::Block),
        3 => (0_usize..CAPACITY, 1_usize..4).prop_map(|(pick, count)| Step::Wake(pick, count)),
        2 => (0_usize..CAPACITY).prop_map(Step::WakeEarly),
        1 => (0_usize..CAPACITY, offsets()).prop_map(|(pick, offset)| Step::LetWaitUntil(pick, offset)),
        1 => (0_usize..CAPACITY, offsets()).prop_map(|(pick, offset)| Step::ChangeDeadline(pick, offset)),
        3 => Just(Step::Yield),
        1 => (0_usize..CAPACITY, priorities()).prop_map(|(pick, priority)| Step::SetPriority(pick, priority)),
    ]
}

fn sorts() -> impl Strategy<Value = Vec<Sort>> {
    let sort = || {
        (priorities(), prop_oneof![1_u64..=10, 1_u64..=100_000], any::<bool>())
            .prop_map(|(priority, period, skips)| Sort { priority, period, skips })
    };
    // The table is sorted by urgency before the executive sees it.
    prop_oneof![prop::collection::vec(sort(), 1..=6), prop::collection::vec(sort(), 1..=63)].prop_map(|mut sorts| {
        sorts.sort_by_key(|sort| sort.priority);
        sorts
    })
}

fn starts() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), any::<u64>(), (0_u64..2_000_000_000).prop_map(|before| u64::MAX - before)]
}

/// Both, side by side.
struct Trial {
    start: u64,
    now: i128,
    executive: Executive,
    releases: Vec<Releases>,
    model: Model,
}

fn id(rank: usize) -> TaskId {
    TaskId::new(rank).unwrap()
}

impl Trial {
    fn new(start: u64, sorts: &[Sort]) -> Self {
        let mut priorities = [Priority::IDLE; CAPACITY];
        for (place, sort) in priorities.iter_mut().zip(sorts) {
            *place = Priority::new(sort.priority).unwrap();
        }
        let first = Instant::from_half_ticks(start);
        let mut executive = Executive::new(&PerTask::new(priorities), PrioritySet::EMPTY, false, first);
        let mut model = Model { tasks: Vec::new(), ready: Vec::new(), waiting: Vec::new() };
        let mut releases = Vec::new();
        for (rank, sort) in sorts.iter().enumerate() {
            executive.start(id(rank));
            let policy = if sort.skips { OverrunPolicy::Skip } else { OverrunPolicy::Postpone };
            releases.push(Releases::new(first, sort.period, sort.period, policy));
            let (priority, period) = (sort.priority, sort.period.into());
            let state = State::Ready;
            let (due, skipped, overruns, postponed, jobs) = (0, 0, 0, 0, 0);
            model.tasks.push(ModelTask { priority, state, period, policy, due, skipped, overruns, postponed, jobs });
            model.append(rank);
        }
        let _ = executive.choose();
        Self { start, now: 0, executive, releases, model }
    }

    /// An instant of the model as the executive has it.
    #[expect(clippy::cast_possible_truncation, reason = "instants wrap")]
    fn instant(&self, since_start: i128) -> Instant {
        Instant::from_half_ticks(self.start.wrapping_add(since_start as u64))
    }

    /// Takes a step in both; one that is not possible now is left out.
    fn step(&mut self, step: &Step) -> Result<(), TestCaseError> {
        let running = self.model.running();
        match *step {
            Step::Advance(span) => {
                self.now += i128::from(span);
                while let Some((_, rank)) = self.model.first_deadline().filter(|&(at, _)| at <= self.now) {
                    prop_assert_eq!(self.executive.release_first(), Ok(id(rank)));
                    let _ = self.model.waiting.remove(0);
                    self.model.append(rank);
                }
                let _ = self.executive.choose();
            }
            Step::EndJob if running != IDLE => self.end_job(running)?,
            Step::WaitUntil(offset) if running != IDLE => {
                let at = self.now + i128::from(offset);
                self.wait_until(running, at)?;
            }
            Step::Block if running != IDLE => {
                self.executive.block();
                let _ = self.executive.choose();
                self.model.leave(running, State::Blocked);
            }
            Step::Wake(pick, count) => {
                for _ in 0..count {
                    if let Some(rank) = self.model.pick(State::Blocked, pick) {
                        self.executive.wake(id(rank));
                        self.model.append(rank);
                    }
                }
                let _ = self.executive.choose();
            }
            Step::WakeEarly(pick) => self.wake_early(pick % self.model.tasks.len())?,
            Step::LetWaitUntil(pick, offset) => {
                if let Some(rank) = self.model.pick(State::Blocked, pick) {
                    let at = self.now + i128::from(offset);
                    let is_first = self.executive.let_wait_until(id(rank), self.instant(at));
                    prop_assert_eq!(is_first, self.model.wait_until(rank, at));
                }
            }
            Step::ChangeDeadline(pick, offset) => {
                self.change_deadline(pick % self.model.tasks.len(), self.now + i128::from(offset))?;
            }
            Step::Yield if running != IDLE => {
                let _ = self.executive.yield_turn();
                self.model.leave(running, State::Blocked);
                self.model.append(running);
            }
            Step::SetPriority(pick, priority) => {
                let state = [State::Ready, State::Blocked, State::Waits][pick % 3];
                if let Some(rank) = self.model.pick(state, pick) {
                    self.executive.set_priority(id(rank), Priority::new(priority).unwrap());
                    let _ = self.executive.choose();
                    self.model.tasks[rank].priority = priority;
                    // Stable: who ran before its new equals still does.
                    let tasks = &self.model.tasks;
                    self.model.ready.sort_by_key(|&rank| tasks[rank].priority);
                }
            }
            Step::EndJob | Step::WaitUntil(_) | Step::Block | Step::Yield => {}
        }
        Ok(())
    }

    fn end_job(&mut self, running: usize) -> Result<(), TestCaseError> {
        // A period of a few half ticks long ago would take the model too long to count.
        let task = &mut self.model.tasks[running];
        if self.now - task.due > 10_000 * task.period {
            let behind = (self.now - task.due) / task.period * task.period;
            task.due += behind;
            let (due, period) = (self.instant(self.model.tasks[running].due), self.model.tasks[running].period);
            let period = u64::try_from(period).unwrap();
            self.releases[running] = Releases::new(due, period, period, self.model.tasks[running].policy);
            let task = &mut self.model.tasks[running];
            (task.jobs, task.skipped, task.overruns, task.postponed) = (0, 0, 0, 0);
        }
        let now = self.instant(self.now);
        let next = self.releases[running].advance(now);
        let at = self.model.end_job(running, self.now);
        prop_assert_eq!(next.due, self.instant(at));
        let counts = self.releases[running].counts();
        let task = &self.model.tasks[running];
        prop_assert_eq!(
            (counts.count, counts.skipped, counts.overrun, counts.postponed),
            (task.jobs, task.skipped, task.overruns, task.postponed)
        );
        self.wait_until(running, at)
    }

    /// A handler wakes the task, if it waits until some instant.
    fn wake_early(&mut self, rank: usize) -> Result<(), TestCaseError> {
        let was_waiting = self.model.tasks[rank].state == State::Waits;
        prop_assert_eq!(self.executive.wake_early(id(rank)), was_waiting);
        if was_waiting {
            self.model.waiting.retain(|&(_, other)| other != rank);
            self.model.append(rank);
        }
        let _ = self.executive.choose();
        Ok(())
    }

    /// The task waits until `at` instead, if it waits until some instant.
    fn change_deadline(&mut self, rank: usize, at: i128) -> Result<(), TestCaseError> {
        let is_first = self.executive.change_deadline(id(rank), self.instant(at));
        let was_waiting = self.model.tasks[rank].state == State::Waits;
        self.model.waiting.retain(|&(_, other)| other != rank);
        prop_assert_eq!(is_first, was_waiting && self.model.wait_until(rank, at));
        Ok(())
    }

    /// The running task waits until `at`, and another runs.
    fn wait_until(&mut self, running: usize, at: i128) -> Result<(), TestCaseError> {
        let is_first = self.executive.wait_until(self.instant(at));
        prop_assert_eq!(is_first, self.model.wait_until(running, at));
        let _ = self.executive.choose();
        Ok(())
    }

    /// Whether both see the same.
    fn agree(&self) -> Result<(), TestCaseError> {
        prop_assert_eq!(self.executive.running(), id(self.model.running()));
        let first = self.executive.first_deadline();
        match self.model.first_deadline() {
            Some((at, rank)) => prop_assert_eq!((first.at, first.task), (self.instant(at), id(rank))),
            None => prop_assert_eq!(first.at, self.instant(1 << 62)),
        }
        for (rank, task) in self.model.tasks.iter().enumerate() {
            prop_assert_eq!(self.executive.priority(id(rank)).number(), task.priority);
            let state = match task.state {
                State::Ready if rank == self.model.running() => TaskState::Running,
                State::Ready => TaskState::Ready,
                State::Blocked => TaskState::Waits,
                State::Waits => {
                    let until = self.model.waiting.iter().find(|&&(_, other)| other == rank).unwrap().0;
                    TaskState::WaitsInTime(self.instant(until))
                }
            };
            prop_assert_eq!(self.executive.state(id(rank)), state);
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn the_executive_does_as_the_model_does(
        start in starts(),
        sorts in sorts(),
        steps in prop::collection::vec(steps(), 1..400),
    ) {
        let mut trial = Trial::new(start, &sorts);
        trial.agree()?;
        for step in &steps {
            trial.step(step)?;
            trial.agree()?;
        }
    }
}
