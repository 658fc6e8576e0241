//! The executive and its objects beside the model.

use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq};
use takt_kernel::executive::{Before, Executive, LockRefused};
use takt_kernel::objects::Wait;
use takt_kernel::objects::barrier::Barrier;
use takt_kernel::objects::condvar::CondVar;
use takt_kernel::objects::event::Event;
use takt_kernel::objects::event_flags::{EventFlags, Wanted, Woken};
use takt_kernel::objects::inherit_mutex::{InheritMutex, Refused};
use takt_kernel::objects::semaphore::{Given, Semaphore};
use takt_kernel::priority::{Priority, PrioritySet};
use takt_kernel::time::Instant;
use takt_kernel::{CAPACITY, PerTask, TaskId};

use crate::model::{Awaited, Lock, MEET, MOST, Model, Task};

/// A step as it is made up. A deadline is so long from now.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Time passes, and the timer releases who is due.
    Advance(u64),
    /// The running task yields.
    Yield,
    Lock(usize, Option<u64>),
    /// The running task leaves its latest lock, of either kind.
    Unlock,
    LockCeiling(usize),
    Take(Option<u64>),
    /// The running task, or a handler, gives. So on below.
    Give(bool),
    WaitEvent(Option<u64>),
    SetEvent(bool),
    WaitFlags(u32, bool, bool, Option<u64>),
    SetFlags(u32, bool),
    ClearFlags(u32),
    Meet(Option<u64>),
    /// The running task leaves the one mutex that it holds and waits.
    WaitCondVar(Option<u64>),
    /// One is notified, or all are.
    Notify(bool),
    SetPriority(usize, u8),
}

/// Both, side by side.
pub(crate) struct Trial {
    executive: Executive,
    mutexes: [InheritMutex; 4],
    semaphore: Semaphore,
    event: Event,
    flags: EventFlags,
    barrier: Barrier,
    condvar: CondVar,
    /// What each task was before its locks with a ceiling.
    before: Vec<Vec<Before>>,
    model: Model,
    now: u64,
    steps: u64,
}

fn id(rank: usize) -> TaskId {
    TaskId::new(rank).unwrap()
}

fn at(now: u64) -> Instant {
    Instant::from_half_ticks(now)
}

impl Trial {
    pub(crate) fn new(priorities: &[u8], ceilings: [u8; 2]) -> Self {
        let mut all = [Priority::IDLE; CAPACITY];
        for (place, &number) in all.iter_mut().zip(priorities) {
            *place = Priority::new(number).unwrap();
        }
        let set = ceilings.iter().fold(PrioritySet::EMPTY, |set, &number| set.with(Priority::new(number).unwrap()));
        let mut executive = Executive::new(&PerTask::new(all), set, true, at(0));
        let mut mutexes = [const { InheritMutex::new() }; 4];
        for rank in 0..priorities.len() {
            executive.start(id(rank));
            mutexes.iter_mut().for_each(|mutex| mutex.admit(id(rank)));
        }
        let _ = executive.choose();
        let task = |&priority: &u8| Task {
            priority,
            awaited: None,
            since: 0,
            deadline: None,
            is_overdue: false,
            locks: Vec::new(),
            received: 0,
        };
        let tasks = priorities.iter().map(task).collect();
        let model = Model { tasks, ceilings, count: 1, is_set: false, flags: 0, arrived: 0 };
        let before = priorities.iter().map(|_| Vec::new()).collect();
        let (semaphore, event, flags) = (Semaphore::new(1, MOST), Event::new(), EventFlags::new());
        let (barrier, condvar) = (Barrier::new(), CondVar::new());
        Self { executive, mutexes, semaphore, event, flags, barrier, condvar, before, model, now: 0, steps: 0 }
    }

    /// The running task; `None` where that is the idle task.
    fn running(&self) -> Option<usize> {
        let running = self.executive.running();
        (running != TaskId::IDLE).then(|| running.index())
    }

