// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a task is declared.

use core::time::Duration;

use takt_kernel::budget::{Budget, OnBudgetOverrun};
use takt_kernel::release::OverrunPolicy;
use takt_kernel::table::{Entry, Hold, Holds, Inherit, Inherits, Kind, TaskEntry};

use crate::mutex::Mutex;
use crate::periodic::{Periodic, Slot};
use crate::sporadic::SporadicTask;
use crate::table::{Declaration, Run};

/// The stack of a task that asks for none in particular.
const USUAL_STACK_BYTES: usize = 8_192;

/// A task of the table, as declared. Every method sets one property; [`tasks!`](crate::tasks!) checks the whole.
///
/// ```no_run
/// use takt::prelude::*;
///
/// takt::tasks! {
///     control: Task::periodic(control).priority(10).period(millis(1)).wcet(micros(200)).on_overrun(OverrunPolicy::Skip),
///     logger: Task::background(logger).priority(200).stack_bytes(16_384),
/// }
/// # fn control(mut period: Periodic) -> ! { loop { period.wait(); } }
/// # fn logger() -> ! { loop {} }
/// ```
#[derive(Clone, Copy)]
pub struct Task {
    entry: TaskEntry,
    run: Run,
    budget: Option<Budget>,
}

impl Task {
    const fn new(kind: Kind, run: Run) -> Self {
        let (stack_bytes, wcet) = (USUAL_STACK_BYTES, Duration::ZERO);
        let (holds, inherits) = (Holds::NONE, Inherits::NONE);
        Self {
            entry: TaskEntry {
                name: "",
                kind,
                priority: 0,
                core: 0,
                stack_bytes,
                holds,
                inherits,
                wcet,
                remote_sends: 0,
            },
            run,
            budget: None,
        }
    }

    /// A task that `run` once per period. Give it a [`Self::period`] and a [`Self::priority`].
    pub const fn periodic(run: fn(Periodic) -> !) -> Self {
        let kind = Kind::Periodic {
            period: Duration::ZERO,
            offset: Duration::ZERO,
            deadline: None,
            overrun: OverrunPolicy::Skip,
        };
        Self::new(kind, Run::Periodic(run))
    }

    /// A periodic task whose period is set while the system runs, before its first release. Give it a
    /// [`Self::priority`].
    pub const fn slot(run: fn(Slot) -> !) -> Self {
        Self::new(Kind::Slot, Run::Slot(run))
    }

    /// A task that handlers and other tasks release, by a [`Sporadic`](crate::Sporadic), at a bounded rate. Give it a
    /// [`Self::min_interval`] and a [`Self::priority`].
    pub const fn sporadic(run: fn(SporadicTask) -> !) -> Self {
        let kind = Kind::Sporadic { min_interval: Duration::ZERO, deadline: None };
        Self::new(kind, Run::Sporadic(run))
    }

    /// A task that runs whenever no more urgent one is ready. Give it a [`Self::priority`].
    pub const fn background(run: fn() -> !) -> Self {
        Self::new(Kind::Background, Run::Background(run))
    }

    /// How urgent: 1 (most) to 254 (least).
    #[must_use]
    pub const fn priority(mut self, priority: u8) -> Self {
        self.entry.priority = priority;
        self
    }

    /// The core it runs on, 0 unless given.
    #[must_use]
    pub const fn core(mut self, core: u8) -> Self {
        self.entry.core = core;
        self
    }

    /// The size of its stack in bytes, at least 2,048 and a multiple of 16; 8,192 unless given. A guard page lies below.
    #[must_use]
    pub const fn stack_bytes(mut self, bytes: usize) -> Self {
        self.entry.stack_bytes = bytes;
        self
    }

    /// From release to release: whole microseconds, up to an hour. For periodic tasks.
    #[must_use]
    pub const fn period(mut self, new: Duration) -> Self {
        if let Kind::Periodic { period, .. } = &mut self.entry.kind {
            *period = new;
        }
        self
    }

    /// From time zero to the first release: whole microseconds, up to an hour; 0 unless given. For periodic tasks.
    #[must_use]
    pub const fn offset(mut self, new: Duration) -> Self {
        if let Kind::Periodic { offset, .. } = &mut self.entry.kind {
            *offset = new;
        }
        self
    }

    /// From a release to the next, at least: whole microseconds, up to an hour. What comes sooner waits. For sporadic tasks.
    #[must_use]
    pub const fn min_interval(mut self, new: Duration) -> Self {
        if let Kind::Sporadic { min_interval, .. } = &mut self.entry.kind {
            *min_interval = new;
        }
        self
    }

    /// From release to the latest end of the job, after which it counts as late: whole microseconds, up to an hour; the
    /// period, or the minimum interval, unless given. For periodic and sporadic tasks.
    #[must_use]
    pub const fn deadline(mut self, new: Duration) -> Self {
        if let Kind::Periodic { deadline, .. } | Kind::Sporadic { deadline, .. } = &mut self.entry.kind {
            *deadline = Some(new);
        }
        self
    }

