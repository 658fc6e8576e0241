// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages between cores: a bounded lane from each core to one.

use core::cell::UnsafeCell;
use core::fmt;
use core::mem::MaybeUninit;

use takt_kernel::objects::WaitCounts;
use takt_kernel::objects::mailbox::MailboxRing;
use takt_kernel::objects::waiting::Waiting;
use takt_kernel::time::Instant;
use takt_rpi4::cores::{self, CORES};

use crate::event::TimedOut;
use crate::exclusive::exclusively;
use crate::message_queue::Full;
use crate::object::{Object, Step};
use crate::remote::inbox::tell;
use crate::remote::{Delivered, Line, PerSender, Port};
use crate::table::port::PortLine;
use crate::takes::{Takes, take_plainly};

/// Messages from any core to the tasks of core `CORE`, 0 to 3: a lane of `N` places, a power of two, from each core. Those of
/// one core come in the order in which it sent them; between cores the lanes have their turns. Who receives where there is none
/// waits: the most urgent first, and among equals the one that has waited longest.
///
/// It stands in the table as a line, by [`Self::port`].
///
/// ```no_run
/// use takt::prelude::*;
///
/// static SAMPLES: Lanes<u32, 64, 1> = Lanes::new();
///
/// takt::tasks! {
///     samples: SAMPLES.port(),
///     sampler: Task::periodic(sampler).core(2).priority(10).period(micros(250)).remote_sends(1),
///     filter: Task::background(filter).core(1).priority(20),
/// }
///
/// fn sampler(mut period: Periodic) -> ! {
///     loop {
///         period.wait();
///         if SAMPLES.send(sample()).is_err() {
///             // The filter is 64 samples behind: this one is counted as dropped.
///         }
///     }
/// }
///
/// fn filter() -> ! {
///     loop {
///         work_on(SAMPLES.receive());
///     }
/// }
/// # fn sample() -> u32 { 0 }
/// # fn work_on(_: u32) {}
/// ```
///
/// RTEMS: `rtems_message_queue` with `RTEMS_GLOBAL`; POSIX: `mq_send`; FreeRTOS: a message buffer between cores.
pub struct Lanes<T, const N: usize, const CORE: u8> {
    lanes: [PerSender<Lane<T, N>>; CORES],
    receivers: Object<Receivers>,
    line: Line,
}

/// From one core.
struct Lane<T, const N: usize> {
    ring: MailboxRing<N>,
    messages: UnsafeCell<[MaybeUninit<T>; N]>,
}

/// Who receives. All zeros while it is new.
pub(crate) struct Receivers {
    waiting: Waiting,
    /// The lane that has its turn.
    turn: usize,
}

/// What happened to messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneCounts {
    /// How often tasks waited for a message.
    pub wait: WaitCounts,
    /// Messages of each core that found no place.
    pub dropped: [u64; CORES],
}

// SAFETY:
// - A message is written masked, by the one core whose lane it is, into a place that the ring gives to who sends, and read in a
//   kernel step or a kernel handler of core `CORE`, out of one that it gives to who takes: never the same place.
// - Messages go from one core to the other, hence `T: Send`.
unsafe impl<T: Send, const N: usize, const CORE: u8> Sync for Lanes<T, N, CORE> {}

impl<T, const N: usize, const CORE: u8> fmt::Debug for Lanes<T, N, CORE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lanes").field("core", &CORE).finish_non_exhaustive()
    }
}

impl<T, const N: usize, const CORE: u8> Default for Lanes<T, N, CORE> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const N: usize> Lane<T, N> {
    const fn new() -> Self {
        Self { ring: MailboxRing::new(), messages: UnsafeCell::new([const { MaybeUninit::uninit() }; N]) }
    }

    #[inline(always)]
    fn place(&self, place: usize) -> *mut T {
        // SAFETY: a place of the ring's is below N.
        unsafe { self.messages.get().cast::<T>().add(place) }
    }
}

