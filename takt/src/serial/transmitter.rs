// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transmit side of a serial interface: a bounded ring that one task fills and the handler drains.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use heapless::spsc::Queue;
use takt_kernel::time::Instant;
use takt_rpi4::interrupts;

use super::line::Line;
use crate::clock;
use crate::event::Event;
use crate::exclusive::device_exclusively;

/// How many bytes a transmit interrupt sends. It comes when the FIFO of a PL011 holds an eighth of its 32 bytes (16 in
/// QEMU) at the most, and that of the mini UART none of its 8, so these fit without asking; and the handler, which keeps
/// other kernel interrupts waiting, stays short.
const BYTES_PER_INTERRUPT: usize = 8;

/// When a task last asked for something to be sent, through whichever interface, in half ticks.
static STARTED_AT_HALF_TICKS: AtomicU64 = AtomicU64::new(0);

/// When a task last asked for something to be sent, through whichever interface.
pub(crate) fn started_at() -> Instant {
    Instant::from_half_ticks(STARTED_AT_HALF_TICKS.load(Ordering::Relaxed))
}

/// A ring of `BYTES - 1` bytes to be sent.
pub(crate) struct Transmitter<const BYTES: usize> {
    ring: UnsafeCell<Queue<u8, BYTES>>,
    room: Event,
    writer_waits: AtomicBool,
    /// Whether the transmit interrupt is let through.
    is_sending: AtomicBool,
}

// SAFETY: the producer side of the ring is used by the one task that holds the interface, the consumer side by the one
// handler; the queue is made for that. `dying_bytes` uses both when nobody else runs any more.
unsafe impl<const BYTES: usize> Sync for Transmitter<BYTES> {}

impl<const BYTES: usize> Transmitter<BYTES> {
    /// A writer that waits for room sleeps until the ring has this many bytes of it.
    const ROOM_TO_WAKE_BYTES: usize = BYTES / 4;

    pub(crate) const fn new() -> Self {
        Self {
            ring: UnsafeCell::new(Queue::new()),
            room: Event::new(),
            writer_waits: AtomicBool::new(false),
            is_sending: AtomicBool::new(false),
        }
    }

    /// Sends a few bytes and wakes a writer that waits for room. Called by the one handler, when the FIFO wants bytes.
    #[inline(always)]
    pub(crate) fn serve(&self, line: &mut impl Line) {
        self.serve_next(line, Queue::dequeue);
    }

    /// The same, with the bytes that `next` gives, out of the ring or of elsewhere.
    #[inline(always)]
    pub(crate) fn serve_next(&self, line: &mut impl Line, next: impl Fn(&mut Queue<u8, BYTES>) -> Option<u8>) {
        // SAFETY: the one consumer.
        let ring = unsafe { &mut *self.ring.get() };
        for _ in 0..BYTES_PER_INTERRUPT {
            match next(ring) {
                Some(byte) => line.put(byte),
                None => {
                    // Not withdrawn but masked: the request stands as long as the FIFO is nearly empty, so unmasking it
                    // is all that the next byte takes.
                    line.let_transmit_through(false);
                    self.is_sending.store(false, Ordering::Relaxed);
                    break;
                }
            }
        }
        let room = BYTES.saturating_sub(1).saturating_sub(ring.len());
        if room >= Self::ROOM_TO_WAKE_BYTES && self.writer_waits.swap(false, Ordering::Relaxed) {
            self.room.set_from_handler();
        }
    }

    /// Puts `bytes` into the ring, waiting for room as often as it takes. Called by the one task that holds the interface,
    /// where the transmit request stands or will.
    pub(crate) fn write(&self, bytes: &[u8], line: &mut impl Line) {
        for &byte in bytes {
            // SAFETY: the one producer.
            while unsafe { &mut *self.ring.get() }.enqueue(byte).is_err() {
                self.writer_waits.store(true, Ordering::Relaxed);
                self.start_sending(line);
                self.room.wait();
            }
        }
        self.start_sending(line);
    }

    /// Lets the handler ask for bytes. Called by tasks.
    pub(crate) fn start_sending(&self, line: &mut impl Line) {
        STARTED_AT_HALF_TICKS.store(clock::now().half_ticks(), Ordering::Relaxed);
        device_exclusively("a serial interface is written to", || {
            if !self.is_sending.swap(true, Ordering::Relaxed) {
                line.let_transmit_through(true);
            }
        });
    }

    /// Puts as many of `bytes` into the FIFO as go in, provided that nothing waits before them, and answers how many. Called
    /// as [`Self::write`].
    ///
    /// The FIFO is full where not all went in: it will fall through its level, which is what makes the request stand.
    pub(crate) fn write_directly(&self, bytes: &[u8], line: &mut impl Line) -> usize {
        // While the interrupt is kept back, the handler does not send, and the ring is empty: it was when it was masked.
        if self.is_sending() {
            return 0;
        }
        let mut sent = 0_usize;
        for &byte in bytes {
            if !line.has_room() {
                break;
            }
            line.put(byte);
            sent = sent.saturating_add(1);
        }
        sent
    }

    /// Whether the transmit interrupt is let through.
    pub(crate) fn is_sending(&self) -> bool {
        self.is_sending.load(Ordering::Relaxed)
    }

    /// Whether the ring takes a byte. Called as [`Self::write`].
    pub(crate) fn has_room(&self) -> bool {
        // SAFETY: the producer may ask.
        !unsafe { &*self.ring.get() }.is_full()
    }

    /// Waits until everything written has left the board. Called as [`Self::write`].
    pub(crate) fn flush(&self, line: &mut impl Line) {
        // SAFETY: the producer may ask for the length.
        while !unsafe { &*self.ring.get() }.is_empty() || line.is_busy() {
            crate::yield_turn();
            interrupts::yield_hint();
        }
    }

    /// What is still to be sent, in order, as `next` gives it: see [`Self::serve_next`].
    ///
    /// # Safety
    /// Interrupts are masked for good and nothing else runs on this core any more.
    pub(crate) unsafe fn dying_bytes(
        &self,
        next: impl Fn(&mut Queue<u8, BYTES>) -> Option<u8>,
    ) -> impl Iterator<Item = u8> {
        // SAFETY: the caller's.
        let ring = unsafe { &mut *self.ring.get() };
        core::iter::from_fn(move || next(ring))
    }
}
