// SPDX-License-Identifier: MIT OR Apache-2.0
//! An event that one task waits for.

use core::cell::UnsafeCell;

use takt_kernel::TaskId;
use takt_kernel::trace::Event as Recorded;

use crate::core_state;
use crate::{trace, turn};

/// A flag with one waiter: [`Event::wait`] returns once per [`Event::set`]; setting it twice before it is waited for
/// counts once.
#[derive(Debug)]
pub struct Event(UnsafeCell<State>);

#[derive(Debug)]
struct State {
    is_set: bool,
    waiter: Option<TaskId>,
}

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
        Self(UnsafeCell::new(State { is_set: false, waiter: None }))
    }

    /// Waits until the event is set, and takes it. Called by one task.
    pub fn wait(&self) {
        turn::step(|core| {
            // SAFETY: the gate is closed, and the reference is gone before it opens.
            let state = unsafe { &mut *self.0.get() };
            if !core::mem::take(&mut state.is_set) {
                let task = core.executive.running();
                state.waiter = Some(task);
                // SAFETY: a kernel step of a task, with interrupts on.
                unsafe { trace::record_unmasked(Recorded::Block { task }) };
                core.executive.block();
            }
        });
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

    fn wake(&self, core: &mut core_state::CoreState) {
        // SAFETY: the gate is closed, or a kernel handler runs, for which it is open.
        let state = unsafe { &mut *self.0.get() };
        match state.waiter.take() {
            Some(task) => {
                // SAFETY: in a kernel step and in a kernel handler interrupts are on.
                unsafe { trace::record_unmasked(Recorded::Wake { task }) };
                core.executive.wake(task);
            }
            None => state.is_set = true,
        }
    }
}
