// SPDX-License-Identifier: MIT OR Apache-2.0
//! Timers: what is called at an instant, once or periodically, by a task of the application's table.
//!
//! ```no_run
//! use takt::clock;
//! use takt::prelude::*;
//!
//! static WATCH: Timer = Timer::new(too_quiet);
//! static BLINK: Timer = Timer::new(blink);
//!
//! takt::tasks! {
//!     timers: Task::background(takt::timer::task).priority(20),
//!     reader: Task::background(reader).priority(30),
//! }
//!
//! fn reader() -> ! {
//!     BLINK.every(clock::from_now(millis(500)), millis(500));
//!     loop {
//!         read();
//!         WATCH.fire_after(millis(20));
//!     }
//! }
//! # fn read() {}
//! # fn too_quiet() {}
//! # fn blink() {}
//! ```
//!
//! Any number of statics: they hang in a list through themselves.

use core::fmt;
use core::time::Duration;

use takt_kernel::objects::timer::{self, Start, TimerCounts, Timers};
use takt_kernel::time::Instant;
use takt_kernel::{CAPACITY, TaskId};

use crate::clock::{self, half_ticks};
use crate::core_state::CoreState;
use crate::object::Object;
use crate::table::Run;
use crate::{fault, time_base};

/// A function to call at an instant. [`task`] calls it, at that task's priority: it may call whatever a task may, but while
/// it waits, no other timer fires; what it waits for must not be up to another timer. The mutexes that it locks stand in
/// that task's line of the table.
///
/// Where several are due at one instant, they fire in the order in which they were started. A timer that is started while it
/// is started begins anew.
///
/// RTEMS: `rtems_timer`, with the timer server; POSIX: `timer_t`, with a thread that is told; FreeRTOS: `xTimer`.
pub struct Timer(timer::Timer<'static>);

// SAFETY: what changes in it is touched behind the closed gate, in kernel handlers, or masked, all on core 0: by one at a
// time.
unsafe impl Sync for Timer {}

impl fmt::Debug for Timer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What it holds may be changed meanwhile.
        f.debug_struct("Timer").finish_non_exhaustive()
    }
}

/// All timers that are started.
struct Started {
    timers: Timers<'static>,
    /// Whether the table has been found to have their task.
    has_task: bool,
    /// Whether that has begun.
    has_begun: bool,
}

// SAFETY: as for `Timer`, to which it has references.
unsafe impl Send for Started {}

static STARTED: Object<Started> = Object::new(Started { timers: Timers::new(), has_task: false, has_begun: false });

impl Started {
    #[inline(always)]
    fn start(&mut self, core: &mut CoreState, timer: &'static Timer, start: Start) {
        if !self.has_task {
            self.find_task(core);
        }
        if let Some(deadline) = self.timers.start(&mut core.executive, &timer.0, start) {
            time_base::arm(&core.time_base, deadline);
        }
    }

    /// Once in a run: without the task nothing would ever fire.
    #[cold]
    #[inline(never)]
    fn find_task(&mut self, core: &CoreState) {
        let is_timer_task = |rank| {
            let run = core.table?.run(TaskId::new(rank)?)?;
            Some(matches!(run, Run::Background(run) if core::ptr::fn_addr_eq(run, task as fn() -> !)))
        };
        if !(0..CAPACITY).any(|rank| is_timer_task(rank) == Some(true)) {
            fault::no_timer_task();
        }
        self.has_task = true;
    }
}

impl Timer {
    /// A timer that calls `run`, not started.
    #[must_use]
    pub const fn new(run: fn()) -> Self {
        Self(timer::Timer::new(run))
    }

    #[inline(always)]
    fn start(&'static self, start: Start) {
        let step = STARTED.enter();
        step.state.start(step.core, self, start);
        step.go_on();
    }

    fn start_from_handler(&'static self, start: Start) {
        let access = STARTED.in_handler();
        access.state.start(access.core, self, start);
    }

    /// Fires once, at `at`; at once where that has passed. Called by tasks. The run ends with a sentence where the table has
    /// no line `Task::background(takt::timer::task)`. Takes seven instructions for each timer that is due later.
    ///
    /// RTEMS: `rtems_timer_server_fire_when`; POSIX: `timer_settime` with `TIMER_ABSTIME`.
    #[inline(always)]
    pub fn fire_at(&'static self, at: Instant) {
        self.start(Start::at(at));
    }

    /// As [`Self::fire_at`]. Called by kernel handlers.
    pub fn fire_at_from_handler(&'static self, at: Instant) {
        self.start_from_handler(Start::at(at));
    }

