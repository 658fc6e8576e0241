// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages from direct handlers, which may not call the kernel.
//!
//! A direct handler writes into a lock-free ring, notes in a list that this mailbox has something, and raises a software
//! generated interrupt of takt's own. That one is a kernel interrupt: its handler comes when the direct one has ended, or
//! when the kernel step or kernel handler that was interrupted has, and hands the messages to the tasks that wait.

mod posted;

use core::cell::UnsafeCell;
use core::fmt;
use core::mem::MaybeUninit;

use takt_kernel::objects::WaitCounts;
use takt_kernel::objects::mailbox::MailboxRing;
use takt_kernel::objects::waiting::Waiting;
use takt_kernel::time::Instant;

pub(crate) use posted::{Posted, handler};

use crate::event::TimedOut;
use crate::exclusive::exclusively;
use crate::message_queue::Full;
use crate::object::{Object, Step};
use crate::takes::{Takes, take_plainly};
use posted::{Entry, Listed};

/// Up to `N` messages, a power of two, from direct handlers to tasks, in the order in which they were posted. Who receives
/// from an empty mailbox waits: the most urgent first, and among equals the one that has waited longest.
///
/// ```no_run
/// use takt::board::GpioLine;
/// use takt::clock;
/// use takt::kernel::time::Instant;
/// use takt::prelude::*;
///
/// static EDGES: Mailbox<Instant, 16> = Mailbox::new();
///
/// takt::tasks! {
///     edge: Interrupt::direct(GpioLine::Pins0To27.intid(), edge),
///     speed: Task::background(speed).priority(20),
/// }
///
/// fn edge() {
///     let _ = GpioLine::Pins0To27.take_events();
///     let _ = EDGES.post(clock::now());                           // full: counted
/// }
///
/// fn speed() -> ! {
///     loop {
///         reckon(EDGES.receive());
///     }
/// }
/// # fn reckon(_: Instant) {}
/// ```
///
/// RTEMS, POSIX and FreeRTOS have no handlers that come between the kernel's own instructions, and nothing like it; Zephyr's
/// zero-latency interrupts are such handlers.
pub struct Mailbox<T, const N: usize> {
    ring: MailboxRing<N>,
    messages: UnsafeCell<[MaybeUninit<T>; N]>,
    entry: Entry,
    receivers: Object<Receivers>,
}

/// Who receives, and what was found in the ring. All zeros while it is new.
pub(crate) struct Receivers {
    waiting: Waiting,
    highest: u32,
}

/// What happened to a mailbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MailboxCounts {
    /// How often tasks waited for a message.
    pub wait: WaitCounts,
    /// The most messages there were.
    pub highest: u32,
    /// Messages that found no place.
    pub dropped: u64,
}

// SAFETY:
// - A message is written masked, into a place that the ring gives to who posts, and read in a kernel step or a kernel handler,
//   out of one that it gives to who takes: by one at a time each, and never the same place.
// - Messages go from one to the other, hence `T: Send`.
unsafe impl<T: Send, const N: usize> Sync for Mailbox<T, N> {}

impl<T, const N: usize> fmt::Debug for Mailbox<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Somebody may post or receive.
        f.debug_struct("Mailbox").finish_non_exhaustive()
    }
}

impl<T, const N: usize> Default for Mailbox<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const N: usize> Mailbox<T, N> {
    /// An empty mailbox.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            ring: MailboxRing::new(),
            messages: UnsafeCell::new([const { MaybeUninit::uninit() }; N]),
            entry: Entry::new(),
            receivers: Object::new(Receivers { waiting: Waiting::new(), highest: 0 }),
        }
    }

    /// Posts a message, if there is a place for it; a task that waits has it once no handler and no kernel step comes before.
    /// Called by direct handlers, which is what it is for. Others may, but interrupts are masked while the message is copied.
    ///
    /// # Errors
    /// [`Full`] with the message, which counts as dropped.
    #[inline(always)]
    pub fn post(&'static self, message: T) -> Result<(), Full<T>>
    where
        T: Send,
    {
        self.receivers.check_home();
        exclusively(|| {
            let posted = self.ring.post(message, |place, message| {
                // SAFETY: the ring gives the place to us alone: masked, nobody else posts.
                unsafe { self.place(place).write(message) };
            });
            match posted {
                Ok(()) => {
                    posted::list(&self.entry, self);
                    Ok(())
                }
                Err(message) => Err(Full { message }),
            }
        })
    }

    /// Receives the first message, or waits for one. Called by tasks.
    #[inline(always)]
    #[must_use = "the message is gone from the mailbox"]
    pub fn receive(&self) -> T {
        self.take_or_wait()
    }

    /// Receives the first message, if there is one. Called by tasks.
    #[inline(always)]
    #[must_use = "the message is gone from the mailbox"]
    pub fn try_receive(&self) -> Option<T> {
        self.take_if_there()
    }

    /// Receives the first message, or waits for one until `deadline` at the most. Called by tasks.
    ///
    /// A message that is posted after the deadline but before the task runs is received all the same.
    ///
    /// # Errors
    /// [`TimedOut`] where there was none by then.
    pub fn receive_until(&self, deadline: Instant) -> Result<T, TimedOut> {
        self.take_or_wait_until(deadline)
    }

    /// How often tasks waited, the most messages there were, and how many found no place. Called by tasks.
    pub fn counts(&self) -> MailboxCounts {
        let step = self.receivers.enter();
        let (wait, highest) = (step.state.waiting.counts(), step.state.highest.max(self.ring.stored()));
        step.go_on();
        MailboxCounts { wait, highest, dropped: self.ring.dropped() }
    }

    #[inline(always)]
    fn place(&self, place: usize) -> *mut T {
        // SAFETY: a place of the ring's is below N.
        unsafe { self.messages.get().cast::<T>().add(place) }
    }

    /// Takes the first message out. `receivers` is this mailbox's: who has it is the one that takes.
    #[inline(always)]
    fn take(&self, receivers: &mut Receivers) -> Option<T> {
        receivers.highest = receivers.highest.max(self.ring.stored());
        // SAFETY: the ring gives the place to us alone, and a message is in it.
        self.ring.take(|place| unsafe { self.place(place).read() })
    }
}

/// What is posted while a task begins to wait has raised an interrupt, which the step holds off.
impl<T, const N: usize> Takes for Mailbox<T, N> {
    type Item = T;
    type State = Receivers;

    #[inline(always)]
    fn object(&self) -> &Object<Receivers> {
        &self.receivers
    }

    #[inline(always)]
    fn take_in<'a>(&self, step: Step<'a, Receivers>) -> Result<T, Step<'a, Receivers>> {
        take_plainly(step, |receivers| self.take(receivers))
    }

    #[inline(always)]
    fn waiting(receivers: &mut Receivers) -> &mut Waiting {
        &mut receivers.waiting
    }
}

impl<T: Send, const N: usize> Listed for Mailbox<T, N> {
    fn hand_out(&self) {
        let mut access = self.receivers.in_handler();
        while Self::hand_one(&mut access, |receivers| self.take(receivers)) {}
    }
}
