// SPDX-License-Identifier: MIT OR Apache-2.0
//! The three ways in which a task takes something from an object: if it is there, or waiting, or waiting until a deadline.

use takt_kernel::objects::waiting::Waiting;
use takt_kernel::time::Instant;

use crate::event::TimedOut;
use crate::object::{InHandler, Object, Step};
use crate::slot::Slot;

/// An object from which tasks take something, one at a time. Who waits for it waits with an empty slot, into which whoever
/// brings it hands it.
pub(crate) trait Takes: Sized {
    /// What they take.
    type Item;
    /// What the object knows.
    type State;

    fn object(&self) -> &Object<Self::State>;

    /// Takes one, in the step, which ends; where there is none the step goes on.
    fn take_in<'a>(&self, step: Step<'a, Self::State>) -> Result<Self::Item, Step<'a, Self::State>>;

    /// Who waits for one.
    fn waiting(state: &mut Self::State) -> &mut Waiting;

    /// Takes one, if there is one. Called by tasks.
    #[inline(always)]
    fn take_if_there(&self) -> Option<Self::Item> {
        match self.take_in(self.object().enter()) {
            Ok(item) => Some(item),
            Err(step) => {
                step.go_on();
                None
            }
        }
    }

    /// Takes one, or waits for one. Called by tasks.
    #[inline(always)]
    fn take_or_wait(&self) -> Self::Item {
        match self.take_in(self.object().enter()) {
            Ok(item) => item,
            Err(step) => {
                let slot = Slot::empty();
                Self::wait_in(step, &slot, None);
                // SAFETY: without a deadline, only who hands it one wakes this task.
                unsafe { slot.into_message() }
            }
        }
    }

    /// Takes one, or waits for one until `deadline` at the most. Called by tasks.
    #[inline(always)]
    fn take_or_wait_until(&self, deadline: Instant) -> Result<Self::Item, TimedOut> {
        let step = match self.take_in(self.object().enter()) {
            Ok(item) => return Ok(item),
            Err(step) => step,
        };
        let slot = Slot::empty();
        Self::wait_in(step, &slot, Some(deadline));
        let step = self.object().enter();
        let has_given_up = Self::waiting(step.state).has_given_up(&mut step.core.executive);
        step.go_on();
        if has_given_up {
            return Err(TimedOut { deadline });
        }
        // SAFETY: who did not give up was woken, and has one.
        Ok(unsafe { slot.into_message() })
    }

    /// Hands what `take` takes to the most urgent task that waits. False where nobody waits, or there is none. Called by kernel
    /// handlers.
    #[inline(always)]
    fn hand_one(
        access: &mut InHandler<'_, Self::State>,
        take: impl FnOnce(&mut Self::State) -> Option<Self::Item>,
    ) -> bool {
        if !Self::waiting(access.state).is_empty()
            && let Some(item) = take(access.state)
            && let Some(task) = Self::waiting(access.state).wake_one(&mut access.core.executive)
        {
            // SAFETY: who waits for one waits with an empty slot.
            unsafe { access.core.hand_to(task, item) };
            access.core.note_wake(task);
            return true;
        }
        false
    }

    /// Returns when the slot has one, or the task has waited `until` its deadline.
    #[inline(always)]
    fn wait_in(step: Step<'_, Self::State>, slot: &Slot<Self::Item>, until: Option<Instant>) {
        let wait = Self::waiting(step.state).wait(&mut step.core.executive, until);
        step.core.wait_with(slot);
        step.core.carry_out(wait);
        drop(step);
    }
}

/// What [`Takes::take_in`] does where taking wakes nobody: `take` takes one out of the state, if there is one.
#[inline(always)]
pub(crate) fn take_plainly<S, T>(step: Step<'_, S>, take: impl FnOnce(&mut S) -> Option<T>) -> Result<T, Step<'_, S>> {
    match take(step.state) {
        Some(item) => {
            step.go_on();
            Ok(item)
        }
        None => Err(step),
    }
}
