// SPDX-License-Identifier: MIT OR Apache-2.0
//! A barrier, at which tasks wait for one another.

use takt_kernel::objects::{Wait, WaitCounts, barrier};
use takt_kernel::time::Instant;

use crate::event::TimedOut;
use crate::object::Object;

/// Where `N` tasks meet: each waits until the last has come, and then all go on, the most urgent first. The next `N` meet
/// there again.
///
/// ```no_run
/// use takt::prelude::*;
///
/// static READY: Barrier<3> = Barrier::new();
///
/// fn axis() -> ! {
///     calibrate();
///     READY.wait();                                               // until three have come
///     # loop {}
/// }
/// # fn calibrate() {}
/// ```
///
/// POSIX: `pthread_barrier_t`; RTEMS: `rtems_barrier` with `RTEMS_BARRIER_AUTOMATIC_RELEASE`; FreeRTOS: `xEventGroupSync`.
#[derive(Debug)]
pub struct Barrier<const N: usize>(Object<barrier::Barrier>);

impl<const N: usize> Default for Barrier<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Barrier<N> {
    /// A barrier to which nobody has come. `N` is at least 1.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(N > 0, "takt: a barrier is for one task or more: Barrier<N> needs an N above 0") };
        Self(Object::new(barrier::Barrier::new()))
    }

    /// Waits until `N` tasks have come, this one included. True for one of them: the last, which does not wait. Called by
    /// tasks. POSIX: `pthread_barrier_wait`, whose `PTHREAD_BARRIER_SERIAL_THREAD` is the true one.
    pub fn wait(&self) -> bool {
        self.come(None)
    }

    /// As [`Self::wait`], but until `deadline` at the most.
    ///
    /// # Errors
    /// [`TimedOut`] where too few came by then. The others wait on, for one more than before.
    pub fn wait_until(&self, deadline: Instant) -> Result<bool, TimedOut> {
        if self.come(Some(deadline)) {
            return Ok(true);
        }
        let step = self.0.enter();
        let has_given_up = step.state.has_given_up(&mut step.core.executive);
        step.go_on();
        if has_given_up { Err(TimedOut { deadline }) } else { Ok(false) }
    }

    /// How often tasks waited, and gave up. Called by tasks.
    pub fn counts(&self) -> WaitCounts {
        self.0.briefly(|barrier| barrier.counts())
    }

    /// Returns when all have come or the task has waited `until` its deadline. Whether it is the last.
    fn come(&self, until: Option<Instant>) -> bool {
        let step = self.0.enter();
        let wait = step.state.wait(&mut step.core.executive, N, until);
        if wait != Wait::Not {
            step.core.carry_out(wait);
            return false;
        }
        while let Some(task) = step.state.let_go_on(&mut step.core.executive) {
            step.core.note_wake(task);
        }
        true
    }
}
