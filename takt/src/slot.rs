// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the message of a task that waits is: on its own stack, from where, or to where, the other side copies it.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

use takt_kernel::TaskId;

use crate::core_state::CoreState;

/// A message's place on the stack of a task that waits. The task leaves it alone until it runs again.
pub(crate) struct Slot<T>(UnsafeCell<MaybeUninit<T>>);

impl<T> Slot<T> {
    /// For a message that is to come.
    #[inline(always)]
    pub(crate) const fn empty() -> Self {
        Self(UnsafeCell::new(MaybeUninit::uninit()))
    }

    /// With a message that is to go.
    #[inline(always)]
    pub(crate) const fn with(message: T) -> Self {
        Self(UnsafeCell::new(MaybeUninit::new(message)))
    }

    /// The message that is in it.
    ///
    /// # Safety
    /// One is: [`CoreState::hand_to`] was called for this task, or the message that was in it was not fetched.
    #[inline(always)]
    pub(crate) unsafe fn into_message(self) -> T {
        // SAFETY: the caller's.
        unsafe { self.0.into_inner().assume_init() }
    }
}

impl CoreState {
    /// The running task is about to wait with this slot.
    #[inline(always)]
    pub(crate) fn wait_with<T>(&mut self, slot: &Slot<T>) {
        // SAFETY: this has the one reference to the core's state.
        let slots = unsafe { &mut *self.slots };
        slots[self.executive.running()] = slot.0.get().cast();
    }

    /// Puts a message into the slot of `task`.
    ///
    /// # Safety
    /// The task waited with an empty `Slot<T>` and has been woken in this step.
    #[inline(always)]
    pub(crate) unsafe fn hand_to<T>(&mut self, task: TaskId, message: T) {
        // SAFETY: the caller's: the slot is alive until the task runs again, which it does not before the step ends.
        unsafe { self.slot_of::<T>(task).write(message) };
    }

    /// Takes the message out of the slot of `task`.
    ///
    /// # Safety
    /// The task waited with a `Slot<T>` that has a message and has been woken in this step.
    #[inline(always)]
    pub(crate) unsafe fn fetch_from<T>(&mut self, task: TaskId) -> T {
        // SAFETY: as above.
        unsafe { self.slot_of::<T>(task).read() }
    }

    #[inline(always)]
    fn slot_of<T>(&self, task: TaskId) -> *mut T {
        // SAFETY: the callers have the one reference to the core's state.
        let slots = unsafe { &*self.slots };
        slots[task].cast()
    }
}
