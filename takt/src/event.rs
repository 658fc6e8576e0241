// SPDX-License-Identifier: MIT OR Apache-2.0
//! An event that a task waits for.

use core::fmt;

use takt_kernel::objects::event;
use takt_kernel::time::Instant;

use crate::object::Object;

/// A flag that [`Event::wait`] takes: it returns once per [`Event::set`], and setting it twice before it is waited for
/// counts once. Where several tasks wait, the most urgent has it, and among equals the one that has waited longest.
///
/// ```no_run
/// use takt::clock;
/// use takt::prelude::*;
///
/// static CONVERTED: Event = Event::new();
///
/// fn converter_handler() {
///     CONVERTED.set_from_handler();
/// }
///
/// fn convert() -> Result<u32, TimedOut> {
///     start();
///     CONVERTED.wait_until(clock::from_now(micros(50)))?;
///     Ok(result())
/// }
/// # fn start() {}
/// # fn result() -> u32 { 0 }
/// ```
///
/// FreeRTOS: a task notification, or a binary semaphore; RTEMS: a simple binary semaphore.
#[derive(Debug)]
pub struct Event(Object<event::Event>);

/// The deadline of a wait came first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedOut {
    /// The deadline.
    pub deadline: Instant,
}

impl fmt::Display for TimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "what was waited for did not come by the deadline, {} half ticks after the counter's zero; wait longer, or see \
             why nobody sets, gives or sends it",
            self.deadline.half_ticks()
        )
    }
}

impl core::error::Error for TimedOut {}

impl Default for Event {
    fn default() -> Self {
        Self::new()
    }
}

impl Event {
    /// An event that is not set.
    #[must_use]
    pub const fn new() -> Self {
        Self(Object::new(event::Event::new()))
    }

    /// Waits until the event is set, and takes it. Called by tasks.
    #[inline(always)]
    pub fn wait(&self) {
        self.wait_in_a_step(None);
    }

    /// Waits until the event is set, and takes it, but until `deadline` at the most. Called by tasks.
    ///
    /// An event that is set when the deadline has come but before the task runs is taken all the same.
    ///
    /// # Errors
    /// [`TimedOut`] where the event was not set. It is not set afterwards either.
    pub fn wait_until(&self, deadline: Instant) -> Result<(), TimedOut> {
        self.wait_in_a_step(Some(deadline));
        let step = self.0.enter();
        let has_given_up = step.state.has_given_up(&mut step.core.executive);
        step.go_on();
        if has_given_up { Err(TimedOut { deadline }) } else { Ok(()) }
    }

    #[inline(always)]
    fn wait_in_a_step(&self, until: Option<Instant>) {
        let step = self.0.enter();
        let wait = step.state.wait(&mut step.core.executive, until);
        step.core.carry_out(wait);
    }

    /// Sets the event and lets a waiter run, at once if it is the more urgent. Called by tasks.
    #[inline(always)]
    pub fn set(&self) {
        let step = self.0.enter();
        match step.state.set(&mut step.core.executive) {
            Some(task) => step.core.note_wake(task),
            None => step.go_on(),
        }
    }

    /// Sets the event; a waiter runs when the handler has ended. Called by kernel handlers.
    pub fn set_from_handler(&self) {
        let access = self.0.in_handler();
        if let Some(task) = access.state.set(&mut access.core.executive) {
            access.core.note_wake(task);
        }
    }
}
