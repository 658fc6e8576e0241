// SPDX-License-Identifier: MIT OR Apache-2.0
//! A counting semaphore.

use takt_kernel::objects::semaphore::{self, Given, SemaphoreCounts};
use takt_kernel::time::Instant;

use crate::event::TimedOut;
use crate::object::Object;

/// How many of something there are. A task that takes one where there is none waits, the most urgent first, and among
/// equals the one that has waited longest.
///
/// ```no_run
/// use takt::clock;
/// use takt::prelude::*;
///
/// static BLOCKS: Semaphore = Semaphore::with_most(0, 8);
///
/// fn block_is_filled() {
///     if !BLOCKS.give_from_handler() {
///         // Eight lie there already: this one was dropped, and counted.
///     }
/// }
///
/// fn writer() -> ! {
///     loop {
///         match BLOCKS.take_until(clock::from_now(millis(100))) {
///             Ok(()) => write_a_block(),
///             Err(TimedOut { .. }) => write_what_there_is(),
///         }
///     }
/// }
/// # fn write_a_block() {}
/// # fn write_what_there_is() {}
/// ```
///
/// RTEMS: `rtems_semaphore` of class counting; POSIX: `sem_t`; FreeRTOS: `xSemaphoreCreateCounting`.
#[derive(Debug)]
pub struct Semaphore(Object<semaphore::Semaphore>);

impl Semaphore {
    /// A semaphore with `count` to begin with, at most 4,294,967,295.
    #[must_use]
    pub const fn new(count: u32) -> Self {
        Self::with_most(count, u32::MAX)
    }

    /// A semaphore that never has more than `most`: what is given beyond is dropped and counted. With 1 it is a binary one.
    #[must_use]
    pub const fn with_most(count: u32, most: u32) -> Self {
        assert!(count <= most, "takt: a semaphore begins with at most as many as it can have");
        Self(Object::new(semaphore::Semaphore::new(count, most)))
    }

    /// Takes one, if there is one; false where there is none. Called by tasks.
    #[inline(always)]
    pub fn try_take(&self) -> bool {
        self.0.briefly(semaphore::Semaphore::try_take)
    }

    /// Takes one, or waits for one. Called by tasks.
    #[inline(always)]
    pub fn take(&self) {
        if !self.try_take() {
            self.take_in_a_step(None);
        }
    }

    /// Takes one, or waits for one until `deadline` at the most. Called by tasks.
    ///
    /// # Errors
    /// [`TimedOut`] where there was none by then; the semaphore is unchanged.
    pub fn take_until(&self, deadline: Instant) -> Result<(), TimedOut> {
        if self.try_take() {
            return Ok(());
        }
        self.take_in_a_step(Some(deadline));
        let step = self.0.enter();
        let has_given_up = step.state.has_given_up(&mut step.core.executive);
        step.go_on();
        if has_given_up { Err(TimedOut { deadline }) } else { Ok(()) }
    }

    /// Returns when the task has one or has waited `until` its deadline.
    #[inline(always)]
    fn take_in_a_step(&self, until: Option<Instant>) {
        let step = self.0.enter();
        let wait = step.state.take(&mut step.core.executive, until);
        step.core.carry_out(wait);
    }

    /// Gives one, to the most urgent waiter where there is one, which runs at once if it is more urgent than the caller.
    /// Answers false where it was dropped, which happens at the semaphore's most. Called by tasks.
    #[inline(always)]
    pub fn give(&self) -> bool {
        let step = self.0.enter();
        let given = step.state.give(&mut step.core.executive);
        if let Given::Woke(task) = given {
            step.core.note_wake(task);
        } else {
            step.go_on();
        }
        given != Given::Dropped
    }

    /// As [`Self::give`]; a waiter runs when the handler has ended. Called by kernel handlers.
    pub fn give_from_handler(&self) -> bool {
        let access = self.0.in_handler();
        let given = access.state.give(&mut access.core.executive);
        if let Given::Woke(task) = given {
            access.core.note_wake(task);
        }
        given != Given::Dropped
    }

    /// How many there are. Called by tasks.
    pub fn count(&self) -> u32 {
        self.0.briefly(|semaphore| semaphore.count())
    }

    /// How often tasks waited, the highest count, and how many were dropped. Called by tasks.
    pub fn counts(&self) -> SemaphoreCounts {
        self.0.briefly(|semaphore| semaphore.counts())
    }
}
