// SPDX-License-Identifier: MIT OR Apache-2.0
//! The decisions of one core: who runs, who waits, what the timer is armed for.
//!
//! The executive is told what happened (a deadline passed, the running task waits, a handler wakes a task) and answers
//! with a verdict that the board carries out. It reads no clock and touches no device, and every method on the interrupt
//! path takes a constant number of instructions, but for a few for each equal of an earlier deadline in a level that runs the
//! earliest first; [`Executive::wait_until`] takes a few for each task that is due earlier.

mod asks;
mod demotion;
mod inheritance;
mod locks;
mod policies;
mod round_robin;
mod states;
mod waits;
mod watches;

pub use demotion::Demoted;
pub use inheritance::{Holding, MOST_NESTED, WaitRefused};
pub use locks::{Before, LockRefused};
pub use policies::ByPolicy;
pub use round_robin::{LOOKS_IN_A_SLICE, MOST_IN_TURN};
pub use states::TaskState;
pub use watches::Watch;

use asks::Asks;
use inheritance::Holders;
use round_robin::InTurn;

use crate::delay::{DelayQueue, Due};
use crate::levels::{self, CeilingBits, Levels, PRIORITIES};
use crate::priority::{Priority, PrioritySet};
use crate::ready::ReadySet;
use crate::time::Instant;
use crate::{PerTask, TaskId};

/// Who runs, waits and sleeps on one core.
///
/// In the order in memory that the interrupt path asks for, as the [`ReadySet`].
#[derive(Debug)]
#[repr(C)]
pub struct Executive {
    ready: ReadySet,
    running: TaskId,
    delays: DelayQueue,
    priorities: PerTask<Priority>,
    ceilings: PrioritySet,
    ceiling_bits: CeilingBits,
    /// How many levels are more urgent than every task and ceiling: 1 where mutexes with inheritance are used.
    reserved: u8,
    /// The priorities whose tasks run the earliest deadline first.
    by_deadline: PrioritySet,
    asks: Asks,
    holders: Holders,
    in_turn: InTurn,
}

/// Somebody else is to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Who.
    pub to: TaskId,
}

impl Executive {
    /// A core whose tasks, none of them started, have these priorities, and whose mutexes have these ceilings, at the instant
    /// `start`. A place without a task has [`Priority::IDLE`], and so has the idle task. At most 63 tasks and ceilings; one
    /// less where a task `inherits`, which uses mutexes with inheritance.
    pub fn new(priorities: &PerTask<Priority>, ceilings: PrioritySet, inherits: bool, start: Instant) -> Self {
        let mut executive = Self::empty();
        executive.prepare(priorities, ceilings, inherits, start);
        executive
    }

    /// As [`Self::new`], where the core without tasks lies: it is larger than the stack of the boot likes. What was said by
    /// [`Self::run_by_deadline`] stays.
    pub fn prepare(&mut self, priorities: &PerTask<Priority>, ceilings: PrioritySet, inherits: bool, start: Instant) {
        self.priorities.copy_from(priorities);
        self.delays.begin_at(start);
        self.ready.begin_without_deadlines(self.delays.never());
        self.ceilings = ceilings;
        self.reserved = u8::from(inherits);
        for task in TaskId::all() {
            self.ready.set_by_deadline(task, self.by_deadline.contains(priorities[task]));
        }
        let levels = Levels::number(priorities, &ceilings, self.reserved, &mut self.ceiling_bits);
        self.ready.relevel(levels.ceilings, |task, _| levels.of(priorities[task]), 0, |_| None);
    }

    /// A core without tasks, for a static.
    pub const fn empty() -> Self {
        Self {
            running: TaskId::IDLE,
            priorities: PerTask::all(Priority::IDLE),
            ready: ReadySet::empty(),
            delays: DelayQueue::new(Instant::from_half_ticks(0)),
            ceilings: PrioritySet::EMPTY,
            ceiling_bits: [0; PRIORITIES],
            reserved: 0,
            by_deadline: PrioritySet::EMPTY,
            holders: Holders::NONE,
            asks: Asks::NONE,
            in_turn: InTurn::NONE,
        }
    }

    /// The priority of `task`: its own, which a more urgent task that waits for it does not change.
    pub fn priority(&self, task: TaskId) -> Priority {
        self.priorities[task]
    }

    /// Gives `task` another priority, whatever it does: among its new equals that are ready it comes by its former urgency,
    /// or by its deadline where they run so, and among those that wait for an object it counts from now on. Whom it waits for inherits the new one in place of the
    /// former. Takes time in proportion to the number of tasks and of ceilings. Whether to switch is [`Self::choose`]'s.
    pub fn set_priority(&mut self, task: TaskId, priority: Priority) {
        self.set_priority_unless(task, priority, |_| false);
    }

