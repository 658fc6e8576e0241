// SPDX-License-Identifier: MIT OR Apache-2.0
//! An event that one task waits for.

use core::cell::UnsafeCell;
use core::fmt;

use takt_kernel::TaskId;
use takt_kernel::time::Instant;
use takt_kernel::trace::Event as Recorded;

use crate::core_state::{self, CoreState};
use crate::{trace, turn};

/// A flag with one waiter: [`Event::wait`] returns once per [`Event::set`]; setting it twice before it is waited for
/// counts once.
#[derive(Debug)]
pub struct Event(UnsafeCell<State>);

#[derive(Debug)]
struct State {
    is_set: bool,
    waiter: Option<TaskId>,
    /// Whether the waiter waits in time as well.
    has_deadline: bool,
}

/// The deadline of a wait came before the event was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedOut {
    /// The deadline.
    pub deadline: Instant,
}

impl fmt::Display for TimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the event was not set by the deadline, {} half ticks after the counter's zero; wait longer, or see why nobody \
             sets it",
            self.deadline.half_ticks()
        )
    }
}

impl core::error::Error for TimedOut {}

// SAFETY: the state is touched behind the closed gate or in kernel handlers, on core 0.
unsafe impl Sync for Event {}

impl Default for Event {
    fn default() -> Self {
        Self::new()
    }
}

impl Event {
    /// An event that is not set.
    pub const fn new() -> Self {
        // All zeros, so that a static with an event in it takes no room in the image.
        Self(UnsafeCell::new(State { is_set: false, waiter: None, has_deadline: false }))
    }

    /// Waits until the event is set, and takes it. Called by one task.
    pub fn wait(&self) {
        turn::step(|core| {
            if self.take_or_await(core, false) {
                core.block();
            }
        });
    }

    /// Waits until the event is set, and takes it, but until `deadline` at the most. Called by one task.
    ///
    /// An event that is set when the deadline has come but before the task runs is taken all the same.
    ///
    /// # Errors
    /// [`TimedOut`] where the event was not set. It is not set afterwards either.
    pub fn wait_until(&self, deadline: Instant) -> Result<(), TimedOut> {
        turn::step(|core| {
            if self.take_or_await(core, true) {
                core.wait_until(deadline);
            }
        });
        // Who sets the event takes the waiter away.
        let still_waits = core_state::masked(|_| {
            // SAFETY: masked, and the reference is gone before interrupts are on.
            unsafe { &mut *self.0.get() }.waiter.take().is_some()
        });
        if still_waits { Err(TimedOut { deadline }) } else { Ok(()) }
    }

    /// Takes the event if it is set; else the running task is the waiter, and has to wait.
    #[inline(always)]
    fn take_or_await(&self, core: &CoreState, has_deadline: bool) -> bool {
        // SAFETY: the gate is closed, and the reference is gone before it opens.
        let state = unsafe { &mut *self.0.get() };
        if core::mem::take(&mut state.is_set) {
            return false;
        }
        state.waiter = Some(core.executive.running());
        state.has_deadline = has_deadline;
        true
    }

    /// Sets the event and lets its waiter run, at once if it is the more urgent. Called by tasks.
    pub fn set(&self) {
        turn::step(|core| self.wake(core));
    }

    /// Sets the event; the waiter runs when the handler has ended. Called by kernel handlers.
    pub fn set_from_handler(&self) {
        // SAFETY: a kernel handler runs, so no task is in a kernel step and no other kernel handler runs.
        self.wake(unsafe { core_state::get() });
    }

    fn wake(&self, core: &mut CoreState) {
        // SAFETY: the gate is closed, or a kernel handler runs, for which it is open.
        let state = unsafe { &mut *self.0.get() };
        match state.waiter.take() {
            Some(task) => {
                // SAFETY: in a kernel step and in a kernel handler interrupts are on.
                unsafe { trace::record_unmasked(Recorded::Wake { task }) };
                if state.has_deadline {
                    // Where the deadline came first the task is ready, and will find that the event was set.
                    let _ = core.executive.wake_early(task);
                } else {
                    core.executive.wake(task);
                }
            }
            None => state.is_set = true,
        }
    }
}
