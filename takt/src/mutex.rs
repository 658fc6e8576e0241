// SPDX-License-Identifier: MIT OR Apache-2.0
//! A value that tasks share, one at a time, by a priority ceiling.

use core::cell::UnsafeCell;
use core::fmt;

use takt_kernel::executive::LockRefused;
use takt_kernel::priority::Priority;

use crate::home::Home;
use crate::{fault, turn};

/// A value behind an immediate priority ceiling: the task that locks it runs at the ceiling's priority until it is done,
/// ahead of the ceiling's equals. So nobody else who uses it can come between, nobody ever waits for it, and two mutexes
/// cannot deadlock. A more urgent task than the ceiling preempts as always.
///
/// `CEILING` is the priority of the most urgent task that locks it. Each of these tasks says so in its line of the table,
/// with [`Task::locks`](crate::Task::locks); a ceiling that is less urgent than one of them stops the build.
///
/// ```no_run
/// use takt::prelude::*;
///
/// static AXIS: Mutex<Axis, 10> = Mutex::new(Axis { position: 0, speed: 0 });
///
/// takt::tasks! {
///     control: Task::periodic(control).priority(10).period(micros(250)).locks(&AXIS, micros(5)),
///     panel: Task::background(panel).priority(100).locks(&AXIS, micros(2)),
/// }
///
/// struct Axis {
///     position: i32,
///     speed: i32,
/// }
///
/// fn control(mut period: Periodic) -> ! {
///     loop {
///         period.wait();
///         AXIS.lock(|axis| axis.position += axis.speed);
///     }
/// }
///
/// fn panel() -> ! {
///     loop {
///         let position = AXIS.lock(|axis| axis.position);
///         # let _ = position;
///     }
/// }
/// ```
///
/// RTEMS: `rtems_semaphore` with `RTEMS_PRIORITY_CEILING`; POSIX: a mutex with `PTHREAD_PRIO_PROTECT`.
pub struct Mutex<T, const CEILING: u8> {
    value: UnsafeCell<T>,
    home: Home,
}

// SAFETY:
// - The ceiling's level has one holder at a time, so `lock` and `try_lock` make one reference at a time.
// - A task that could lock it is never more urgent than the ceiling, so it does not run while another holds it.
// - Tasks take turns, hence `T: Send`.
unsafe impl<T: Send, const CEILING: u8> Sync for Mutex<T, CEILING> {}

impl<T, const CEILING: u8> fmt::Debug for Mutex<T, CEILING> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Somebody may hold it.
        f.debug_struct("Mutex").field("ceiling", &CEILING).finish_non_exhaustive()
    }
}

impl<T, const CEILING: u8> Mutex<T, CEILING> {
    const PRIORITY: Priority = match Priority::new(CEILING) {
        Some(priority) => priority,
        None => panic!("takt: a mutex's ceiling is a priority, 1 (most urgent) to 254"),
    };

    /// A mutex that nobody holds.
    pub const fn new(value: T) -> Self {
        const { assert!(Self::PRIORITY.number() == CEILING) };
        Self { value: UnsafeCell::new(value), home: Home::new() }
    }

    /// Lets `act` have the value, at the ceiling's priority. Called by tasks whose line names the mutex.
    ///
    /// The run ends with a sentence where the task is more urgent than the ceiling, where no line names a mutex of this
    /// ceiling, where the task holds one of this ceiling already (nested mutexes need different ceilings), and where `act`
    /// waits or yields.
    #[inline(always)]
    pub fn lock<R>(&self, act: impl FnOnce(&mut T) -> R) -> R {
        self.home.check();
        let before = match turn::lock(Self::PRIORITY) {
            Ok(before) => before,
            Err(why) => fault::cannot_lock(CEILING, why),
        };
        // SAFETY: the caller holds the ceiling's level.
        let result = act(unsafe { &mut *self.value.get() });
        turn::unlock(Self::PRIORITY, before);
        result
    }

    /// As [`Self::lock`], but `None` where the task holds a mutex of this ceiling already: nobody else can.
    #[inline(always)]
    pub fn try_lock<R>(&self, act: impl FnOnce(&mut T) -> R) -> Option<R> {
        self.home.check();
        let before = match turn::lock(Self::PRIORITY) {
            Ok(before) => before,
            Err(LockRefused::Held) => return None,
            Err(why) => fault::cannot_lock(CEILING, why),
        };
        // SAFETY: the caller holds the ceiling's level.
        let result = act(unsafe { &mut *self.value.get() });
        turn::unlock(Self::PRIORITY, before);
        Some(result)
    }
}
