// SPDX-License-Identifier: MIT OR Apache-2.0
//! A value that tasks share, one at a time, by priority inheritance.

use core::cell::UnsafeCell;
use core::fmt;

use takt_kernel::objects::inherit_mutex::{self, Refused};
use takt_kernel::objects::{Wait, WaitCounts};
use takt_kernel::time::Instant;
use takt_rpi4::interrupts;

use crate::condvar::CondVar;
use crate::core_state::CoreState;
use crate::event::TimedOut;
use crate::fault::{self, mutexes};
use crate::object::{Object, Step};

/// A value behind a mutex whose holder is as urgent as the most urgent task that waits for it. Where tasks wait, the most
/// urgent is next, and among equals the one that has waited longest. What a holder inherits goes on to whom it waits for
/// itself, and is gone with the waiter: when it has the mutex, or has given up.
///
/// Take a [`Mutex`](crate::Mutex) where you can: nobody waits for one, and it is as short. This one is for what is held long,
/// such as a bus, so that tasks that do not use it are not kept waiting; for what is locked inside something else of the
/// same kind; and for what a task wants by a deadline or not at all.
///
/// ```no_run
/// use takt::prelude::*;
///
/// static BUS: InheritMutex<Bus> = InheritMutex::new("bus", Bus);
///
/// takt::tasks! {
///     control: Task::periodic(control).priority(10).period(millis(1)).locks_inherit("bus", micros(80)),
///     logger: Task::background(logger).priority(200).locks_inherit("bus", micros(300)),
/// }
///
/// fn control(mut period: Periodic) -> ! {
///     loop {
///         period.wait();
///         let sample = BUS.lock(|bus| bus.read());
///         # let _ = sample;
///     }
/// }
/// # struct Bus;
/// # impl Bus { fn read(&mut self) -> u32 { 0 } }
/// # fn logger() -> ! { loop {} }
/// ```
///
/// Each task that locks it says so in its line of the table, with [`Task::locks_inherit`](crate::Task::locks_inherit) and
/// the mutex's name. Inside, a task may lock at most three more of this kind, and may wait for nothing else. Called by tasks
/// only. The run ends with a sentence where a task locks one that its line does not name, where tasks wait for one another in
/// a circle, where one is locked inside itself or more than four deep, and where one that another holds is locked inside a
/// `Mutex`.
///
/// RTEMS: `rtems_semaphore` with `RTEMS_INHERIT_PRIORITY`; POSIX: a mutex with `PTHREAD_PRIO_INHERIT`; FreeRTOS:
/// `xSemaphoreCreateMutex`.
pub struct InheritMutex<T> {
    lock: Object<inherit_mutex::InheritMutex>,
    value: UnsafeCell<T>,
    name: &'static str,
}

// SAFETY: the value is reached by who holds the mutex, one task at a time; tasks take turns, hence `T: Send`.
unsafe impl<T: Send> Sync for InheritMutex<T> {}

