//! What a periodic task holds: the handle with which it waits for its next release.

use core::marker::PhantomData;
use core::time::Duration;

use takt_kernel::TaskId;
use takt_kernel::priority::Priority;
use takt_kernel::release::{OverrunPolicy, Releases};
use takt_kernel::table::Kind;
use takt_kernel::time::Instant;

use crate::core_state::{CoreState, masked};
use crate::{clock, time_base, turn};

/// One release of a periodic task, with its stamps. All come from one counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    due: Instant,
    handler: Instant,
    start: Instant,
    skipped: u64,
}

impl Release {
    /// The programmed instant.
    pub const fn due(&self) -> Instant {
        self.due
    }

    /// The first statement of the interrupt handler that released the task.
    pub const fn handler(&self) -> Instant {
        self.handler
    }

    /// The task's first statement.
    pub const fn start(&self) -> Instant {
        self.start
    }

    /// How many releases were skipped before this one.
    pub const fn skipped(&self) -> u64 {
        self.skipped
    }
}

/// The handle of a periodic task. It belongs to that task: it can be neither copied nor sent.
#[derive(Debug)]
pub struct Periodic {
    task: TaskId,
    releases: Releases,
    /// The first wait is for time zero.
    has_started: bool,
    not_send: PhantomData<*const ()>,
}

impl Periodic {
    /// The handle of `task`, before time zero.
    pub(crate) fn new(task: TaskId, kind: &Kind) -> Self {
        let releases = releases_from(kind, Instant::from_half_ticks(0));
        Self { task, releases, has_started: false, not_send: PhantomData }
    }

    /// Ends the current job and waits for the next release; the first time, for the first release after time zero, which
    /// comes when all periodic tasks of the table wait.
    ///
    /// Called by the task that was given the handle. Returns at the due instant, or at once where that has passed: what
    /// was missed by then is counted and, with [`OverrunPolicy::Skip`], skipped.
    #[inline(always)]
    pub fn wait(&mut self) -> Release {
        let skipped = if self.has_started {
            let next = self.releases.advance(clock::now());
            let (task, counts) = (self.task, self.releases.counts());
            turn::step(|core| {
                core.block(task).counts = counts;
                let before = core.executive.first_deadline().at;
                let switch = core.executive.wait_until(next.due);
                let first = core.executive.first_deadline().at;
                if first != before {
                    time_base::arm(first);
                }
                switch
            });
            next.skipped
        } else {
            self.wait_for_time_zero();
            0
        };
        let start = clock::now();
        Release { due: self.releases.due(), handler: self.handler_stamp(), start, skipped }
    }

    /// The period in half ticks.
    pub const fn period_half_ticks(&self) -> u64 {
        self.releases.period_half_ticks()
    }

    #[inline(always)]
    fn handler_stamp(&self) -> Instant {
        // Nobody writes the stamp while the task runs: it is written when the task is released.
        masked(|core| core.block(self.task).handler_stamp)
    }

    #[cold]
    #[inline(never)]
    fn wait_for_time_zero(&mut self) {
        self.has_started = true;
        turn::step(|core| {
            let switch = core.executive.block();
            core.on_their_way = core.on_their_way.saturating_sub(1);
            if core.on_their_way == 0 {
                begin(core);
            }
            switch
        });
        let (zero, kind) = masked(|core| (core.zero, core.kind(self.task)));
        if let Some(kind) = kind {
            self.releases = releases_from(&kind, zero);
        }
    }
}

/// How long after the last task's arrival time zero comes: a millisecond, so that every offset lies ahead.
const LEAD: Duration = Duration::from_millis(1);

/// All periodic tasks wait: time zero is near. Once in a run, so its length does not matter: nothing has a deadline yet.
fn begin(core: &mut CoreState) {
    core.zero = clock::next_edge(clock::now().after(clock::half_ticks(LEAD)));
    for rank in 0..takt_kernel::CAPACITY {
        let Some(task) = TaskId::new(rank) else { continue };
        if let Some(kind @ Kind::Periodic { .. }) = core.kind(task) {
            core.executive.let_wait_until(task, releases_from(&kind, core.zero).due());
        }
    }
    time_base::arm(core.executive.first_deadline().at);
}

/// The releases of a task of this kind; for anything but a periodic task, none worth having.
fn releases_from(kind: &Kind, zero: Instant) -> Releases {
    match *kind {
        Kind::Periodic { period, offset, deadline, overrun } => Releases::new(
            zero.after(clock::half_ticks(offset)),
            clock::half_ticks(period),
            clock::half_ticks(deadline.unwrap_or(period)),
            overrun,
        ),
        Kind::Slot | Kind::Background => Releases::new(zero, 1, 1, OverrunPolicy::Skip),
    }
}

/// The handle of a slot: a periodic task whose period is given while the system runs.
#[derive(Debug)]
pub struct Slot {
    task: TaskId,
    not_send: PhantomData<*const ()>,
}

impl Slot {
    pub(crate) const fn new(task: TaskId) -> Self {
        Self { task, not_send: PhantomData }
    }

    /// Gives the slot another priority than the table did. Called before [`Self::begin`]; takes time in proportion to the
    /// number of tasks, with interrupts masked.
    pub fn set_priority(&mut self, priority: Priority) {
        turn::step(|core| {
            core.executive.set_priority(self.task, priority);
            core.executive.choose()
        });
    }

    /// Makes the slot periodic: the first [`Periodic::wait`] returns at `first`, the next ones `period` apart (at least
    /// 1 us). Choose `first` with [`clock::next_edge`], in the future.
    pub fn begin(&mut self, first: Instant, period: Duration, overrun: OverrunPolicy) -> Periodic {
        let period_half_ticks = clock::half_ticks(period).max(clock::half_ticks_per_us());
        // One period early, so that the first wait advances to `first`; that job never ran and is not late.
        let before = first.before(period_half_ticks);
        let releases = Releases::new(before, period_half_ticks, period_half_ticks, overrun);
        Periodic { task: self.task, releases, has_started: true, not_send: PhantomData }
    }
}
