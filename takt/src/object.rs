// SPDX-License-Identifier: MIT OR Apache-2.0
//! The three ways to an object that tasks and kernel handlers share.

use core::cell::UnsafeCell;
use core::fmt;
use core::mem::ManuallyDrop;

use takt_kernel::TaskId;
use takt_kernel::executive::Executive;
use takt_kernel::objects::Wait;
use takt_kernel::time::Instant;
use takt_kernel::trace::Event as Recorded;
use takt_rpi4::core_pointer::keep_in_register;
use takt_rpi4::interrupts;

use crate::core_state::{self, CoreState};
use crate::home::Home;
use crate::{time_base, trace, turn};

/// An object of the executive's, as a static.
#[repr(C)]
pub(crate) struct Object<K> {
    state: UnsafeCell<K>,
    home: Home,
}

// SAFETY: what it holds is touched behind the closed gate, in kernel handlers, or masked, all on the core that is its home: by
// one at a time.
unsafe impl<K: Send> Sync for Object<K> {}

impl<K: fmt::Debug> fmt::Debug for Object<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What it holds may be changed meanwhile.
        f.debug_struct("Object").finish_non_exhaustive()
    }
}

impl<K> Object<K> {
    pub(crate) const fn new(state: K) -> Self {
        Self { state: UnsafeCell::new(state), home: Home::new() }
    }

    /// Ends the run with a sentence where this is not the object's core.
    #[inline(always)]
    pub(crate) fn check_home(&self) {
        self.home.check();
    }

    /// For a few instructions, with interrupts masked. Called by tasks.
    #[inline(always)]
    pub(crate) fn briefly<R>(&self, act: impl FnOnce(&mut K) -> R) -> R {
        self.home.check();
        interrupts::mask();
        // SAFETY: masked, at home, and the reference is gone before interrupts are on.
        let result = act(unsafe { &mut *self.state.get() });
        // SAFETY: they were on, since a task calls this.
        unsafe { interrupts::unmask() };
        result
    }

    /// As [`Self::briefly`], for what uses the state more than once, with the executive.
    #[inline(always)]
    pub(crate) fn briefly_with_executive<R>(&self, act: impl FnOnce(&mut K, &mut Executive) -> R) -> R {
        self.home.check();
        let state = self.state();
        interrupts::mask();
        // SAFETY: masked, and the reference is gone before interrupts are on.
        let core = unsafe { core_state::get() };
        // SAFETY: as above.
        let result = act(unsafe { &mut *state }, &mut core.executive);
        // SAFETY: they were on, since a task calls this.
        unsafe { interrupts::unmask() };
        result
    }

    /// The state. Its address is made once, where the compiler would make one for each of its fields.
    #[inline(always)]
    fn state(&self) -> *mut K {
        keep_in_register(self.state.get())
    }

    /// Begins a kernel step, which ends when the result is dropped: there the most urgent task runs, and this one goes on
    /// when it runs again. Called by tasks.
    #[inline(always)]
    pub(crate) fn enter(&self) -> Step<'_, K> {
        self.home.check();
        // SAFETY: the step ends in `drop`, or in `go_on` instead.
        let core = unsafe { turn::begin_step() };
        // SAFETY: the gate is closed, so nobody else touches the state.
        Step { core, state: unsafe { &mut *self.state() } }
    }

    /// The state, in a step that another object began.
    ///
    /// # Safety
    /// Such a step has begun, the reference is gone before it ends, and there is no other to this state.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "the gate is closed, so nobody else touches the state")]
    pub(crate) unsafe fn within_a_step(&self) -> &mut K {
        self.home.check();
        // SAFETY: the caller's.
        unsafe { &mut *self.state() }
    }

    /// Called by kernel handlers, which let go of the result before they end.
    #[inline(always)]
    pub(crate) fn in_handler(&self) -> InHandler<'_, K> {
        self.home.check();
        // SAFETY: a kernel handler runs, so no task is in a kernel step and no other kernel handler runs.
        let core = unsafe { core_state::get() };
        // SAFETY: as above.
        InHandler { core, state: unsafe { &mut *self.state.get() } }
    }
}

/// A kernel step of a task, in which it may begin to wait or wake others.
pub(crate) struct Step<'a, K> {
    pub(crate) core: &'static mut CoreState,
    pub(crate) state: &'a mut K,
}

impl<K> Step<'_, K> {
    /// Ends the step without asking who is to run, where that cannot have changed.
    #[inline(always)]
    pub(crate) fn go_on(self) {
        core::mem::forget(self);
        // SAFETY: `enter` began the step, both references are gone, and nothing else ends it.
        unsafe { turn::end_step_and_go_on() };
    }
}

impl<K> Step<'_, K> {
    /// Ends the step; returns when this task runs again, with the instant at which it does.
    #[inline(always)]
    pub(crate) fn end(self) -> Instant {
        let mut step = ManuallyDrop::new(self);
        // SAFETY: `enter` began the step, and nothing else ends it.
        unsafe { turn::end_step(step.core) }
    }
}

impl<K> Drop for Step<'_, K> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: `enter` began the step, and both references are gone.
        unsafe { turn::end_step(self.core) };
    }
}

/// A kernel handler's access.
pub(crate) struct InHandler<'a, K> {
    pub(crate) core: &'static mut CoreState,
    pub(crate) state: &'a mut K,
}

/// What objects let happen to tasks: in kernel steps and kernel handlers, with interrupts on.
impl CoreState {
    /// The running task asked for something.
    #[inline(always)]
    pub(crate) fn carry_out(&mut self, wait: Wait) {
        if wait == Wait::Not {
            return;
        }
        self.check_waits();
        self.note_wait_within();
        self.begin_to_wait(wait);
    }

    /// The running task waits for something else than its release, which no bound reckons with.
    #[inline(always)]
    pub(crate) fn note_wait_within(&mut self) {
        self.waits_within[self.executive.running()] = true;
    }

    /// The running task waits, which may hold mutexes.
    #[inline(always)]
    pub(crate) fn begin_to_wait(&mut self, wait: Wait) {
        self.record_block();
        if let Wait::BeginsAndArms(deadline) = wait {
            time_base::arm(&self.time_base, deadline);
        }
    }

    /// `task` was woken.
    #[inline(always)]
    pub(crate) fn note_wake(&self, task: TaskId) {
        // SAFETY: in a kernel step and in a kernel handler interrupts are on.
        unsafe { trace::record_unmasked(Recorded::Wake { task }) };
    }
}
