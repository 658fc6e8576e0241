// SPDX-License-Identifier: MIT OR Apache-2.0
//! The execution time of each job of a task, from one wait to the next.

/// What a task's jobs took: least, mean and most, in half ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobTimes {
    /// How many jobs have ended.
    pub count: u64,
    /// What they took together.
    pub sum_half_ticks: u64,
    /// The shortest; 0 before the first has ended.
    pub min_half_ticks: u64,
    /// The longest.
    pub max_half_ticks: u64,
}

impl JobTimes {
    /// No job has ended.
    pub const NONE: Self = Self { count: 0, sum_half_ticks: 0, min_half_ticks: 0, max_half_ticks: 0 };

    /// The mean, rounded down; nothing before the first job has ended.
    #[must_use]
    pub const fn mean_half_ticks(&self) -> Option<u64> {
        self.sum_half_ticks.checked_div(self.count)
    }

    fn add(&mut self, half_ticks: u64) {
        if self.count == 0 {
            self.min_half_ticks = half_ticks;
        }
        self.count = self.count.wrapping_add(1);
        self.sum_half_ticks = self.sum_half_ticks.wrapping_add(half_ticks);
        self.min_half_ticks = self.min_half_ticks.min(half_ticks);
        self.max_half_ticks = self.max_half_ticks.max(half_ticks);
    }
}

/// A task's job, and what those before it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jobs {
    /// How long the task had executed when its job began.
    began_at_half_ticks: Option<u64>,
    times: JobTimes,
}

impl Jobs {
    /// No job has begun.
    pub const NONE: Self = Self { began_at_half_ticks: None, times: JobTimes::NONE };

    /// The task waits, having executed for `executed_half_ticks` in all: its job, if one had begun, has ended, and what it
    /// executes from now on is the next one's.
    pub fn wait(&mut self, executed_half_ticks: u64) {
        if let Some(began_at) = self.began_at_half_ticks.replace(executed_half_ticks) {
            self.times.add(executed_half_ticks.wrapping_sub(began_at));
        }
    }

    /// What the task executed since it waited last belongs to no job.
    pub const fn forget(&mut self) {
        self.began_at_half_ticks = None;
    }

    /// What the jobs took that have ended.
    #[must_use]
    pub const fn times(&self) -> JobTimes {
        self.times
    }

    /// How much of the present job is done, when the task has executed for `executed_half_ticks` in all; nothing where no job
    /// has begun.
    #[must_use]
    pub fn done(&self, executed_half_ticks: u64) -> Option<u64> {
        self.began_at_half_ticks.map(|began_at| executed_half_ticks.wrapping_sub(began_at))
    }
}