    /// What becomes of releases that passed while a job still ran; [`OverrunPolicy::Skip`] unless given. For periodic
    /// tasks.
    #[must_use]
    pub const fn on_overrun(mut self, new: OverrunPolicy) -> Self {
        if let Kind::Periodic { overrun, .. } = &mut self.entry.kind {
            *overrun = new;
        }
        self
    }

    /// The longest that a job runs by itself, from its release to its next wait, its locks included, up to an hour: for the
    /// check of deadlines ([`schedulability`](takt_kernel::schedulability)). A table in which a task can miss its deadline
    /// stops the build; of a task that does not say it, and of those that are not more urgent, nothing is claimed.
    #[must_use]
    pub const fn wcet(mut self, longest: Duration) -> Self {
        self.entry.wcet = longest;
        self
    }

    /// The most execution time that a job is to use, without what preempts it and without interrupts, and what becomes of one
    /// that uses more: at least its [`Self::wcet`], at most its deadline. What the task asks of the executive is its own, the
    /// wait at the job's end among it. For periodic and sporadic tasks, in a build with the feature `execution-time`.
    ///
    /// ```no_run
    /// use takt::prelude::*;
    ///
    /// /// Nobody who is less urgent waits longer for the filter than it was reckoned to take.
    /// const FILTER: Task = Task::periodic(filter)
    ///     .priority(10)
    ///     .period(millis(1))
    ///     .wcet(micros(150))
    ///     .budget(micros(200), OnBudgetOverrun::Demote);
    /// # fn filter(mut period: Periodic) -> ! { loop { period.wait(); } }
    /// ```
    ///
    /// Each job that uses more is counted, and found while it runs: at once, or where it was preempted or interrupted meanwhile at
    /// most an eighth of the budget later, 5 us at least. From then on, with [`OnBudgetOverrun::Demote`], the task runs only when
    /// no other task can, until that job ends; what it holds counts as ever. With [`OnBudgetOverrun::Fatal`] the run ends with a
    /// sentence. [`TaskReport::execution`](crate::TaskReport::execution) says how many there were.
    ///
    /// POSIX: `sched_ss_init_budget` of `SCHED_SPORADIC`; RTEMS: `RTEMS_CPU_BUDGET_ALGORITHM_EXHAUST_TIMESLICE` and the
    /// like; Linux: the runtime of `SCHED_DEADLINE`; AUTOSAR OS: `OsTaskExecutionBudget`.
    #[must_use]
    pub const fn budget(mut self, most: Duration, on_overrun: OnBudgetOverrun) -> Self {
        self.budget = Some(Budget { most, on_overrun });
        self
    }

    /// The task locks `mutex`, for `longest` at the most, 1 ns to a second. Every task that locks a [`Mutex`] says so, at most
    /// eight times: the mutex's ceiling must not be less urgent than the task.
    #[must_use]
    pub const fn locks<T, const CEILING: u8>(mut self, _mutex: &'static Mutex<T, CEILING>, longest: Duration) -> Self {
        self.entry.holds = self.entry.holds.with(Hold::new(CEILING, longest));
        self
    }

    /// The task locks preemption with [`preemption_lock`](crate::preemption_lock), for `longest` at the most, 1 ns to a second:
    /// as long as every other task may have to wait. Counts as one of the eight of [`Self::locks`].
    #[must_use]
    pub const fn locks_preemption(mut self, longest: Duration) -> Self {
        self.entry.holds = self.entry.holds.with(Hold::preemption(longest));
        self
    }

    /// The task locks the [`InheritMutex`](crate::InheritMutex) of this name, for `longest` at the most, 1 ns to a second,
    /// what it waits for inside left out. Every task that locks one says so, at most six times; a ceiling that the task locks
    /// too must not be less urgent than what it may inherit. By the name and not by the mutex, in which the compiler may not
    /// look while it checks the table.
    #[must_use]
    pub const fn locks_inherit(mut self, mutex: &'static str, longest: Duration) -> Self {
        self.entry.inherits = self.entry.inherits.with(Inherit::new(mutex, longest));
        self
    }

    /// How often a job sends to other cores at the most, by a [`Remote`](crate::Remote) or [`Lanes`](crate::Lanes); not at all
    /// unless given. For the check of deadlines: it is the job's own time, and that of the cores that hear of it, of which each
    /// reckons with all that is sent. Where a task that sends is unproven, as each background task is, nothing is claimed of any core,
    /// since nobody knows when it sends. Nobody counts the sends: a task that sends more than it says makes claims wrong.
    #[must_use]
    pub const fn remote_sends(mut self, most: u16) -> Self {
        self.entry.remote_sends = most;
        self
    }

    /// This task as a line of the table, for [`tasks!`](crate::tasks!).
    #[doc(hidden)]
    pub const fn declare(mut self, name: &'static str) -> Declaration {
        self.entry.name = name;
        Declaration::new(Entry::Task(self.entry), self.run).with_budget(name, self.budget)
    }
}
