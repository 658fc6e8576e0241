// SPDX-License-Identifier: MIT OR Apache-2.0
//! The latest value of something, for who waits for the next.

use core::fmt;
use core::mem::MaybeUninit;

use takt_kernel::objects::signal::{self, SignalCounts, Signalled};
use takt_kernel::objects::waiting::Waiting;
use takt_kernel::time::Instant;

use crate::core_state::CoreState;
use crate::event::TimedOut;
use crate::object::{Object, Step};
use crate::takes::{Takes, take_plainly};

/// The latest value: whoever waits takes it, and a new one replaces one that nobody has taken. Of several that wait the most
/// urgent has it, and among equals the one that has waited longest.
///
/// A value is moved in a kernel step, for which kernel handlers wait: it is to be a few words.
///
/// ```no_run
/// use takt::prelude::*;
///
/// static SETPOINT: Signal<i32> = Signal::new();
///
/// fn operator() -> ! {
///     SETPOINT.signal(1_500);
///     # loop {}
/// }
///
/// fn control(mut period: Periodic) -> ! {
///     let mut setpoint = SETPOINT.wait();
///     loop {
///         period.wait();
///         setpoint = SETPOINT.try_take().unwrap_or(setpoint);   // a newer one, if there is
///         drive(setpoint);
///     }
/// }
/// # fn drive(_: i32) {}
/// ```
///
/// FreeRTOS: `xQueueOverwrite` to a queue of one; embassy: `Signal`. RTEMS and POSIX have none.
#[derive(Debug)]
pub struct Signal<T>(Object<Contents<T>>);

/// Whether there is a value, and it.
#[repr(C)]
pub(crate) struct Contents<T> {
    signal: signal::Signal,
    value: MaybeUninit<T>,
}

impl<T> fmt::Debug for Contents<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.signal.fmt(f)
    }
}

/// What became of a value.
enum Put<T> {
    /// It is kept.
    Kept,
    /// It is kept in place of this one.
    Replaced(T),
    /// A task has it, which is ready.
    Handed,
}

impl<T> Contents<T> {
    /// Brings a value to where it is signalled.
    #[inline(always)]
    fn put(&mut self, core: &mut CoreState, value: T) -> Put<T> {
        match self.signal.signal(&mut core.executive) {
            Signalled::Kept => {
                self.value = MaybeUninit::new(value);
                Put::Kept
            }
            Signalled::InPlaceOfAnother => {
                let former = core::mem::replace(&mut self.value, MaybeUninit::new(value));
                // SAFETY: there was one.
                Put::Replaced(unsafe { former.assume_init() })
            }
            Signalled::To(task) => {
                // SAFETY: who waits for a value waits with an empty slot.
                unsafe { core.hand_to(task, value) };
                core.note_wake(task);
                Put::Handed
            }
        }
    }
}

impl<T> Default for Signal<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Signal<T> {
    /// Without a value.
    #[must_use]
    pub const fn new() -> Self {
        Self(Object::new(Contents { signal: signal::Signal::new(), value: MaybeUninit::uninit() }))
    }

    /// Gives a value, to a waiter where there is one, which runs at once if it is more urgent than the caller. One that nobody
    /// has taken is replaced, and counted. Called by tasks.
    #[inline(always)]
    pub fn signal(&self, value: T) {
        let step = self.0.enter();
        match step.state.put(step.core, value) {
            Put::Kept => step.go_on(),
            Put::Replaced(former) => {
                step.go_on();
                // Here, since what drops a value may call the executive.
                drop(former);
            }
            Put::Handed => drop(step),
        }
    }

    /// As [`Self::signal`]; a waiter runs when the handler has ended. Called by kernel handlers.
    #[inline(always)]
    pub fn signal_from_handler(&self, value: T) {
        let access = self.0.in_handler();
        let put = access.state.put(access.core, value);
        // Here, since what drops a value may call the executive.
        drop(put);
    }

    /// Takes the value, or waits for one. Called by tasks.
    #[inline(always)]
    pub fn wait(&self) -> T {
        self.take_or_wait()
    }

    /// Takes the value, or waits for one until `deadline` at the most. Called by tasks.
    ///
    /// A value that is given after the deadline but before the task runs is taken all the same.
    ///
    /// # Errors
    /// [`TimedOut`] where there was none by then.
    pub fn wait_until(&self, deadline: Instant) -> Result<T, TimedOut> {
        self.take_or_wait_until(deadline)
    }

    /// Takes the value, if there is one. Called by tasks.
    #[inline(always)]
    pub fn try_take(&self) -> Option<T> {
        self.take_if_there()
    }

    /// How often tasks waited, and how many values were replaced. Called by tasks.
    pub fn counts(&self) -> SignalCounts {
        let step = self.0.enter();
        let counts = step.state.signal.counts();
        step.go_on();
        counts
    }
}

impl<T> Takes for Signal<T> {
    type Item = T;
    type State = Contents<T>;

    #[inline(always)]
    fn object(&self) -> &Object<Self::State> {
        &self.0
    }

    #[inline(always)]
    fn take_in<'a>(&self, step: Step<'a, Self::State>) -> Result<T, Step<'a, Self::State>> {
        take_plainly(step, |contents| {
            // SAFETY: there is one, which nobody else takes.
            contents.signal.take().then(|| unsafe { contents.value.assume_init_read() })
        })
    }

    #[inline(always)]
    fn waiting(contents: &mut Self::State) -> &mut Waiting {
        contents.signal.waiting()
    }
}
