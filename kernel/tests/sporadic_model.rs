// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sporadic task's releases against a plain list of the instants at which they came.
//!
//! Random releases come while the task waits, is postponed and has a job to do. Both must agree on when each job begins and
//! was due, on what is dropped, and on every count; and no two are due within the minimum interval.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the hot-path lints are for the executive; a test that cannot go on fails"
)]

use std::collections::VecDeque;

use proptest::prelude::{Just, Strategy, any, prop, prop_oneof};
use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq, proptest};
use takt_kernel::executive::{Executive, TaskState};
use takt_kernel::objects::Wait;
use takt_kernel::objects::sporadic::{Released, Sporadic};
use takt_kernel::priority::{Priority, PrioritySet};
use takt_kernel::release::ReleaseCounts;
use takt_kernel::time::Instant;
use takt_kernel::{CAPACITY, PerTask, TaskId};

const MOST: usize = 3;

#[derive(Debug, Clone)]
enum Step {
    /// Time passes, and a job that was postponed may begin.
    Advance(u64),
    Release,
    /// The job that runs, if one does, ends.
    EndJob,
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => prop_oneof![0_u64..=3, 0_u64..=60].prop_map(Step::Advance),
        3 => Just(Step::Release),
        2 => Just(Step::EndJob),
    ]
}

/// What the task does, in the model. Times are half ticks since the start of the trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Waits,
    /// Waits for a job that is due at this instant.
    Postponed(i128),
    Works,
}

struct Trial {
    start: u64,
    now: i128,
    interval: i128,
    deadline: i128,
    does: Does,
    /// When the current job was due.
    due: Option<i128>,
    has_job: bool,
    kept: VecDeque<i128>,
    counts: ReleaseCounts,
    highest: usize,
    releases: Sporadic<MOST>,
    executive: Executive,
}

fn task() -> TaskId {
    TaskId::new(0).unwrap()
}

impl Trial {
    fn new(start: u64, interval: u64, deadline: u64) -> Self {
        let mut priorities = [Priority::IDLE; CAPACITY];
        priorities[0] = Priority::new(10).unwrap();
        let first = Instant::from_half_ticks(start);
        let mut executive = Executive::new(&PerTask::new(priorities), PrioritySet::EMPTY, false, first);
        executive.start(task());
        let _ = executive.choose();
        let (does, due, has_job, kept) = (Does::Works, None, false, VecDeque::new());
        let (interval, deadline, counts) = (interval.into(), deadline.into(), ReleaseCounts::default());
        let releases = Sporadic::new();
        Self { start, now: 0, interval, deadline, does, due, has_job, kept, counts, highest: 0, releases, executive }
    }

    #[expect(clippy::cast_possible_truncation, reason = "instants wrap")]
    fn instant(&self, since_start: i128) -> Instant {
        Instant::from_half_ticks(self.start.wrapping_add(since_start as u64))
    }

    /// The task comes; what was released before is its.
    fn begin(&mut self) -> Result<(), TestCaseError> {
        let (interval, deadline) = (u64::try_from(self.interval).unwrap(), u64::try_from(self.deadline).unwrap());
        prop_assert!(self.releases.begin(interval, deadline, self.instant(self.now)));
        prop_assert!(!self.releases.begin(interval, deadline, self.instant(self.now)), "a second task");
        self.end_job()
    }

    /// The next job is that of a release that came at `came`; answers when it is due.
    fn admit(&mut self, came: i128) -> i128 {
        let due = self.due.map_or(came, |before| came.max(before + self.interval));
        self.counts.postponed += u64::from(due != came);
        self.due = Some(due);
        due
    }

    fn release(&mut self) -> Result<(), TestCaseError> {
        let before = self.executive.first_deadline().at;
        let now = self.instant(self.now);
        let released = self.releases.release(&mut self.executive, now);
        let _ = self.executive.choose();
        let expected = match self.does {
            Does::Waits => {
                let due = self.admit(self.now);
                if due == self.now {
                    self.does = Does::Works;
                    Released::Woke(task())
                } else {
                    self.does = Does::Postponed(due);
                    prop_assert!(self.instant(due).is_before(before));
                    Released::PostponedAndArms(self.instant(due))
                }
            }
            _ if self.kept.len() < MOST => {
                self.kept.push_back(self.now);
                self.highest = self.highest.max(self.kept.len());
                Released::Kept
            }
            _ => {
                self.counts.skipped += 1;
                Released::Dropped
            }
        };
        prop_assert_eq!(released, expected);
        Ok(())
    }

    fn end_job(&mut self) -> Result<(), TestCaseError> {
        if self.has_job {
            self.counts.count += 1;
            self.counts.late += u64::from(self.due.unwrap() + self.deadline < self.now);
        }
        self.has_job = true;
        let now = self.instant(self.now);
        let (wait, came) = self.releases.wait(&mut self.executive, now);
        let _ = self.executive.choose();
        let expected = self.kept.pop_front();
        prop_assert_eq!(came, expected.map(|came| self.instant(came)));
        let Some(came) = expected else {
            prop_assert_eq!(wait, Wait::Begins);
            self.does = Does::Waits;
            return Ok(());
        };
        let due = self.admit(came);
        if due <= self.now {
            self.counts.overrun += u64::from(due < self.now);
            prop_assert_eq!(wait, Wait::Not);
        } else {
            prop_assert_eq!(wait, Wait::BeginsAndArms(self.instant(due)));
            self.does = Does::Postponed(due);
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), TestCaseError> {
        match *step {
            Step::Advance(span) => {
                self.now += i128::from(span);
                if let Does::Postponed(due) = self.does
                    && due <= self.now
                {
                    prop_assert_eq!(self.executive.first_deadline().at, self.instant(due));
                    prop_assert_eq!(self.executive.release_first(), Ok(task()));
                    let _ = self.executive.choose();
                    self.does = Does::Works;
                }
                Ok(())
            }
            Step::Release => self.release(),
            Step::EndJob if self.does == Does::Works => self.end_job(),
            Step::EndJob => Ok(()),
        }
    }

    fn agree(&self) -> Result<(), TestCaseError> {
        prop_assert_eq!(self.releases.releases().counts(), self.counts);
        prop_assert_eq!(self.releases.highest(), self.highest);
        let state = match self.does {
            Does::Waits => TaskState::Waits,
            Does::Postponed(due) => TaskState::WaitsInTime(self.instant(due)),
            Does::Works => TaskState::Running,
        };
        prop_assert_eq!(self.executive.state(task()), state);
        if let Some(due) = self.due {
            prop_assert_eq!(self.releases.releases().due(), self.instant(due));
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn releases_keep_their_distance(
        start in prop_oneof![Just(0), any::<u64>(), (0_u64..2_000).prop_map(|before| u64::MAX - before)],
        interval in 1_u64..100,
        deadline in 0_u64..100,
        before in prop::collection::vec(prop_oneof![Just(Step::Release), (0_u64..60).prop_map(Step::Advance)], 0..8),
        steps in prop::collection::vec(steps(), 1..300),
    ) {
        let mut trial = Trial::new(start, interval, deadline);
        for step in &before {
            trial.step(step)?;
        }
        trial.begin()?;
        let mut dues: Vec<i128> = Vec::new();
        for step in &steps {
            trial.step(step)?;
            trial.agree()?;
            dues.extend(trial.due.filter(|due| dues.last() != Some(due)));
        }
        prop_assert!(dues.is_sorted_by(|earlier, later| later - earlier >= trial.interval));
    }
}
