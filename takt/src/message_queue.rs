// SPDX-License-Identifier: MIT OR Apache-2.0
//! A queue of messages between tasks, and from kernel handlers to tasks.

mod refusal;

use core::mem::MaybeUninit;

use takt_kernel::objects::message_queue::{self, MessageQueueCounts, Place, Received, Sent};
use takt_kernel::objects::waiting::Waiting;
use takt_kernel::time::Instant;

pub use refusal::{Full, SendTimedOut};

use crate::core_state::CoreState;
use crate::event::TimedOut;
use crate::object::{Object, Step};
use crate::slot::Slot;
use crate::takes::Takes;

/// Up to `N` messages, in the order in which they were sent. Who receives from an empty queue waits, and who sends to a full
/// one: the most urgent first, and among equals the one that has waited longest. A message that a task waits for goes to that
/// task directly, and a place that falls free to a task that waits to send: nobody who is woken finds nothing, and nobody
/// comes between.
///
/// A message is moved, byte by byte, and belongs to its receiver then. It is copied in a kernel step: kernel handlers wait
/// for the copy, other tasks too. Of what is larger than a few words, rather send the number of a buffer.
///
/// ```no_run
/// use takt::clock;
/// use takt::kernel::time::Instant;
/// use takt::prelude::*;
///
/// #[derive(Clone, Copy)]
/// struct Sample {
///     at: Instant,
///     volts: u32,
/// }
///
/// static SAMPLES: MessageQueue<Sample, 64> = MessageQueue::new();
///
/// fn sampler(mut period: Periodic) -> ! {
///     loop {
///         let release = period.wait();
///         let _ = SAMPLES.try_send(Sample { at: release.start(), volts: read() });   // full: counted, and the next may fit
///     }
/// }
///
/// fn logger() -> ! {
///     loop {
///         match SAMPLES.receive_until(clock::from_now(millis(100))) {
///             Ok(sample) => write(sample),
///             Err(TimedOut { .. }) => note_the_silence(),
///         }
///     }
/// }
/// # fn read() -> u32 { 0 }
/// # fn write(_: Sample) {}
/// # fn note_the_silence() {}
/// ```
///
/// RTEMS: `rtems_message_queue`; POSIX: `mqd_t`, without priorities of messages; FreeRTOS: `xQueueCreate`.
#[derive(Debug)]
pub struct MessageQueue<T, const N: usize>(Object<Contents<T, N>>);

/// What the queue knows, and the messages: those in the places that it says are taken.
#[repr(C)]
pub(crate) struct Contents<T, const N: usize> {
    queue: message_queue::MessageQueue<N>,
    messages: [MaybeUninit<T>; N],
}

impl<T, const N: usize> core::fmt::Debug for Contents<T, N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.queue.fmt(f)
    }
}

/// What became of a message.
enum Put<T> {
    /// It has a place.
    Stored,
    /// A task has it, which is ready.
    Handed,
    /// It found no place.
    Refused(T),
}

impl<T, const N: usize> Contents<T, N> {
    #[inline(always)]
    fn place(&mut self, place: Place) -> *mut T {
        // SAFETY: a place of the queue's is below N.
        unsafe { self.messages.as_mut_ptr().add(place.index()) }.cast()
    }

    /// Brings a message to where it was sent.
    #[inline(always)]
    fn put(&mut self, core: &mut CoreState, sent: Sent, message: T) -> Put<T> {
        match sent {
            Sent::Into(place) => {
                // SAFETY: the place is one of ours, and free.
                unsafe { self.place(place).write(message) };
                Put::Stored
            }
            Sent::To(task) => {
                // SAFETY: who waits to receive waits with an empty slot.
                unsafe { core.hand_to(task, message) };
                core.note_wake(task);
                Put::Handed
            }
            Sent::Nowhere => Put::Refused(message),
        }
    }
}

impl<T, const N: usize> Default for MessageQueue<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const N: usize> MessageQueue<T, N> {
    /// An empty queue.
    #[must_use]
    pub const fn new() -> Self {
        let messages = [const { MaybeUninit::uninit() }; N];
        Self(Object::new(Contents { queue: message_queue::MessageQueue::new(), messages }))
    }

    /// Sends a message, and waits while the queue is full. A receiver that is more urgent than the caller runs at once. Called
    /// by tasks.
    #[inline(always)]
    pub fn send(&self, message: T) {
        if let Err((step, message)) = self.send_in_a_step(message) {
            Self::wait_to_send(step, message);
        }
    }

    /// Sends a message, if there is a place for it. Called by tasks.
    ///
    /// # Errors
    /// [`Full`] with the message, which counts as dropped.
    #[inline(always)]
    pub fn try_send(&self, message: T) -> Result<(), Full<T>> {
        self.send_in_a_step(message).map_err(|(step, message)| Self::refuse(step, message))
    }

    /// Sends a message, and waits until `deadline` at the most while the queue is full. Called by tasks.
    ///
    /// # Errors
    /// [`SendTimedOut`] with the message, where there was no place by then.
    pub fn send_until(&self, message: T, deadline: Instant) -> Result<(), SendTimedOut<T>> {
        let Err((step, message)) = self.send_in_a_step(message) else { return Ok(()) };
        let slot = Slot::with(message);
        let wait = step.state.queue.senders().wait(&mut step.core.executive, Some(deadline));
        step.core.wait_with(&slot);
        step.core.carry_out(wait);
        drop(step);
        let step = self.0.enter();
        let has_given_up = step.state.queue.senders().has_given_up(&mut step.core.executive);
        step.go_on();
        if has_given_up {
            // SAFETY: nobody has fetched it.
            return Err(SendTimedOut { message: unsafe { slot.into_message() }, deadline });
        }
        Ok(())
    }

