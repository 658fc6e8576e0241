// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutexes with priority inheritance: who holds one is as urgent as the most urgent task that waits for it.
//!
//! A task holds its mutexes one inside the other, so *owner and depth* name a mutex that is held. Who waits hangs in a chain
//! at that place, and remembers the place. A task's *urgency* is the level of the most urgent of itself and of all that
//! hang at its places; where that changes and the task waits itself, the owner it waits for is next. So an urgency goes on
//! along a chain of tasks, and what somebody lent is gone with the lender, whyever it left.
//!
//! A task whose time is over has to run before the owner that it has made as urgent as itself, or it would be told when
//! that has ended. While it waits for a time its level is therefore one of its own, more urgent than all others, so that
//! the interrupt that releases it is the same as any other; the task leaves that level in the first kernel step.

use super::Executive;
use crate::objects::Wait;
use crate::ready::{Locks, OVERDUE};
use crate::time::Instant;
use crate::waiters::{Taken, Waiters};
use crate::{CAPACITY, TaskId};

/// How many mutexes with inheritance a task can hold, one inside the other.
pub const MOST_NESTED: usize = Locks::MOST as usize;

/// Where a mutex is held, all zeros where it is not: the owner's number, and above that how many the owner holds with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holding(u16);

impl Holding {
    /// Nobody holds it.
    pub const FREE: Self = Self(0);
    const COUNT: u8 = 7;
    const AWAITED: u16 = 0x8000;

    #[inline(always)]
    const fn new(owner: TaskId, locks: Locks) -> Self {
        Self(u16::from_le_bytes([owner.number(), locks.byte()]))
    }

    /// Who holds it.
    #[inline(always)]
    #[must_use]
    pub const fn owner(self) -> Option<TaskId> {
        let [owner, _] = self.0.to_le_bytes();
        if self.0 == 0 { None } else { Some(TaskId::from_number(owner)) }
    }

    const fn depth(self) -> usize {
        let [_, locks] = self.0.to_le_bytes();
        (locks & Self::COUNT).wrapping_sub(1) as usize % MOST_NESTED
    }

    /// Whether somebody waits for it, or waited until its time was over.
    #[inline(always)]
    #[must_use]
    pub const fn is_awaited(self) -> bool {
        self.0 & Self::AWAITED != 0
    }

    /// The same, awaited.
    #[must_use]
    pub const fn awaited(self) -> Self {
        Self(self.0 | Self::AWAITED)
    }
}

/// Why a task cannot wait for a mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitRefused {
    /// The owner waits, perhaps through others, for this task; or is this task.
    Deadlock,
    /// The task holds a mutex with a ceiling, inside which nobody waits.
    InsideCeiling,
}

/// What is known of each task that holds such mutexes, or waits for one.
#[derive(Debug)]
pub(super) struct Holders {
    tasks: [Holder; CAPACITY],
    /// How many wait for such a mutex.
    waiting: usize,
}

#[derive(Debug)]
struct Holder {
    /// Who waits for what it holds, the outermost first.
    waiters: [Waiters; MOST_NESTED],
    /// What it waits for.
    awaited: Holding,
}

impl Holder {
    const NOTHING: Self = Self { waiters: [const { Waiters::new() }; MOST_NESTED], awaited: Holding::FREE };
}

impl Holders {
    pub(super) const NONE: Self = Self { tasks: [const { Holder::NOTHING }; CAPACITY], waiting: 0 };

    #[expect(clippy::indexing_slicing, reason = "a task's index is below the capacity")]
    const fn of(&mut self, task: TaskId) -> &mut Holder {
        &mut self.tasks[task.index()]
    }

    #[expect(clippy::indexing_slicing, reason = "as above")]
    const fn awaited(&self, task: TaskId) -> Holding {
        self.tasks[task.index()].awaited
    }

    /// How many tasks wait for a mutex with inheritance.
    pub(super) const fn waiting(&self) -> usize {
        self.waiting
    }

    /// `task` begins to wait for what is held there.
    const fn begin_to_await(&mut self, task: TaskId, holding: Holding) {
        self.of(task).awaited = holding;
        self.waiting = self.waiting.wrapping_add(1);
    }

    /// `task` no longer waits for what this answers.
    const fn end_to_await(&mut self, task: TaskId) -> Holding {
        self.waiting = self.waiting.wrapping_sub(1);
        core::mem::replace(&mut self.of(task).awaited, Holding::FREE)
    }

    /// The owner of what `task` waits for.
    pub(super) const fn awaits(&self, task: TaskId) -> Option<TaskId> {
        self.awaited(task).owner()
    }

    /// Who waits for a mutex that is held; a task that held none has none.
    #[expect(clippy::indexing_slicing, reason = "a depth is below the number of places")]
    const fn waiters(&mut self, holding: Holding) -> Option<&mut Waiters> {
        match holding.owner() {
            Some(owner) => Some(&mut self.of(owner).waiters[holding.depth()]),
            None => None,
        }
    }
}

impl Executive {
    /// The running task holds one more from now on, of which this is the place; `None`, and nothing happens, where it holds
    /// [`MOST_NESTED`].
    #[inline(always)]
    pub(crate) fn begin_holding(&mut self) -> Option<Holding> {
        let locks = self.ready.locks(self.running);
        if locks.are_the_most() {
            return None;
        }
        let locks = locks.one_more();
        self.ready.set_locks(self.running, locks);
        Some(Holding::new(self.running, locks))
    }

    /// The running task no longer holds the latest, for which nobody waits.
    #[inline(always)]
    pub(crate) fn end_holding(&mut self) {
        let locks = self.ready.locks(self.running);
        self.ready.set_locks(self.running, locks.one_less());
    }

