// SPDX-License-Identifier: MIT OR Apache-2.0
//! A level whose tasks run in turn, against lists: time passes, more urgent tasks come between, tasks wait and wake.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the hot-path lints are for the executive; a test that cannot go on fails"
)]

use std::collections::VecDeque;

use proptest::prelude::{Just, Strategy, prop, prop_oneof};
use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq, proptest};
use takt_kernel::executive::{Executive, LOOKS_IN_A_SLICE, Watch};
use takt_kernel::priority::{Priority, PrioritySet};
use takt_kernel::time::Instant;
use takt_kernel::{CAPACITY, PerTask, TaskId};

/// One more urgent, four that run in turn, one less urgent.
const PRIORITIES: [u8; 6] = [1, 2, 2, 2, 2, 3];
const IN_TURN: core::ops::RangeInclusive<usize> = 1..=4;

fn id(rank: usize) -> TaskId {
    TaskId::new(rank).unwrap()
}

#[derive(Debug, Clone)]
enum Step {
    /// So much time passes.
    Run(u64),
    /// A handler wakes a blocked task.
    Wake(usize),
    /// The running task waits.
    Block,
    /// The running task lets an equal run.
    Yield,
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (1_u64..200).prop_map(Step::Run),
        3 => (0_usize..PRIORITIES.len()).prop_map(Step::Wake),
        2 => Just(Step::Block),
        1 => Just(Step::Yield),
    ]
}

struct Trial {
    executive: Executive,
    watch: TaskId,
    slice: u64,
    now: u64,
    executed: [u64; PRIORITIES.len()],
    /// Who is ready, in the order in which they have their turns, by priority.
    ready: [VecDeque<usize>; 4],
    /// How long each had executed when it was first, or seen behind others.
    began: [u64; PRIORITIES.len()],
    last_look: Option<u64>,
    /// Who was first, with others ready, ever since it had executed for so long.
    stay: Option<(usize, u64)>,
}

impl Trial {
    fn new(slice: u64) -> Self {
        let mut all = [Priority::IDLE; CAPACITY];
        for (place, number) in all.iter_mut().zip(PRIORITIES) {
            *place = Priority::new(number).unwrap();
        }
        let start = Instant::from_half_ticks(0);
        let mut executive = Executive::new(&PerTask::new(all), PrioritySet::EMPTY, false, start);
        let watch = executive.run_in_turn(Priority::new(2).unwrap(), slice).unwrap();
        assert!(executive.watch_at(Watch::Turn(watch), start.after(slice)));
        let mut ready = [const { VecDeque::new() }; 4];
        for (rank, number) in PRIORITIES.into_iter().enumerate() {
            executive.start(id(rank));
            ready[usize::from(number)].push_back(rank);
        }
        let _ = executive.choose();
        let (executed, began) = ([0; PRIORITIES.len()], [0; PRIORITIES.len()]);
        Self { executive, watch, slice, now: 0, executed, ready, began, last_look: None, stay: None }
    }

    fn running(&self) -> Option<usize> {
        self.ready.iter().find_map(|level| level.front().copied())
    }

    fn pass(&mut self, half_ticks: u64) {
        self.now += half_ticks;
        if let Some(running) = self.running() {
            self.executed[running] += half_ticks;
        }
    }

    fn run(&mut self, half_ticks: u64) -> Result<(), TestCaseError> {
        let end = self.now + half_ticks;
        loop {
            let due = self.executive.first_deadline().at.half_ticks();
            if due > end {
                self.pass(end - self.now);
                return Ok(());
            }
            self.pass(due - self.now);
            self.look()?;
        }
    }

    /// The watch is due: the naive form of what it does.
    fn look(&mut self) -> Result<(), TestCaseError> {
        let due = self.executive.release_first().unwrap_err();
        prop_assert_eq!(due.watch(), Some(Watch::Turn(self.watch)));
        let executed = self.executed;
        let executed_by = |task: TaskId| executed.get(task.index()).copied().unwrap_or(0);
        self.executive.look_at_turn(self.watch, Instant::from_half_ticks(self.now), executed_by);
        let level = &mut self.ready[2];
        for &other in level.iter().skip(1) {
            self.began[other] = self.executed[other];
        }
        if let Some(&first) = level.front() {
            if level.len() == 1 {
                self.began[first] = self.executed[first];
            } else if self.executed[first] - self.began[first] + self.slice / 16 >= self.slice {
                self.began[first] = self.executed[first];
                level.rotate_left(1);
            }
        }
        if let Some(last) = self.last_look.replace(self.now) {
            prop_assert!(self.now - last >= self.slice / LOOKS_IN_A_SLICE, "looks {last} and {}", self.now);
        }
        self.agree()
    }

    fn step(&mut self, step: &Step) -> Result<(), TestCaseError> {
        let level_of = |rank: usize| usize::from(PRIORITIES[rank]);
        match *step {
            Step::Run(half_ticks) => self.run(half_ticks)?,
            Step::Wake(rank) if !self.ready[level_of(rank)].contains(&rank) => {
                self.executive.wake(id(rank));
                self.ready[level_of(rank)].push_back(rank);
            }
            Step::Wake(_) => {}
            Step::Block => {
                if let Some(running) = self.running() {
                    self.executive.block();
                    let _ = self.ready[level_of(running)].pop_front();
                }
            }
            Step::Yield => {
                if let Some(running) = self.running() {
                    let _ = self.executive.yield_turn();
                    self.ready[level_of(running)].rotate_left(1);
                }
            }
        }
        self.agree()
    }

    fn agree(&mut self) -> Result<(), TestCaseError> {
        let _ = self.executive.choose();
        let running = self.running();
        prop_assert_eq!(self.executive.running(), running.map_or(TaskId::IDLE, id));
        // Nobody keeps equals waiting for longer than a slice and a sixteenth, rounded up.
        let level = &self.ready[2];
        let first = level.front().copied().filter(|_| level.len() > 1);
        self.stay = first.map(|first| match self.stay {
            Some((same, since)) if same == first => (same, since),
            _ => (first, self.executed[first]),
        });
        if let Some((first, since)) = self.stay {
            let kept_waiting = self.executed[first] - since;
            prop_assert!(kept_waiting <= self.slice + self.slice.div_ceil(16), "{first} for {kept_waiting}");
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn turns_end_as_in_the_lists(slice in 8_u64..100, steps in prop::collection::vec(steps(), 1..120)) {
        let mut trial = Trial::new(slice);
        for step in &steps {
            trial.step(step)?;
        }
    }

    /// Whatever more urgent tasks take, equals that never wait have the same, to a turn.
    #[test]
    fn equals_have_the_same(slice in 8_u64..100, breaks in prop::collection::vec((1_u64..300, 1_u64..100), 1..60)) {
        let mut trial = Trial::new(slice);
        for (calm, urgent) in breaks {
            trial.step(&Step::Run(urgent))?;
            trial.step(&Step::Block)?;
            trial.step(&Step::Run(calm))?;
            trial.step(&Step::Wake(0))?;
        }
        let had = IN_TURN.map(|rank| trial.executed[rank]);
        let (least, most) = (had.clone().min().unwrap(), had.max().unwrap());
        // A turn is a slice, to a sixteenth more or less; one may be under way.
        let turns = most / slice + 2;
        prop_assert!(most - least <= slice + turns * 2 * slice.div_ceil(16), "{least} and {most}");
    }
}