    /// Fires once, `duration` from now; what is less than a microsecond counts as a whole one. Called by tasks, otherwise as
    /// [`Self::fire_at`].
    ///
    /// RTEMS: `rtems_timer_server_fire_after`; POSIX: `timer_settime`; FreeRTOS: `xTimerStart` of a one-shot timer.
    #[inline(always)]
    pub fn fire_after(&'static self, duration: Duration) {
        self.start(Self::after(duration));
    }

    /// As [`Self::fire_after`]. Called by kernel handlers.
    pub fn fire_after_from_handler(&'static self, duration: Duration) {
        self.start_from_handler(Self::after(duration));
    }

    #[inline(always)]
    fn after(duration: Duration) -> Start {
        Start::after(clock::now(), half_ticks(duration, clock::rate()))
    }

    /// Fires at `first`, and then every `period`, at least 1 us. An instant is one period behind the one before, so nothing
    /// drifts; choose `first` with [`clock::next_edge`], or a multiple of the period before. Where the task of the timers is
    /// kept from it for more than a period, the periods that have passed are counted as missed, and the timer stays in
    /// phase. Called by tasks, otherwise as [`Self::fire_at`].
    ///
    /// RTEMS: `rtems_timer_server_fire_after` out of itself, without its drift; POSIX: `timer_settime` with an interval;
    /// FreeRTOS: `xTimerStart` of an auto-reload timer.
    #[inline(always)]
    pub fn every(&'static self, first: Instant, period: Duration) {
        self.start(Self::each(first, period));
    }

    /// As [`Self::every`]. Called by kernel handlers.
    pub fn every_from_handler(&'static self, first: Instant, period: Duration) {
        self.start_from_handler(Self::each(first, period));
    }

    #[inline(always)]
    fn each(first: Instant, period: Duration) -> Start {
        Start::every(first, half_ticks(period, clock::rate()).max(clock::half_ticks_per_us()))
    }

    /// Fires no more. Answers false where it was not started: then its function has been called, or is about to be. Called by
    /// tasks.
    ///
    /// RTEMS: `rtems_timer_cancel`; POSIX: `timer_settime` with 0; FreeRTOS: `xTimerStop`.
    #[inline(always)]
    pub fn cancel(&'static self) -> bool {
        let step = STARTED.enter();
        let was_started = step.state.timers.cancel(&self.0);
        step.go_on();
        was_started
    }

    /// As [`Self::cancel`]. Called by kernel handlers.
    pub fn cancel_from_handler(&'static self) -> bool {
        STARTED.in_handler().state.timers.cancel(&self.0)
    }

    /// Starts it once more, as long from now as it was started for, or one period from now. Answers false, and nothing
    /// happens, where it was never started, or for an instant. Called by tasks.
    ///
    /// RTEMS: `rtems_timer_reset`; FreeRTOS: `xTimerReset`.
    pub fn reset(&'static self) -> bool {
        let now = clock::now();
        let step = STARTED.enter();
        let again = self.0.again(now);
        if let Some(start) = again {
            step.state.start(step.core, self, start);
        }
        step.go_on();
        again.is_some()
    }

    /// As [`Self::reset`]. Called by kernel handlers.
    pub fn reset_from_handler(&'static self) -> bool {
        let access = STARTED.in_handler();
        let again = self.0.again(clock::now());
        if let Some(start) = again {
            access.state.start(access.core, self, start);
        }
        again.is_some()
    }

    /// When it fires next; `None` where it is not started. Called by tasks.
    ///
    /// RTEMS: `rtems_timer_get_information`; POSIX: `timer_gettime`; FreeRTOS: `xTimerGetExpiryTime`.
    pub fn due(&'static self) -> Option<Instant> {
        STARTED.briefly(|_| self.0.due())
    }

    /// How often it fired, and how many periods passed without. Called by tasks.
    pub fn counts(&'static self) -> TimerCounts {
        STARTED.briefly(|_| self.0.counts())
    }
}

/// The task that calls what is due, `Task::background(takt::timer::task)` in the application's table, once, with the priority
/// and the stack that the functions need which the timers call. It sleeps until the first timer is due.
///
/// RTEMS: the timer server; FreeRTOS: the timer service task.
#[inline(never)]
pub fn task() -> ! {
    if STARTED.briefly(|started| core::mem::replace(&mut started.has_begun, true)) {
        fault::second_timer_task();
    }
    loop {
        let now = clock::now();
        let step = STARTED.enter();
        // Released as soon as the executive takes it to be due.
        let slack_half_ticks = step.core.time_base.slack_half_ticks;
        if let Some(run) = step.state.timers.take_due(now.after(slack_half_ticks)) {
            step.go_on();
            run();
        } else {
            let wait = step.state.timers.sleep(&mut step.core.executive);
            step.core.carry_out(wait);
        }
    }
}