    /// The same; who `is_demoted` keeps its level.
    #[inline(always)]
    fn set_priority_unless(&mut self, task: TaskId, priority: Priority, is_demoted: impl Fn(TaskId) -> bool) {
        let former = core::mem::replace(&mut self.priorities[task], priority);
        let all_ceilings = self.ceilings;
        let mut ceilings = 0;
        for ceiling in all_ceilings.iter() {
            // A ceiling comes before the tasks of its own priority.
            let (was_before, is_before) = (former.is_more_urgent_than(ceiling), priority.is_more_urgent_than(ceiling));
            let bit = self.ceiling_bit_mut(ceiling);
            *bit = levels::shifted(TaskId::first_of(*bit), was_before, is_before).bit();
            ceilings |= *bit;
        }
        let own = self.level_of(priority);
        if !is_demoted(task) {
            self.ready.set_by_deadline(task, self.by_deadline.contains(priority));
        }
        let Self { ready, priorities, holders, .. } = self;
        let own_of = |other: TaskId, level| {
            let its = priorities[other];
            match other {
                TaskId::IDLE => level,
                _ if is_demoted(other) => level,
                _ if other == task => own,
                _ => levels::shifted(level, former.is_more_urgent_than(its), priority.is_more_urgent_than(its)),
            }
        };
        ready.relevel(ceilings, own_of, holders.waiting(), |other| holders.awaits(other));
        self.find_levels_in_turn();
    }

    /// The level of the tasks of this priority: behind those, and the ceilings, that come before them.
    #[inline(never)]
    fn level_of(&self, priority: Priority) -> TaskId {
        let tasks = TaskId::all().filter(|&task| self.priorities[task].is_more_urgent_than(priority)).count();
        // A ceiling comes before the tasks of its own priority.
        let ceilings = self.ceilings.iter().filter(|&ceiling| !priority.is_more_urgent_than(ceiling)).count();
        let before = usize::from(self.reserved).wrapping_add(tasks).wrapping_add(ceilings);
        TaskId::new(before).unwrap_or(TaskId::IDLE)
    }

    /// Who runs now.
    #[inline(always)]
    pub const fn running(&self) -> TaskId {
        self.running
    }

    /// Makes a task ready that has not run yet. For the start of the system, in the order of urgency.
    pub fn start(&mut self, task: TaskId) {
        self.ready.append(task);
    }

    /// The most urgent ready task, where that is not the running one.
    #[inline(always)]
    #[must_use = "the board has to switch"]
    pub fn choose(&mut self) -> Option<Switch> {
        let to = self.ready.most_urgent();
        if to == self.running {
            return None;
        }
        self.running = to;
        Some(Switch { to })
    }

    /// The running task, which [is ordinary](Self::is_ordinary), lets an equal one run.
    #[inline(always)]
    #[must_use = "the board has to switch"]
    pub fn yield_turn(&mut self) -> Option<Switch> {
        // The running task is of the most urgent level, so whoever heads that level now is the one to run.
        let to = self.ready.rotate(self.running)?;
        self.running = to;
        Some(Switch { to })
    }

    /// The first deadline and whose it is.
    #[inline(always)]
    #[must_use]
    pub const fn first_deadline(&self) -> Due {
        self.delays.first()
    }

    /// Makes the task of the first deadline ready. It has to have one: a caller looks at [`Self::first_deadline`] before.
    ///
    /// # Errors
    /// Where the policy of its level decides about its place: then [`Self::release_by_policy`] is next.
    #[inline(always)]
    pub fn release_first(&mut self) -> Result<TaskId, ByPolicy> {
        let task = self.delays.take_first();
        self.ready.append_plainly(task)?;
        Ok(task)
    }

    /// The running task waits until `at`, which may have passed already: then the board finds the deadline passed when
    /// it arms the timer, and releases the task at once. Answers whether this is the first deadline now, for which the
    /// timer is to be armed. Who runs next is [`Self::choose`]'s.
    #[inline(always)]
    #[must_use = "the timer has to be armed for a new first deadline"]
    pub fn wait_until(&mut self, at: Instant) -> bool {
        self.ready.remove_first(self.running);
        self.delays.insert(self.running, at)
    }

    /// The running task waits until it is woken. Who runs next is [`Self::choose`]'s.
    #[inline(always)]
    pub fn block(&mut self) {
        self.ready.remove_first(self.running);
    }

    /// Makes `task`, which was blocked, ready. Whether to switch is [`Self::choose`]'s.
    #[inline(always)]
    pub fn wake(&mut self, task: TaskId) {
        self.ready.append(task);
    }

    /// Makes `task` ready, which waits until an instant, before that has come. False, and nothing happens, where it had: then
    /// the task is ready already. The timer may stay armed for that instant, at which nobody is due then. Takes a few
    /// instructions for each task that is due earlier.
    #[inline(always)]
    pub fn wake_early(&mut self, task: TaskId) -> bool {
        let was_waiting = self.delays.remove(task);
        if was_waiting {
            self.ready.append(task);
        }
        was_waiting
    }

