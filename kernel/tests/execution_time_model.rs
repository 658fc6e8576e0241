// SPDX-License-Identifier: MIT OR Apache-2.0
//! Execution times against a list that says of each half tick who had the core.
//!
//! Random scripts switch tasks and let interrupts come, also within one another and while the idle task runs. At every step
//! both must agree on what each task and the interrupts had, and nothing is lost or counted twice: together they are what
//! has passed. So are the shares of each window, a thousand tenths of a percent.
#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    reason = "the hot-path lints are for the executive; a test that cannot go on fails"
)]

use proptest::prelude::{Just, Strategy, any, prop, prop_oneof};
use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq, proptest};
use takt_kernel::TaskId;
use takt_kernel::execution_time::{ExecutionTime, Jobs, User, Window};
use takt_kernel::time::Instant;

#[derive(Debug, Clone)]
enum Step {
    Advance(usize),
    /// The running task lets another run, or the same again.
    Switch(TaskId),
    /// An interrupt comes, to a task or within a handler.
    Interrupt,
    /// The innermost handler ends, and what it interrupted goes on.
    End,
    /// The outermost handler ends, if no other is within it, and a task is chosen.
    EndAndSwitch(TaskId),
    /// The running task waits: its job ends.
    EndJob,
    Look,
}

fn tasks() -> impl Strategy<Value = TaskId> {
    prop_oneof![4 => 0_usize..4, 1 => Just(TaskId::IDLE.index())].prop_map(|rank| TaskId::new(rank).unwrap())
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => prop_oneof![0_usize..=3, 0_usize..=90].prop_map(Step::Advance),
        3 => tasks().prop_map(Step::Switch),
        4 => Just(Step::Interrupt),
        3 => Just(Step::End),
        2 => tasks().prop_map(Step::EndAndSwitch),
        2 => Just(Step::EndJob),
        1 => Just(Step::Look),
    ]
}

struct Trial {
    start: u64,
    /// Who had each half tick since the start.
    had: Vec<User>,
    running: TaskId,
    handlers: u32,
    /// How long the list was at the last look.
    looked_at: usize,
    /// For each task that has waited: since when its job runs, and what those before took.
    jobs: Vec<(Option<usize>, Vec<u64>)>,
    time: ExecutionTime,
    window: Window,
    job_times: Vec<Jobs>,
}

impl Trial {
    fn new(start: u64, first: TaskId) -> Self {
        let mut time = ExecutionTime::new();
        time.begin(first, Instant::from_half_ticks(start));
        let (jobs, job_times) = (vec![(None, Vec::new()); 64], vec![Jobs::NONE; 64]);
        let (had, window) = (Vec::new(), Window::new());
        Self { start, had, running: first, handlers: 0, looked_at: 0, jobs, time, window, job_times }
    }

    fn now(&self) -> Instant {
        Instant::from_half_ticks(self.start.wrapping_add(self.had.len() as u64))
    }

    fn count(&self, from: usize, user: User) -> u64 {
        self.had.iter().skip(from).filter(|&&had| had == user).count() as u64
    }

    fn step(&mut self, step: &Step) -> Result<(), TestCaseError> {
        let now = self.now();
        match *step {
            Step::Advance(half_ticks) => {
                let user = if self.handlers == 0 { User::Task(self.running) } else { User::Interrupts };
                self.had.resize(self.had.len() + half_ticks, user);
            }
            Step::Switch(to) if self.handlers == 0 => {
                self.time.switch(to, now);
                self.running = to;
            }
            Step::Interrupt => {
                self.time.begin_handler(now);
                self.handlers += 1;
            }
            Step::End if self.handlers > 0 => {
                self.time.end_handler(now);
                self.handlers -= 1;
            }
            Step::EndAndSwitch(to) if self.handlers == 1 => {
                self.time.end_handlers(to, now);
                (self.running, self.handlers) = (to, 0);
            }
            Step::EndJob if self.handlers == 0 => self.end_job(),
            Step::Look => return self.look(),
            Step::Switch(_) | Step::End | Step::EndAndSwitch(_) | Step::EndJob => {}
        }
        Ok(())
    }

