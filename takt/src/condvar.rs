// SPDX-License-Identifier: MIT OR Apache-2.0
//! A condition variable.

use takt_kernel::objects::condvar::{self, Released};
use takt_kernel::objects::{WaitCounts, inherit_mutex};
use takt_kernel::time::Instant;

use crate::object::Object;

/// What tasks wait for that want the value of an [`InheritMutex`](crate::InheritMutex) to become as they need it:
/// [`InheritMutex::lock_when`](crate::InheritMutex::lock_when). Who changes the value notifies them, and they look again.
///
/// Nobody misses a change: a waiter looks with the mutex locked, and leaves it and begins to wait in one step.
///
/// ```no_run
/// use takt::prelude::*;
///
/// static JOBS: InheritMutex<u32> = InheritMutex::new("jobs", 0);
/// static ARRIVED: CondVar = CondVar::new();
///
/// fn bring_one() {
///     JOBS.lock(|jobs| *jobs += 1);
///     ARRIVED.notify_one();
/// }
///
/// fn take_one() {
///     JOBS.lock_when(&ARRIVED, |&jobs| jobs > 0, |jobs| *jobs -= 1);
/// }
/// ```
///
/// POSIX: `pthread_cond_t`; RTEMS: `rtems_condition_variable`; FreeRTOS has none.
#[derive(Debug)]
pub struct CondVar(Object<condvar::CondVar>);

impl Default for CondVar {
    fn default() -> Self {
        Self::new()
    }
}

impl CondVar {
    /// Nobody waits.
    #[must_use]
    pub const fn new() -> Self {
        Self(Object::new(condvar::CondVar::new()))
    }

    /// Lets the most urgent waiter look again, among equals the one that has waited longest; nothing happens where nobody
    /// waits. Best called after the mutex was unlocked: who looks again inside waits for it. Called by tasks.
    pub fn notify_one(&self) {
        let step = self.0.enter();
        match step.state.notify_one(&mut step.core.executive) {
            Some(task) => step.core.note_wake(task),
            None => step.go_on(),
        }
    }

    /// Lets all that wait look again, the most urgent first. Takes longer the more there are. Called by tasks.
    pub fn notify_all(&self) {
        let step = self.0.enter();
        while let Some(task) = step.state.notify_one(&mut step.core.executive) {
            step.core.note_wake(task);
        }
    }

    /// As [`Self::notify_one`]; the waiter runs when the handler has ended. Called by kernel handlers, which cannot lock the
    /// value: what the waiters look at is then elsewhere, such as in an atomic.
    pub fn notify_one_from_handler(&self) {
        let access = self.0.in_handler();
        if let Some(task) = access.state.notify_one(&mut access.core.executive) {
            access.core.note_wake(task);
        }
    }

    /// How often tasks waited, and gave up. Called by tasks.
    pub fn counts(&self) -> WaitCounts {
        self.0.briefly(|condvar| condvar.counts())
    }

    /// Unlocks `mutex`, which the caller holds and nothing else, and waits. Whether it was notified.
    pub(crate) fn wait(&self, mutex: &Object<inherit_mutex::InheritMutex>, until: Option<Instant>) -> bool {
        self.unlock_and_wait(mutex, until);
        if until.is_none() {
            return true;
        }
        let step = self.0.enter();
        let has_given_up = step.state.has_given_up(&mut step.core.executive);
        step.go_on();
        !has_given_up
    }

    fn unlock_and_wait(&self, mutex: &Object<inherit_mutex::InheritMutex>, until: Option<Instant>) {
        let step = self.0.enter();
        // SAFETY: the step is the condition variable's, and the reference ends with the call.
        let mutex = unsafe { mutex.within_a_step() };
        let Released { next_owner, wait } = step.state.wait(mutex, &mut step.core.executive, until);
        if let Some(task) = next_owner {
            step.core.note_wake(task);
        }
        step.core.carry_out(wait);
    }
}
