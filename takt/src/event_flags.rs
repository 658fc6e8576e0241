// SPDX-License-Identifier: MIT OR Apache-2.0
//! Flags of which a task waits for any, or for all of some.

use takt_kernel::objects::WaitCounts;
use takt_kernel::objects::event_flags::{self, Wanted, Woken};
use takt_kernel::time::Instant;

use crate::core_state::masked;
use crate::event::TimedOut;
use crate::fault;
use crate::object::{InHandler, Object, Step};

/// What becomes of the flags that a task gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// They stay set, for others too, until somebody clears them.
    Stay,
    /// They are clear, in the same step in which the task gets them.
    Clear,
}

/// 32 flags, set and cleared by tasks and kernel handlers. A task waits until any of those that it names is set, or all of
/// them. Where several wait, setting wakes each that has what it waits for, the most urgent first; what one of them clears,
/// the next no longer sees.
///
/// ```no_run
/// use takt::prelude::*;
///
/// const TEMPERATURE: u32 = 1 << 0;
/// const PRESSURE: u32 = 1 << 1;
/// static FRESH: EventFlags = EventFlags::new();
///
/// fn thermometer_handler() {
///     FRESH.set_from_handler(TEMPERATURE);
/// }
///
/// fn pump_is_read() {
///     FRESH.set(PRESSURE);
/// }
///
/// fn wait_for_both() {
///     let _ = FRESH.wait_all(TEMPERATURE | PRESSURE, Received::Clear);
/// }
/// ```
///
/// RTEMS: event sets, but of an object in place of a task's; FreeRTOS: an event group; ThreadX: an event flags group; POSIX
/// has none.
#[derive(Debug)]
pub struct EventFlags(Object<event_flags::EventFlags>);

impl Default for EventFlags {
    fn default() -> Self {
        Self::new()
    }
}

impl EventFlags {
    /// None is set.
    #[must_use]
    pub const fn new() -> Self {
        Self(Object::new(event_flags::EventFlags::new()))
    }

    /// Sets `flags`, and lets run who waits for that, at once where it is more urgent than the caller. Takes longer the more
    /// tasks wait. Called by tasks. FreeRTOS: `xEventGroupSetBits`.
    #[inline(always)]
    pub fn set(&self, flags: u32) {
        let step = self.0.enter();
        match step.state.set(&mut step.core.executive, flags) {
            Woken::Nobody => step.go_on(),
            Woken::Task(task) => step.core.note_wake(task),
            Woken::ByLooking => wake(step),
        }
    }

    /// As [`Self::set`]; who waited runs when the handler has ended. Called by kernel handlers.
    pub fn set_from_handler(&self, flags: u32) {
        let InHandler { core, state } = self.0.in_handler();
        match state.set(&mut core.executive, flags) {
            Woken::Nobody => {}
            Woken::Task(task) => core.note_wake(task),
            Woken::ByLooking => {
                while let Some(task) = state.wake_next(&mut core.executive) {
                    core.note_wake(task);
                }
            }
        }
    }

    /// Clears `flags`. Called by tasks.
    pub fn clear(&self, flags: u32) {
        self.0.briefly(|state| state.clear(flags));
    }

    /// As [`Self::clear`]. Called by kernel handlers.
    pub fn clear_from_handler(&self, flags: u32) {
        self.0.in_handler().state.clear(flags);
    }

    /// The flags that are set. Called by tasks.
    pub fn get(&self) -> u32 {
        self.0.briefly(|state| state.get())
    }

    /// Those of `flags` that are set, if any is. Called by tasks.
    #[inline(always)]
    pub fn try_any(&self, flags: u32, then: Received) -> Option<u32> {
        self.try_take(wanted(flags, false, then))
    }

    /// All of `flags`, if all are set. Called by tasks.
    #[inline(always)]
    pub fn try_all(&self, flags: u32, then: Received) -> Option<u32> {
        self.try_take(wanted(flags, true, then))
    }

    /// Waits until any of `flags` is set, and answers those that are. The run ends with a sentence where it names none.
    /// Called by tasks.
    #[inline(always)]
    pub fn wait_any(&self, flags: u32, then: Received) -> u32 {
        self.take(wanted(flags, false, then))
    }

    /// Waits until all of `flags` are set at once, and answers them. The run ends with a sentence where it names none.
    /// Called by tasks.
    #[inline(always)]
    pub fn wait_all(&self, flags: u32, then: Received) -> u32 {
        self.take(wanted(flags, true, then))
    }

    /// As [`Self::wait_any`], until `deadline` at the most.
    ///
    /// # Errors
    /// [`TimedOut`] where none was set by then.
    pub fn wait_any_until(&self, flags: u32, then: Received, deadline: Instant) -> Result<u32, TimedOut> {
        self.take_until(wanted(flags, false, then), deadline)
    }

    /// As [`Self::wait_all`], until `deadline` at the most.
    ///
    /// # Errors
    /// [`TimedOut`] where they were not all set by then; none was cleared.
    pub fn wait_all_until(&self, flags: u32, then: Received, deadline: Instant) -> Result<u32, TimedOut> {
        self.take_until(wanted(flags, true, then), deadline)
    }

    /// How often tasks waited, and gave up. Called by tasks.
    pub fn counts(&self) -> WaitCounts {
        self.0.briefly(|state| state.counts())
    }

    #[inline(always)]
    fn try_take(&self, wanted: Wanted) -> Option<u32> {
        let found = self.0.briefly(|state| state.try_take(wanted));
        if found == 0 { None } else { Some(found) }
    }

    #[inline(always)]
    fn take(&self, wanted: Wanted) -> u32 {
        if let Some(found) = self.try_take(wanted) {
            return found;
        }
        self.take_in_a_step(wanted, None);
        // Asked only where it is not known: who waits for all gets all.
        wanted.all_of_it().unwrap_or_else(|| masked(|core| core.executive.received()))
    }

    fn take_until(&self, wanted: Wanted, deadline: Instant) -> Result<u32, TimedOut> {
        if let Some(found) = self.try_take(wanted) {
            return Ok(found);
        }
        self.take_in_a_step(wanted, Some(deadline));
        let step = self.0.enter();
        let has_given_up = step.state.has_given_up(&mut step.core.executive);
        let received = step.core.executive.received();
        step.go_on();
        if has_given_up { Err(TimedOut { deadline }) } else { Ok(received) }
    }

    /// Returns when the task has its flags or has waited `until` its deadline.
    #[inline(always)]
    fn take_in_a_step(&self, wanted: Wanted, until: Option<Instant>) {
        if wanted.is_nothing() {
            fault::waits_for_no_flag();
        }
        let step = self.0.enter();
        let wait = step.state.wait(&mut step.core.executive, wanted, until);
        step.core.carry_out(wait);
    }
}

#[inline(always)]
fn wanted(flags: u32, all: bool, then: Received) -> Wanted {
    let clears = then == Received::Clear;
    if all { Wanted::all(flags, clears) } else { Wanted::any(flags, clears) }
}

/// Several wait, or in time. Ends the step.
#[cold]
#[inline(never)]
fn wake(step: Step<'_, event_flags::EventFlags>) {
    while let Some(task) = step.state.wake_next(&mut step.core.executive) {
        step.core.note_wake(task);
    }
}