    /// Takes a step in both; one that is not possible now is left out.
    pub(crate) fn step(&mut self, step: &Step) -> Result<(), TestCaseError> {
        self.steps += 1;
        if let Step::Advance(span) = *step {
            self.advance(span)?;
        } else {
            // Who gives up a mutex may let another run whose time is over as well.
            while self.running().is_some_and(|running| self.model.tasks[running].awaited.is_some()) {
                self.give_up()?;
            }
        }
        match *step {
            Step::Give(by_handler) if by_handler || self.may_act() => self.give()?,
            Step::SetEvent(by_handler) if by_handler || self.may_act() => self.set_event()?,
            Step::SetFlags(flags, by_handler) if by_handler || self.may_act() => self.set_flags(flags)?,
            Step::ClearFlags(flags) => {
                self.flags.clear(flags);
                self.model.flags &= !flags;
            }
            Step::Notify(all) => self.notify(all)?,
            Step::SetPriority(pick, priority) => self.set_priority(pick, priority),
            _ => {
                if let Some(running) = self.running() {
                    self.act(step, running)?;
                }
            }
        }
        let _ = self.executive.choose();
        Ok(())
    }

    fn may_act(&self) -> bool {
        self.running().is_some()
    }

    /// The running task asks for something.
    fn act(&mut self, step: &Step, running: usize) -> Result<(), TestCaseError> {
        let is_free = self.model.tasks[running].locks.is_empty();
        prop_assert_eq!(self.executive.holds_a_lock(), !is_free);
        match *step {
            Step::Lock(mutex, until) => self.lock(running, mutex, until)?,
            Step::Unlock => self.unlock(running)?,
            Step::LockCeiling(which) => self.lock_ceiling(running, which)?,
            Step::WaitCondVar(until) => self.wait_condvar(running, until)?,
            // Who holds something must not wait, which the board sees to.
            _ if !is_free => {}
            Step::Yield => {
                let _ = self.executive.yield_turn();
            }
            Step::Take(until) => {
                let wait = self.semaphore.take(&mut self.executive, until.map(|span| at(self.now + span)));
                let has_it = self.model.count > 0;
                self.model.count -= u32::from(has_it);
                self.waits(running, wait, has_it, Awaited::Semaphore, until)?;
            }
            Step::WaitEvent(until) => {
                let wait = self.event.wait(&mut self.executive, until.map(|span| at(self.now + span)));
                let has_it = core::mem::take(&mut self.model.is_set);
                self.waits(running, wait, has_it, Awaited::Event, until)?;
            }
            Step::WaitFlags(flags, all, clears, until) => {
                let wanted = if all { Wanted::all(flags, clears) } else { Wanted::any(flags, clears) };
                let wait = self.flags.wait(&mut self.executive, wanted, until.map(|span| at(self.now + span)));
                let found = self.model.flags & flags;
                let has_it = if all { found == flags } else { found != 0 };
                if has_it {
                    self.model.tasks[running].received = found;
                    self.model.flags &= if clears { !found } else { u32::MAX };
                    prop_assert_eq!(self.executive.received(), found);
                }
                self.waits(running, wait, has_it, Awaited::Flags { flags, all, clears }, until)?;
            }
            Step::Meet(until) => {
                let wait = self.barrier.wait(&mut self.executive, MEET, until.map(|span| at(self.now + span)));
                self.model.arrived += 1;
                let is_last = self.model.arrived == MEET;
                self.waits(running, wait, is_last, Awaited::Barrier, until)?;
                if is_last {
                    self.model.arrived = 0;
                    while let Some(task) = self.model.next(Awaited::Barrier) {
                        self.model.wake(task);
                        prop_assert_eq!(self.barrier.let_go_on(&mut self.executive), Some(id(task)));
                    }
                    prop_assert_eq!(self.barrier.let_go_on(&mut self.executive), None);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Notes that the task waits, unless it `has_it`.
    fn waits(
        &mut self,
        task: usize,
        wait: Wait,
        has_it: bool,
        awaited: Awaited,
        until: Option<u64>,
    ) -> Result<(), TestCaseError> {
        prop_assert_eq!(wait == Wait::Not, has_it);
        if has_it {
            return Ok(());
        }
        let deadline = until.map(|span| self.now + span);
        let first = self.model.tasks.iter().filter_map(|task| task.deadline).min();
        let is_first = deadline.is_some_and(|deadline| first.is_none_or(|first| deadline < first));
        prop_assert_eq!(matches!(wait, Wait::BeginsAndArms(_)), is_first);
        let task = &mut self.model.tasks[task];
        (task.awaited, task.since, task.deadline) = (Some(awaited), self.steps, deadline);
        Ok(())
    }

    fn lock(&mut self, running: usize, mutex: usize, until: Option<u64>) -> Result<(), TestCaseError> {
        let locks = &self.model.tasks[running].locks;
        let held = locks.iter().filter(|lock| matches!(lock, Lock::Inherit(_))).count();
        let has_ceiling = held < locks.len();
        let is_free = self.model.owner(mutex).is_none();
        let result = self.mutexes[mutex].lock(&mut self.executive, until.map(|span| at(self.now + span)));
        let refused = if held == 4 {
            Some(Refused::TooDeep)
        } else if self.model.is_circle(running, mutex) {
            Some(Refused::Deadlock)
        } else if has_ceiling && !is_free {
            Some(Refused::InsideCeiling)
        } else {
            None
        };
        prop_assert_eq!(result.err(), refused);
        if let Ok(wait) = result {
            self.waits(running, wait, is_free, Awaited::Mutex(mutex), until)?;
            if is_free {
                self.model.tasks[running].locks.push(Lock::Inherit(mutex));
            }
        }
        Ok(())
    }

    fn unlock(&mut self, running: usize) -> Result<(), TestCaseError> {
        match self.model.tasks[running].locks.last() {
            None => {}
            Some(&Lock::Ceiling(which)) => {
                let before = self.before[running].pop().unwrap();
                self.executive.unlock(Priority::new(self.model.ceilings[which]).unwrap(), before);
                let _ = self.model.tasks[running].locks.pop();
            }
            Some(&Lock::Inherit(mutex)) => {
                let next = self.model.hand_over(running, mutex);
                let is_done = self.mutexes[mutex].try_unlock(&mut self.executive);
                prop_assert!(!is_done || next.is_none());
                let answer = if is_done { None } else { self.mutexes[mutex].unlock(&mut self.executive) };
                prop_assert_eq!(answer, next.map(id));
            }
        }
        Ok(())
    }

    fn lock_ceiling(&mut self, running: usize, which: usize) -> Result<(), TestCaseError> {
        let own = &self.model.tasks[running].locks;
        let result = self.executive.lock(Priority::new(self.model.ceilings[which]).unwrap());
        // No task is more urgent than a ceiling, so whoever runs finds it free, or holds it itself.
        prop_assert_eq!(result.err(), own.contains(&Lock::Ceiling(which)).then_some(LockRefused::Held));
        if let Ok(before) = result {
            self.before[running].push(before);
            self.model.tasks[running].locks.push(Lock::Ceiling(which));
        }
        Ok(())
    }

    fn wait_condvar(&mut self, running: usize, until: Option<u64>) -> Result<(), TestCaseError> {
        let [Lock::Inherit(mutex)] = self.model.tasks[running].locks[..] else { return Ok(()) };
        let next = self.model.hand_over(running, mutex);
        let until_instant = until.map(|span| at(self.now + span));
        let released = self.condvar.wait(&mut self.mutexes[mutex], &mut self.executive, until_instant);
        prop_assert_eq!(released.next_owner, next.map(id));
        self.waits(running, released.wait, false, Awaited::CondVar, until)
    }

    fn give(&mut self) -> Result<(), TestCaseError> {
        let given = self.semaphore.give(&mut self.executive);
        if let Some(task) = self.model.next(Awaited::Semaphore) {
            self.model.wake(task);
            prop_assert_eq!(given, Given::Woke(id(task)));
        } else if self.model.count == MOST {
            prop_assert_eq!(given, Given::Dropped);
        } else {
            self.model.count += 1;
            prop_assert_eq!(given, Given::Counted);
        }
        Ok(())
    }

    fn set_event(&mut self) -> Result<(), TestCaseError> {
        let woken = self.event.set(&mut self.executive);
        let next = self.model.next(Awaited::Event);
        prop_assert_eq!(woken, next.map(id));
        match next {
            Some(task) => self.model.wake(task),
            None => self.model.is_set = true,
        }
        Ok(())
    }

    fn set_flags(&mut self, flags: u32) -> Result<(), TestCaseError> {
        let woken = self.model.set_flags(flags);
        let answered: Vec<_> = match self.flags.set(&mut self.executive, flags) {
            Woken::Nobody => Vec::new(),
            Woken::Task(task) => vec![task],
            Woken::ByLooking => std::iter::from_fn(|| self.flags.wake_next(&mut self.executive)).collect(),
        };
        prop_assert_eq!(answered, woken.into_iter().map(id).collect::<Vec<_>>());
        Ok(())
    }

    fn notify(&mut self, all: bool) -> Result<(), TestCaseError> {
        loop {
            let next = self.model.next(Awaited::CondVar);
            prop_assert_eq!(self.condvar.notify_one(&mut self.executive), next.map(id));
            let Some(task) = next else { return Ok(()) };
            self.model.wake(task);
            if !all {
                return Ok(());
            }
        }
    }

    fn set_priority(&mut self, pick: usize, priority: u8) {
        let rank = pick % self.model.tasks.len();
        self.executive.set_priority(id(rank), Priority::new(priority).unwrap());
        self.model.tasks[rank].priority = priority;
    }

    fn advance(&mut self, span: u64) -> Result<(), TestCaseError> {
        self.now += span;
        loop {
            let first = self.executive.first_deadline();
            let expected = self.model.tasks.iter().filter_map(|task| task.deadline).min();
            prop_assert!(expected.is_none_or(|deadline| first.at == at(deadline)));
            if expected.is_none_or(|deadline| deadline > self.now) {
                return Ok(());
            }
            let released = self.executive.release_first().unwrap();
            let task = &mut self.model.tasks[released.index()];
            prop_assert_eq!(task.deadline.take(), expected);
            task.is_overdue = true;
        }
    }

    /// The running task's time is over, and it finds that out: its first step, and with a mutex its only one.
    fn give_up(&mut self) -> Result<(), TestCaseError> {
        let running = self.running().unwrap();
        let has_given_up = match self.model.tasks[running].awaited.unwrap() {
            Awaited::Mutex(mutex) => self.mutexes[mutex].has_given_up(&mut self.executive),
            Awaited::Semaphore => self.semaphore.has_given_up(&mut self.executive),
            Awaited::Event => self.event.has_given_up(&mut self.executive),
            Awaited::Flags { .. } => self.flags.has_given_up(&mut self.executive),
            Awaited::CondVar => self.condvar.has_given_up(&mut self.executive),
            Awaited::Barrier => {
                self.model.arrived -= 1;
                self.barrier.has_given_up(&mut self.executive)
            }
        };
        prop_assert!(has_given_up);
        self.model.wake(running);
        let _ = self.executive.choose();
        self.agree()
    }

    /// Whether both see the same.
    pub(crate) fn agree(&self) -> Result<(), TestCaseError> {
        let tasks = &self.model.tasks;
        let most =
            (0..tasks.len()).filter(|&task| self.model.is_ready(task)).map(|task| self.model.urgency(task)).min();
        let running = self.running();
        prop_assert!(
            running.is_none_or(|task| self.model.is_ready(task)),
            "{running:?} runs and waits: {:?}",
            self.model
        );
        prop_assert_eq!(running.map(|task| self.model.urgency(task)), most, "{:?} runs: {:?}", running, self.model);
        for (rank, task) in tasks.iter().enumerate() {
            prop_assert_eq!(self.executive.is_raised(id(rank)), self.model.inherited(rank) < task.priority);
            let awaits = match task.awaited {
                Some(Awaited::Mutex(mutex)) => self.model.owner(mutex).map(id),
                _ => None,
            };
            prop_assert_eq!(self.executive.awaits(id(rank)), awaits);
        }
        for (number, mutex) in self.mutexes.iter().enumerate() {
            prop_assert_eq!(mutex.owner(), self.model.owner(number).map(id));
            prop_assert!(mutex.owner().is_some() || self.model.waiters(Awaited::Mutex(number)).is_empty());
        }
        prop_assert_eq!((self.semaphore.count(), self.flags.get()), (self.model.count, self.model.flags));
        prop_assert!(self.model.count == 0 || self.model.waiters(Awaited::Semaphore).is_empty());
        prop_assert!(!self.model.is_set || self.model.waiters(Awaited::Event).is_empty());
        Ok(())
    }
}