impl<T> fmt::Debug for InheritMutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Somebody may hold it.
        f.debug_struct("InheritMutex").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<T> InheritMutex<T> {
    /// A mutex that nobody holds. The name is what tasks' lines call it, and faults.
    pub const fn new(name: &'static str, value: T) -> Self {
        Self { lock: Object::new(inherit_mutex::InheritMutex::new()), value: UnsafeCell::new(value), name }
    }

    /// Lets `act` have the value, once nobody else has it. RTEMS: `rtems_semaphore_obtain`.
    #[inline(always)]
    pub fn lock<R>(&self, act: impl FnOnce(&mut T) -> R) -> R {
        // Without a deadline nobody gives up.
        let _ = self.acquire(None);
        // SAFETY: the caller holds the mutex.
        let result = act(unsafe { &mut *self.value.get() });
        self.release();
        result
    }

    /// Lets `act` have the value if nobody has it; `None` where somebody has, this task included.
    #[inline(always)]
    pub fn try_lock<R>(&self, act: impl FnOnce(&mut T) -> R) -> Option<R> {
        if !self.try_acquire() && !self.try_again() {
            return None;
        }
        // SAFETY: the caller holds the mutex.
        let result = act(unsafe { &mut *self.value.get() });
        self.release();
        Some(result)
    }

    /// Lets `act` have the value, once nobody else has it, but begins at `deadline` at the latest.
    ///
    /// # Errors
    /// [`TimedOut`] where another had it all the time; `act` has not run.
    #[inline(always)]
    pub fn lock_until<R>(&self, deadline: Instant, act: impl FnOnce(&mut T) -> R) -> Result<R, TimedOut> {
        if !self.acquire(Some(deadline)) {
            return Err(TimedOut { deadline });
        }
        // SAFETY: the caller holds the mutex.
        let result = act(unsafe { &mut *self.value.get() });
        self.release();
        Ok(result)
    }

    /// Lets `act` have the value, once nobody else has it and `is_so` says that it is as wanted. Until then the task waits
    /// for `changed` to be notified, without the mutex. POSIX: `pthread_cond_wait`, loop and all.
    ///
    /// ```no_run
    /// use takt::prelude::*;
    ///
    /// static JOBS: InheritMutex<u32> = InheritMutex::new("jobs", 0);
    /// static ARRIVED: CondVar = CondVar::new();
    ///
    /// fn take_one() {
    ///     JOBS.lock_when(&ARRIVED, |&jobs| jobs > 0, |jobs| *jobs -= 1);
    /// }
    /// ```
    pub fn lock_when<R>(&self, changed: &CondVar, is_so: impl FnMut(&T) -> bool, act: impl FnOnce(&mut T) -> R) -> R {
        // Without a deadline nobody gives up.
        let _ = self.acquire_when(changed, is_so, None);
        // SAFETY: the caller holds the mutex.
        let result = act(unsafe { &mut *self.value.get() });
        self.release();
        result
    }

    /// As [`Self::lock_when`], but `act` begins at `deadline` at the latest. POSIX: `pthread_cond_timedwait`.
    ///
    /// # Errors
    /// [`TimedOut`] where the value was not as wanted by then, or another had it; `act` has not run.
    pub fn lock_when_until<R>(
        &self,
        changed: &CondVar,
        deadline: Instant,
        is_so: impl FnMut(&T) -> bool,
        act: impl FnOnce(&mut T) -> R,
    ) -> Result<R, TimedOut> {
        if !self.acquire_when(changed, is_so, Some(deadline)) {
            return Err(TimedOut { deadline });
        }
        // SAFETY: the caller holds the mutex.
        let result = act(unsafe { &mut *self.value.get() });
        self.release();
        Ok(result)
    }

    /// How often tasks waited, and gave up. Called by tasks.
    pub fn counts(&self) -> WaitCounts {
        self.lock.briefly(|lock| lock.counts())
    }

    /// Whether the caller holds the mutex now, for which it waits `until` its deadline at the most.
    #[inline(always)]
    fn acquire(&self, until: Option<Instant>) -> bool {
        self.try_acquire() || self.wait(until)
    }

    /// As [`Self::acquire`], and the value is as wanted.
    fn acquire_when(&self, changed: &CondVar, mut is_so: impl FnMut(&T) -> bool, until: Option<Instant>) -> bool {
        loop {
            if !self.acquire(until) {
                return false;
            }
            // SAFETY: the caller holds the mutex.
            if is_so(unsafe { &*self.value.get() }) {
                return true;
            }
            if !changed.wait(&self.lock, until) {
                return false;
            }
        }
    }

    #[inline(always)]
    fn try_acquire(&self) -> bool {
        if !interrupts::is_on_task_stack() {
            fault::lock_in_a_handler();
        }
        self.lock.briefly_with_executive(inherit_mutex::InheritMutex::try_lock)
    }

    /// The short way did not lead to it.
    #[cold]
    #[inline(never)]
    fn wait(&self, until: Option<Instant>) -> bool {
        self.begin_to_wait(until);
        if until.is_none() {
            return true;
        }
        let step = self.lock.enter();
        !step.state.has_given_up(&mut step.core.executive)
    }

    fn begin_to_wait(&self, until: Option<Instant>) {
        let mut step = self.lock.enter();
        self.admit(&mut step);
        match step.state.lock(&mut step.core.executive, until) {
            Ok(Wait::Not) => {}
            Ok(wait) => {
                let running = step.core.executive.running();
                step.core.control_block(running).awaited = Some(self.name);
                step.core.begin_to_wait(wait);
            }
            Err(why) => self.refuse(step.core, step.state, why),
        }
    }

    /// The short way did not lead to it, for a task that does not wait.
    #[cold]
    #[inline(never)]
    fn try_again(&self) -> bool {
        let mut step = self.lock.enter();
        self.admit(&mut step);
        let has_it = step.state.try_lock(&mut step.core.executive);
        if !step.state.is_admitted(step.core.executive.running()) {
            self.refuse(step.core, step.state, Refused::NotAdmitted);
        }
        if !has_it && step.core.executive.holds_the_most() {
            self.refuse(step.core, step.state, Refused::TooDeep);
        }
        has_it
    }

    /// Lets the running task lock it, which its line of the table has to name.
    fn admit(&self, step: &mut Step<'_, inherit_mutex::InheritMutex>) {
        let task = step.core.executive.running();
        if step.state.is_admitted(task) {
            return;
        }
        let line = step.core.table.and_then(|table| table.task(task));
        if line.is_some_and(|line| line.inherits.contain(self.name)) {
            step.state.admit(task);
        }
    }

    #[cold]
    fn refuse(&self, core: &CoreState, lock: &inherit_mutex::InheritMutex, why: Refused) -> ! {
        mutexes::refused(core, self.name, lock.owner(), why)
    }

    #[inline(always)]
    fn release(&self) {
        let is_free = self.lock.briefly_with_executive(inherit_mutex::InheritMutex::try_unlock);
        if !is_free {
            self.hand_over();
        }
    }

    #[cold]
    #[inline(never)]
    fn hand_over(&self) {
        let step = self.lock.enter();
        if let Some(task) = step.state.unlock(&mut step.core.executive) {
            step.core.note_wake(task);
        }
    }
}
