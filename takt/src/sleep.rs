// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waits for nothing but time.

use core::time::Duration;

use takt_kernel::time::Instant;

use crate::{clock, turn};

/// Waits until `at`, and answers with the instant at which the task runs again. Where `at` has passed, it returns at once.
///
/// Called by tasks. A loop that adds its period to `at` does not drift; where it is all that the task does, a periodic task
/// does the same and counts what it misses.
///
/// ```no_run
/// use takt::clock;
/// use takt::prelude::*;
///
/// fn blink() -> ! {
///     let period_half_ticks = clock::half_ticks(millis(500), clock::rate());
///     let mut at = clock::now();
///     loop {
///         at = at.after(period_half_ticks);
///         sleep_until(at);
///         step();
///     }
/// }
/// # fn step() {}
/// ```
///
/// RTEMS: `rtems_task_wake_when`; POSIX: `clock_nanosleep` with `TIMER_ABSTIME`; FreeRTOS: `xTaskDelayUntil`.
pub fn sleep_until(at: Instant) -> Instant {
    turn::step(|core| {
        core.note_wait_within();
        core.wait_until(at);
    })
}

/// Waits for `duration` from now on, at least; what is less than a microsecond counts as a whole one. Answers as
/// [`sleep_until`]. Called by tasks.
///
/// RTEMS: `rtems_task_wake_after`; POSIX: `nanosleep`; FreeRTOS: `vTaskDelay`.
///
/// ```no_run
/// use takt::prelude::*;
/// use takt::sleep_for;
///
/// fn let_the_motor_settle() {
///     sleep_for(millis(20));
/// }
/// ```
pub fn sleep_for(duration: Duration) -> Instant {
    sleep_until(clock::from_now(duration))
}