    /// Sends a message before all others, if there is a place for it: it never waits. Called by tasks.
    ///
    /// # Errors
    /// [`Full`] with the message, which counts as dropped.
    pub fn try_send_urgent(&self, message: T) -> Result<(), Full<T>> {
        let step = self.0.enter();
        let sent = step.state.queue.send_urgent(&mut step.core.executive);
        Self::end_sending(step, sent, message).map_err(|(step, message)| Self::refuse(step, message))
    }

    /// As [`Self::try_send`]; a receiver runs when the handler has ended. Called by kernel handlers.
    ///
    /// # Errors
    /// [`Full`] with the message, which counts as dropped.
    #[inline(always)]
    pub fn try_send_from_handler(&self, message: T) -> Result<(), Full<T>> {
        let access = self.0.in_handler();
        let sent = access.state.queue.send(&mut access.core.executive);
        match access.state.put(access.core, sent, message) {
            Put::Stored | Put::Handed => Ok(()),
            Put::Refused(message) => {
                access.state.queue.note_dropped();
                Err(Full { message })
            }
        }
    }

    /// Hands a copy to every task that waits to receive, none of which need be one, and answers how many there were. A message
    /// that nobody waits for is gone. One kernel step: kernel handlers wait for all copies. Called by tasks.
    pub fn broadcast(&self, message: T) -> usize
    where
        T: Copy,
    {
        let step = self.0.enter();
        let mut receivers = 0_usize;
        while let Some(task) = step.state.queue.receivers().wake_one(&mut step.core.executive) {
            // SAFETY: who waits to receive waits with an empty slot.
            unsafe { step.core.hand_to(task, message) };
            step.core.note_wake(task);
            receivers = receivers.wrapping_add(1);
        }
        receivers
    }

    /// Receives the first message, or waits for one. Called by tasks.
    #[inline(always)]
    #[must_use = "the message is gone from the queue"]
    pub fn receive(&self) -> T {
        self.take_or_wait()
    }

    /// Receives the first message, if there is one. Called by tasks.
    #[inline(always)]
    #[must_use = "the message is gone from the queue"]
    pub fn try_receive(&self) -> Option<T> {
        self.take_if_there()
    }

    /// Receives the first message, or waits for one until `deadline` at the most. Called by tasks.
    ///
    /// A message that is sent after the deadline but before the task runs is received all the same.
    ///
    /// # Errors
    /// [`TimedOut`] where there was none by then.
    pub fn receive_until(&self, deadline: Instant) -> Result<T, TimedOut> {
        self.take_or_wait_until(deadline)
    }

    /// Throws away as many messages as there are, and answers how many those were. Tasks that wait to send have their places
    /// then. Called by tasks; one message at a time, so a more urgent task may come between.
    pub fn flush(&self) -> usize {
        let there = self.len();
        (0..there).take_while(|_| self.try_receive().is_some()).count()
    }

    /// How many messages there are. Called by tasks.
    pub fn len(&self) -> usize {
        self.0.briefly(|contents| contents.queue.stored()) as usize
    }

    /// Whether there is none. Called by tasks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How often tasks waited, the most messages there were, and how many found no place. Called by tasks.
    pub fn counts(&self) -> MessageQueueCounts {
        let step = self.0.enter();
        let counts = step.state.queue.counts();
        step.go_on();
        counts
    }

    /// Sends; where there is no place the step goes on, with the message.
    #[inline(always)]
    fn send_in_a_step(&self, message: T) -> Result<(), (Step<'_, Contents<T, N>>, T)> {
        let step = self.0.enter();
        let sent = step.state.queue.send(&mut step.core.executive);
        Self::end_sending(step, sent, message)
    }

    #[inline(always)]
    fn end_sending(
        step: Step<'_, Contents<T, N>>,
        sent: Sent,
        message: T,
    ) -> Result<(), (Step<'_, Contents<T, N>>, T)> {
        match step.state.put(step.core, sent, message) {
            Put::Stored => step.go_on(),
            Put::Handed => drop(step),
            Put::Refused(message) => return Err((step, message)),
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn wait_to_send(step: Step<'_, Contents<T, N>>, message: T) {
        let slot = Slot::with(message);
        let wait = step.state.queue.senders().wait(&mut step.core.executive, None);
        step.core.wait_with(&slot);
        step.core.carry_out(wait);
        // Here it waits; then the message has been fetched.
        drop(step);
    }

    #[cold]
    fn refuse(step: Step<'_, Contents<T, N>>, message: T) -> Full<T> {
        step.state.queue.note_dropped();
        step.go_on();
        Full { message }
    }
}

impl<T, const N: usize> Takes for MessageQueue<T, N> {
    type Item = T;
    type State = Contents<T, N>;

    #[inline(always)]
    fn object(&self) -> &Object<Self::State> {
        &self.0
    }

    #[inline(always)]
    fn take_in<'a>(&self, step: Step<'a, Self::State>) -> Result<T, Step<'a, Self::State>> {
        let Some(Received { from, sender }) = step.state.queue.receive(&mut step.core.executive) else {
            return Err(step);
        };
        // SAFETY: the place is one of ours, and has a message that nobody else receives.
        let message = unsafe { step.state.place(from).read() };
        match sender {
            None => step.go_on(),
            Some(task) => {
                // SAFETY: who waits to send waits with its message.
                let next = unsafe { step.core.fetch_from(task) };
                // SAFETY: the message is out.
                unsafe { step.state.place(from).write(next) };
                step.core.note_wake(task);
                drop(step);
            }
        }
        Ok(message)
    }

    #[inline(always)]
    fn waiting(contents: &mut Self::State) -> &mut Waiting {
        contents.queue.receivers()
    }
}
