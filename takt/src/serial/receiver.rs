// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receive side of a serial interface: a bounded ring that the handler fills and one task empties.

use core::cell::UnsafeCell;
use core::convert::Infallible;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use heapless::spsc::Queue;
use takt_kernel::time::Instant;

use super::counts::{Counters, ReceiveCounts, ReceiveError};
use super::line::Line;
use crate::clock;
use crate::event::{Event, TimedOut};

/// How many bytes a receive interrupt takes at the most: the handler, which keeps other kernel interrupts waiting, stays
/// short. The request stands while there are more.
const BYTES_PER_INTERRUPT: usize = 8;

/// A ring of `BYTES - 1` received bytes.
pub(crate) struct Receiver<const BYTES: usize> {
    ring: UnsafeCell<Queue<u8, BYTES>>,
    /// Set when a byte has come while the reader waits, and by others that want it to look at something.
    pub(crate) came: Event,
    reader_waits: AtomicBool,
    counters: Counters,
    /// When the handler last took bytes, in half ticks.
    stamp: AtomicU64,
}

// SAFETY: the producer side of the ring is used by the one handler, the consumer side by the one task that holds the
// interface; the queue is made for that.
unsafe impl<const BYTES: usize> Sync for Receiver<BYTES> {}

impl<const BYTES: usize> Receiver<BYTES> {
    pub(crate) const fn new() -> Self {
        Self {
            ring: UnsafeCell::new(Queue::new()),
            came: Event::new(),
            reader_waits: AtomicBool::new(false),
            counters: Counters::new(),
            stamp: AtomicU64::new(0),
        }
    }

    /// Takes what has come, up to a few bytes, and wakes the reader. Called by the one handler.
    #[inline(always)]
    pub(crate) fn serve(&self, line: &mut impl Line) {
        let stamp = clock::now();
        // SAFETY: the one producer.
        let ring = unsafe { &mut *self.ring.get() };
        let mut has_come = false;
        for _ in 0..BYTES_PER_INTERRUPT {
            match line.take() {
                Some(Ok(byte)) if ring.enqueue(byte).is_ok() => has_come = true,
                Some(Ok(_)) => self.count(ReceiveError::NoRoom),
                Some(Err(error)) => self.count(error),
                None => break,
            }
        }
        if has_come {
            self.stamp.store(stamp.half_ticks(), Ordering::Relaxed);
            if self.reader_waits.swap(false, Ordering::Relaxed) {
                self.came.set_from_handler();
            }
        }
    }

    /// Counts what went wrong. Called by the one handler.
    pub(crate) fn count(&self, error: ReceiveError) {
        self.counters.count(error);
    }

    /// The oldest byte that has come, if one has. Called by the one task that holds the interface.
    pub(crate) fn try_take(&self) -> Option<u8> {
        // SAFETY: the one consumer.
        unsafe { &mut *self.ring.get() }.dequeue()
    }

    /// The oldest byte; waits for it. Called as [`Self::try_take`].
    pub(crate) fn take(&self) -> u8 {
        let Ok(byte) = self.take_by(|came| {
            came.wait();
            Ok::<(), Infallible>(())
        });
        byte
    }

    /// The oldest byte; waits for it until `deadline`. Called as [`Self::try_take`].
    pub(crate) fn take_until(&self, deadline: Instant) -> Result<u8, TimedOut> {
        self.take_by(|came| came.wait_until(deadline))
    }

    /// Waits until a byte has come that was not taken, or somebody else has set the event. Called as [`Self::try_take`].
    pub(crate) fn wait_by<E>(&self, wait: impl Fn(&Event) -> Result<(), E>) -> Result<(), E> {
        self.reader_waits.store(true, Ordering::Relaxed);
        // A byte that came before the flag was up did not set the event. One that comes from here on does.
        if self.is_empty() { wait(&self.came) } else { Ok(()) }
    }

    fn take_by<E>(&self, wait: impl Fn(&Event) -> Result<(), E>) -> Result<u8, E> {
        loop {
            if let Some(byte) = self.try_take() {
                return Ok(byte);
            }
            self.wait_by(&wait)?;
        }
    }

    /// Whether no byte has come that was not taken. Called as [`Self::try_take`].
    pub(crate) fn is_empty(&self) -> bool {
        // SAFETY: the consumer may ask for the length.
        unsafe { &*self.ring.get() }.is_empty()
    }

    /// What went wrong so far.
    pub(crate) fn counts(&self) -> ReceiveCounts {
        self.counters.read()
    }

    /// The first statement of the handler that took the youngest byte; zero before the first.
    pub(crate) fn stamp(&self) -> Instant {
        Instant::from_half_ticks(self.stamp.load(Ordering::Relaxed))
    }
}