impl<T, const N: usize, const CORE: u8> Lanes<T, N, CORE> {
    /// Empty lanes.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!((CORE as usize) < CORES, "takt: the core of Lanes is 0 to 3") };
        Self {
            lanes: [const { PerSender(Lane::new()) }; CORES],
            receivers: Object::new(Receivers { waiting: Waiting::new(), turn: 0 }),
            line: Line::new(),
        }
    }

    /// The line of the table that makes the lanes known.
    pub const fn port(&'static self) -> PortLine
    where
        T: Send,
    {
        PortLine::new(CORE, self)
    }

    /// Sends a message, if this core's lane has a place for it; a task that waits has it when core `CORE` has heard of it.
    /// Interrupts are masked while the message is copied. Anyone may call this, on any core.
    ///
    /// # Errors
    /// [`Full`] with the message, which counts as dropped.
    #[inline(always)]
    pub fn send(&self, message: T) -> Result<(), Full<T>>
    where
        T: Send,
    {
        exclusively(|| {
            let Some(PerSender(lane)) = self.lanes.get(cores::this_core()) else { return Err(Full { message }) };
            let sent = lane.ring.post(message, |place, message| {
                // SAFETY: the ring gives the place to us alone: masked, nobody else of this core sends.
                unsafe { lane.place(place).write(message) };
            });
            match sent {
                Ok(()) => {
                    tell(CORE as usize, self.line.bit());
                    Ok(())
                }
                Err(message) => Err(Full { message }),
            }
        })
    }

    /// Receives a message, or waits for one. Called by tasks of core `CORE`.
    #[inline(always)]
    #[must_use = "the message is gone from its lane"]
    pub fn receive(&self) -> T {
        self.take_or_wait()
    }

    /// Receives a message, if there is one. Called by tasks of core `CORE`.
    #[inline(always)]
    #[must_use = "the message is gone from its lane"]
    pub fn try_receive(&self) -> Option<T> {
        self.take_if_there()
    }

    /// Receives a message, or waits for one until `deadline` at the most. Called by tasks of core `CORE`.
    ///
    /// # Errors
    /// [`TimedOut`] where there was none by then.
    pub fn receive_until(&self, deadline: Instant) -> Result<T, TimedOut> {
        self.take_or_wait_until(deadline)
    }

    /// How often tasks waited, and how many messages found no place. Called by tasks of core `CORE`.
    pub fn counts(&self) -> LaneCounts {
        let step = self.receivers.enter();
        let wait = step.state.waiting.counts();
        step.go_on();
        LaneCounts { wait, dropped: self.lanes.each_ref().map(|PerSender(lane)| lane.ring.dropped()) }
    }

    /// Takes the first message of the lane that has its turn, or of the next that has one. `receivers` is these lanes': who has
    /// it is the one that takes.
    #[inline(always)]
    fn take(&self, receivers: &mut Receivers) -> Option<T> {
        for _ in 0..CORES {
            let turn = receivers.turn;
            receivers.turn = turn.wrapping_add(1) % CORES;
            if let Some(PerSender(lane)) = self.lanes.get(turn)
                // SAFETY: the ring gives the place to us alone, and a message is in it.
                && let Some(message) = lane.ring.take(|place| unsafe { lane.place(place).read() })
            {
                return Some(message);
            }
        }
        None
    }
}

/// What is sent while a task begins to wait has raised an interrupt, which the step holds off.
impl<T, const N: usize, const CORE: u8> Takes for Lanes<T, N, CORE> {
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

impl<T: Send, const N: usize, const CORE: u8> Port for Lanes<T, N, CORE> {
    fn admit(&self, number: usize) -> bool {
        self.line.admit(number)
    }

    /// Hands messages, whoever sent them, to tasks that wait: what nobody waits for stays in its lane.
    fn deliver(&self, _sender: usize, most: u32) -> Delivered {
        let mut access = self.receivers.in_handler();
        let mut letters = 0;
        while letters < most && Self::hand_one(&mut access, |receivers| self.take(receivers)) {
            letters = letters.saturating_add(1);
        }
        Delivered { letters, are_more: letters == most && !access.state.waiting.is_empty() }
    }
}