    /// Lets `task`, which was blocked, wait until `at` instead: so do the periodic tasks when time zero is known, and a
    /// sporadic task that is released too early. Answers whether this is the first deadline now, for which the timer is to
    /// be armed.
    #[inline(always)]
    #[must_use = "the timer has to be armed for a new first deadline"]
    pub fn let_wait_until(&mut self, task: TaskId, at: Instant) -> bool {
        self.delays.insert(task, at)
    }

    /// Lets `task`, which waits until an instant, wait until `at` instead. Answers whether this is the first deadline now,
    /// for which the timer is to be armed. Where its instant has come, it is ready, and nothing happens. Takes a few
    /// instructions for each task that is due earlier.
    #[inline(always)]
    #[must_use = "the timer has to be armed for a new first deadline"]
    pub fn change_deadline(&mut self, task: TaskId, at: Instant) -> bool {
        self.delays.remove(task) && self.delays.insert(task, at)
    }

    /// An instant that nobody lives to see: later than every deadline.
    #[inline(always)]
    #[must_use]
    pub fn never(&self) -> Instant {
        self.delays.never()
    }
}

#[cfg(test)]
mod tests {
    use super::{Executive, Switch};
    use crate::priority::{Priority, PrioritySet};
    use crate::time::Instant;
    use crate::{CAPACITY, PerTask, TaskId};

    fn task(rank: usize) -> TaskId {
        TaskId::new(rank).unwrap()
    }

    fn at(half_ticks: u64) -> Instant {
        Instant::from_half_ticks(half_ticks)
    }

    /// Tasks of these priorities, started, the first of them running.
    fn running(priorities: &[u8]) -> Executive {
        let mut all = [Priority::IDLE; CAPACITY];
        for (slot, &number) in all.iter_mut().zip(priorities) {
            *slot = Priority::new(number).unwrap();
        }
        let mut executive = Executive::new(&PerTask::new(all), PrioritySet::EMPTY, false, at(0));
        for rank in 0..priorities.len() {
            executive.start(task(rank));
        }
        assert_eq!(executive.choose(), Some(Switch { to: task(0) }));
        executive
    }

    #[test]
    fn a_released_task_preempts_a_less_urgent_one() {
        let mut executive = running(&[10, 20]);
        assert!(executive.wait_until(at(100)));
        assert_eq!(executive.choose(), Some(Switch { to: task(1) }));
        assert_eq!(executive.first_deadline().at, at(100));
        assert_eq!(executive.release_first(), Ok(task(0)));
        assert_eq!(executive.choose(), Some(Switch { to: task(0) }));
        assert_eq!(executive.running(), task(0));
    }

    #[test]
    fn a_released_task_waits_for_a_more_urgent_one() {
        let mut executive = running(&[10, 20]);
        executive.block();
        assert_eq!(executive.choose(), Some(Switch { to: task(1) }));
        assert!(executive.wait_until(at(100)));
        assert_eq!(executive.choose(), Some(Switch { to: TaskId::IDLE }));
        executive.wake(task(0));
        assert_eq!(executive.choose(), Some(Switch { to: task(0) }));
        assert_eq!(executive.release_first(), Ok(task(1)));
        assert_eq!(executive.choose(), None);
    }

    #[test]
    fn a_preempted_task_goes_on_before_its_equals() {
        let mut executive = running(&[10, 20, 20]);
        executive.block();
        assert_eq!(executive.choose(), Some(Switch { to: task(1) }));
        executive.wake(task(0));
        assert_eq!(executive.choose(), Some(Switch { to: task(0) }));
        executive.block();
        assert_eq!(executive.choose(), Some(Switch { to: task(1) }));
    }

    #[test]
    fn yielding_goes_round_among_equals_only() {
        let mut executive = running(&[10, 10, 20]);
        assert_eq!(executive.yield_turn(), Some(Switch { to: task(1) }));
        assert_eq!(executive.yield_turn(), Some(Switch { to: task(0) }));
        executive.block();
        assert_eq!(executive.choose(), Some(Switch { to: task(1) }));
        assert_eq!(executive.yield_turn(), None);
    }

    #[test]
    fn a_changed_priority_counts_at_once() {
        let mut executive = running(&[10, 20, 30]);
        executive.set_priority(task(0), Priority::new(25).unwrap());
        assert_eq!(executive.choose(), Some(Switch { to: task(1) }));
        executive.set_priority(task(2), Priority::new(1).unwrap());
        assert_eq!(executive.choose(), Some(Switch { to: task(2) }));
        executive.block();
        assert_eq!(executive.choose(), Some(Switch { to: task(1) }));
        executive.block();
        assert_eq!(executive.choose(), Some(Switch { to: task(0) }));
        executive.block();
        assert_eq!(executive.choose(), Some(Switch { to: TaskId::IDLE }));
    }
}