    /// Whether the running task holds [`MOST_NESTED`], and cannot hold one more.
    #[must_use]
    pub fn holds_the_most(&self) -> bool {
        self.ready.locks(self.running).are_the_most()
    }

    /// The running task, which holds less than the most, waits for what is held at `holding`, `until` its deadline at the
    /// most, where it has one: then it asks [`Self::has_given_up_holding`] when it runs again. Who runs next is
    /// [`Self::choose`]'s.
    pub(crate) fn wait_for_holder(&mut self, holding: Holding, until: Option<Instant>) -> Result<Wait, WaitRefused> {
        let (task, owner) = (self.running, holding.owner());
        let mut next = owner;
        while let Some(other) = next {
            if other == task {
                return Err(WaitRefused::Deadlock);
            }
            next = self.holders.awaits(other);
        }
        if self.ready.locks(task).has_ceiling() {
            return Err(WaitRefused::InsideCeiling);
        }
        let Some(mut waiters) = self.holders.waiters(holding).map(core::mem::take) else { return Ok(Wait::Not) };
        let wait = self.wait(&mut waiters, until);
        self.put_back(holding, waiters);
        self.holders.begin_to_await(task, holding);
        if until.is_some() {
            self.ready.set_level(task, OVERDUE);
        }
        self.settle(owner);
        Ok(wait)
    }

    /// The running task releases the latest that it holds, which is at `holding`, and the most urgent waiter has it: at the
    /// place that this answers, with the others that wait. Who runs next is [`Self::choose`]'s.
    pub(crate) fn hand_over(&mut self, holding: Holding) -> Option<Holding> {
        let owner = self.running;
        let mut waiters = self.holders.waiters(holding).map(core::mem::take).unwrap_or_default();
        self.end_holding();
        let taken = waiters.take(&mut self.ready);
        let next = taken.map(|taken| self.let_hold(taken, waiters));
        self.settle(Some(owner));
        next
    }

    /// `taken` waits no longer and holds what the others still wait for.
    fn let_hold(&mut self, taken: Taken, others: Waiters) -> Holding {
        let Taken { task, was_timed } = taken;
        let locks = self.ready.locks(task).one_more();
        let holding = Holding::new(task, locks);
        self.ready.set_locks(task, locks);
        let _ = self.holders.end_to_await(task);
        let holders = &mut self.holders;
        others.for_each(&mut self.ready, |_, other| holders.of(other).awaited = holding);
        let is_awaited = !others.is_empty();
        self.put_back(holding, others);
        if was_timed && !self.delays.remove(task) {
            // Its time is over, but it has not run since.
            self.ready.remove(task);
        }
        // It was the most urgent, so it inherits nothing of the others.
        self.ready.set_level(task, self.ready.urgency(task));
        self.ready.append(task);
        if is_awaited { holding.awaited() } else { holding }
    }

    /// The running task, which waited for a time, runs again: whether that is because its time is over. Then it waits no
    /// longer, and has lent its urgency to nobody. Who runs next is [`Self::choose`]'s.
    pub(crate) fn has_given_up_holding(&mut self) -> bool {
        let task = self.running;
        if !self.ready.link(task).is_timed() {
            return false;
        }
        let holding = self.holders.end_to_await(task);
        if let Some(waiters) = self.holders.waiters(holding) {
            waiters.remove(&mut self.ready, task);
        }
        self.ready.requeue(task);
        self.settle(holding.owner());
        true
    }

    fn put_back(&mut self, holding: Holding, waiters: Waiters) {
        if let Some(place) = self.holders.waiters(holding) {
            *place = waiters;
        }
    }

    /// Lets `task` be as urgent as the most urgent of itself and of those that wait for what it holds, and goes on along the
    /// chain of those that wait for one another. Takes a few instructions for each of these waiters.
    pub(super) fn settle(&mut self, mut task: Option<TaskId>) {
        while let Some(holder) = task {
            let mut urgency = self.ready.own(holder);
            for waiters in &self.holders.of(holder).waiters {
                let lent = waiters.urgency(&mut self.ready);
                if lent.number() < urgency.number() {
                    urgency = lent;
                }
            }
            if self.ready.runs_by_deadline(urgency) {
                return self.settle_with_deadlines(holder);
            }
            if urgency == self.ready.urgency(holder) {
                return;
            }
            self.ready.set_urgency(holder, urgency);
            task = self.holders.awaits(holder);
            if task.is_none() {
                // Whoever holds a mutex and does not wait for one is ready.
                self.ready.requeue_plainly(holder);
            } else if !self.ready.link(holder).is_timed() {
                self.ready.set_plain_level(holder, urgency);
            }
        }
    }

    /// As [`Self::settle`], where deadlines count.
    #[cold]
    #[inline(never)]
    fn settle_with_deadlines(&mut self, mut holder: TaskId) {
        loop {
            if !self.ready.settle_with(holder, &self.holders.of(holder).waiters) {
                return;
            }
            let Some(next) = self.holders.awaits(holder) else { return self.ready.requeue(holder) };
            if !self.ready.link(holder).is_timed() {
                self.ready.set_level(holder, self.ready.urgency(holder));
            }
            holder = next;
        }
    }

    /// The owner of the mutex for which `task` waits.
    #[must_use]
    pub fn awaits(&self, task: TaskId) -> Option<TaskId> {
        self.holders.awaits(task)
    }

    /// Whether `task` is more urgent than its own priority, by what it holds.
    #[must_use]
    pub fn is_raised(&self, task: TaskId) -> bool {
        self.ready.urgency(task) != self.ready.own(task)
    }
}