    fn end_job(&mut self) {
        let task = self.running;
        let executed = self.time.executed(task, self.now());
        self.job_times.get_mut(task.index()).unwrap().wait(executed);
        let (began, _) = *self.jobs.get(task.index()).unwrap();
        let took = began.map(|began| self.count(began, User::Task(task)));
        let end = self.had.len();
        let (began, took_before) = self.jobs.get_mut(task.index()).unwrap();
        *began = Some(end);
        took_before.extend(took);
    }

    fn look(&mut self) -> Result<(), TestCaseError> {
        let now = self.now();
        for user in User::all() {
            let executed = match user {
                User::Task(task) => self.time.executed(task, now),
                User::Interrupts => self.time.interrupts(now),
            };
            self.window.note(user, executed);
        }
        let length = self.had.len() - self.looked_at;
        prop_assert_eq!(self.window.length_half_ticks(), length as u64);
        let (mut sum, mut per_mille) = (0, 0);
        for share in self.window.shares() {
            let expected = self.count(self.looked_at, share.user);
            prop_assert_eq!(share.half_ticks, expected, "{:?}", share.user);
            sum += share.half_ticks;
            per_mille += share.per_mille;
            // Less than a tenth of a percent off, in whole numbers.
            let exact = u128::from(expected) * 1_000;
            prop_assert!((u128::from(share.per_mille) * length as u128).abs_diff(exact) < length.max(1) as u128);
            prop_assert!(expected != 0 || share.per_mille == 0);
        }
        prop_assert_eq!(sum, length as u64);
        prop_assert_eq!(per_mille, if length == 0 { 0 } else { 1_000 });
        self.looked_at = self.had.len();
        Ok(())
    }

    fn agree(&self) -> Result<(), TestCaseError> {
        let now = self.now();
        let mut had = [0; 64];
        for user in &self.had {
            if let User::Task(task) = user {
                *had.get_mut(task.index()).unwrap() += 1;
            }
        }
        let mut sum = self.time.interrupts(now);
        prop_assert_eq!(sum, self.count(0, User::Interrupts));
        for (task, had) in TaskId::all().zip(had) {
            let executed = self.time.executed(task, now);
            prop_assert_eq!(executed, had, "{:?}", task);
            sum += executed;
            let times = self.job_times.get(task.index()).unwrap().times();
            let (_, took) = self.jobs.get(task.index()).unwrap();
            let least_and_most = (took.iter().min().copied(), took.iter().max().copied());
            let sum: u64 = took.iter().sum();
            prop_assert_eq!(times.count, took.len() as u64);
            prop_assert_eq!(least_and_most.0.unwrap_or(0), times.min_half_ticks);
            prop_assert_eq!(least_and_most.1.unwrap_or(0), times.max_half_ticks);
            prop_assert_eq!(times.mean_half_ticks(), sum.checked_div(took.len() as u64));
        }
        prop_assert_eq!(sum, self.had.len() as u64);
        Ok(())
    }
}

proptest! {
    #[test]
    fn every_half_tick_is_somebodys(
        start in prop_oneof![Just(0), any::<u64>(), (0_u64..2_000).prop_map(|before| u64::MAX - before)],
        first in tasks(),
        steps in prop::collection::vec(steps(), 1..120),
    ) {
        let mut trial = Trial::new(start, first);
        for step in &steps {
            trial.step(step)?;
            trial.agree()?;
        }
        trial.look()?;
    }

    /// Windows too long to list.
    #[test]
    fn shares_are_the_whole(parts in prop::collection::vec(prop_oneof![0_u64..100, 0..u64::MAX / 8], 1..8)) {
        let mut window = Window::new();
        for (user, &part) in User::all().zip(&parts) {
            window.note(user, part);
        }
        let whole: u64 = parts.iter().sum();
        let sum: u16 = window.shares().map(|share| share.per_mille).sum();
        prop_assert_eq!(sum, if whole == 0 { 0 } else { 1_000 });
        // One off by less than a tenth, and by what is left out of a very long window.
        for share in window.shares() {
            let (told, exact) = (u128::from(share.per_mille), u128::from(share.half_ticks) * 1_000);
            prop_assert!((told * u128::from(whole)).abs_diff(exact) <= u128::from(whole) + u128::from(whole >> 40));
        }
    }
}
