// SPDX-License-Identifier: MIT OR Apache-2.0
//! A scope in which no other task of the core runs.

use takt_kernel::executive::LockRefused;
use takt_kernel::priority::Priority;

use crate::{fault, turn};

/// Runs `act` without letting another task of the core run meanwhile, however urgent. Interrupts go on: handlers run, and a
/// task that they wake runs when `act` has ended. It is a [`Mutex`](crate::Mutex) without a value, whose ceiling is above
/// every task. Within itself it has no further effect.
///
/// Called by tasks whose line of the table says so with [`Task::locks_preemption`](crate::Task::locks_preemption). The run
/// ends with a sentence where no line does, where a handler calls it, and where `act` waits or yields.
///
/// ```no_run
/// use takt::preemption_lock;
///
/// fn where_it_goes() -> (i32, i32) {
///     preemption_lock(|| (position(), speed()))
/// }
/// # fn position() -> i32 { 0 }
/// # fn speed() -> i32 { 0 }
/// ```
///
/// RTEMS: the mode `RTEMS_NO_PREEMPT`; FreeRTOS: `vTaskSuspendAll`; POSIX has none.
#[inline(always)]
pub fn preemption_lock<R>(act: impl FnOnce() -> R) -> R {
    let before = match turn::lock(Priority::ABOVE_ALL) {
        Ok(before) => Some(before),
        Err(LockRefused::Held) => None,
        Err(LockRefused::Ceiling) => fault::cannot_lock_preemption(),
    };
    let result = act();
    if let Some(before) = before {
        turn::unlock(Priority::ABOVE_ALL, before);
    }
    result
}
