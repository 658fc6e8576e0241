// SPDX-License-Identifier: MIT OR Apache-2.0
//! The console: a bounded ring that the least urgent task fills and the PL011's interrupt drains.
//!
//! Nothing prints with interrupts masked, and nothing prints above the least urgent priority. Before the first task
//! runs, and when the system dies, bytes go to the PL011 directly, by polling.

use core::cell::UnsafeCell;
use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};

use heapless::spsc::Queue;
use takt_rpi4::drivers::pl011::{Config, EnableError};
use takt_rpi4::{devices, interrupts};

use crate::event::Event;

/// The ring's size in bytes.
const RING_BYTES: usize = 4_096;

/// How many bytes a transmit interrupt sends. It comes when the FIFO holds an eighth of its 32 bytes (16 in QEMU) at the
/// most, so these fit without asking; and the handler, which keeps other kernel interrupts waiting, stays short.
const BYTES_PER_INTERRUPT: usize = 8;

/// A writer that waits for room sleeps until the ring has this many bytes of it.
const ROOM_TO_WAKE_BYTES: usize = RING_BYTES / 4;

struct Ring(UnsafeCell<Queue<u8, RING_BYTES>>);

// SAFETY: the producer side is used by the one console task, the consumer side by the one handler; the queue is made for
// that. `dying` uses both when nobody else runs any more.
unsafe impl Sync for Ring {}

static RING: Ring = Ring(UnsafeCell::new(Queue::new()));
static ROOM: Event = Event::new();
static WRITER_WAITS: AtomicBool = AtomicBool::new(false);
/// Whether the PL011's transmit interrupt is let through.
static IS_SENDING: AtomicBool = AtomicBool::new(false);

/// The PL011's handler: sends a few bytes and wakes a writer that waits for room.
pub(crate) fn uart0_handler() {
    // SAFETY: the one consumer.
    let ring = unsafe { &mut *RING.0.get() };
    let mut uart = devices::uart0();
    for _ in 0..BYTES_PER_INTERRUPT {
        match ring.dequeue() {
            Some(byte) => uart.put(byte),
            None => {
                // Not withdrawn but masked: the request stands as long as the FIFO is nearly empty, so unmasking it is
                // all that the next byte takes.
                uart.disable_transmit_interrupt();
                IS_SENDING.store(false, Ordering::Relaxed);
                break;
            }
        }
    }
    let room = RING_BYTES.saturating_sub(1).saturating_sub(ring.len());
    if room >= ROOM_TO_WAKE_BYTES && WRITER_WAITS.swap(false, Ordering::Relaxed) {
        ROOM.set_from_handler();
    }
}

/// Where the least urgent task writes: waits for room, loses nothing. One task holds it.
#[derive(Debug)]
pub struct Console {
    not_shared: core::marker::PhantomData<*const ()>,
}

static IS_TAKEN: AtomicBool = AtomicBool::new(false);

impl Console {
    /// The console; `None` where somebody has it already.
    pub fn take() -> Option<Self> {
        if IS_TAKEN.swap(true, Ordering::Relaxed) { None } else { Some(Self { not_shared: core::marker::PhantomData }) }
    }

    /// Writes `bytes`, waiting for room as often as it takes. Called by the task that holds the console.
    pub fn write_bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            // SAFETY: the one producer.
            while unsafe { &mut *RING.0.get() }.enqueue(byte).is_err() {
                WRITER_WAITS.store(true, Ordering::Relaxed);
                start_sending();
                ROOM.wait();
            }
        }
        start_sending();
    }

    /// Waits until everything written has left the board.
    pub fn flush(&mut self) {
        // SAFETY: the producer may ask for the length.
        while !unsafe { &*RING.0.get() }.is_empty() || devices::uart0().is_busy() {
            crate::yield_turn();
            interrupts::yield_hint();
        }
    }
}

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for line in text.split_inclusive('\n') {
            match line.strip_suffix('\n') {
                Some(line) => {
                    self.write_bytes(line.as_bytes());
                    self.write_bytes(b"\n");
                }
                None => self.write_bytes(line.as_bytes()),
            }
        }
        Ok(())
    }
}

fn start_sending() {
    interrupts::mask();
    if !IS_SENDING.swap(true, Ordering::Relaxed) {
        devices::uart0().enable_transmit_interrupt();
    }
    // SAFETY: the flag and the register agree again; a task calls this, unmasked.
    unsafe { interrupts::unmask() };
}

/// Sets the PL011 up and prints the first line, with interrupts masked, before the first task runs.
///
/// The line does more than greet: the transmit request first stands when the FIFO has been fuller than its level and
/// falls through it, so something has to be sent before the interrupt can be counted on [HW 5.1].
pub(crate) fn enable(clock_hz: u32) -> Result<(), EnableError> {
    devices::uart0().enable(&Config::default(), clock_hz)?;
    let _ = fmt::Write::write_str(&mut Polled, concat!("# takt ", env!("CARGO_PKG_VERSION"), "\n"));
    Ok(())
}

/// Writes by polling: before the first task runs, or when the system dies.
pub(crate) struct Polled;

impl Polled {
    /// A polled writer for the end: first sends what the ring still holds.
    pub(crate) fn dying() -> Self {
        let mut polled = Self;
        // SAFETY: interrupts are masked for good and nothing else runs on this core any more.
        let ring = unsafe { &mut *RING.0.get() };
        while let Some(byte) = ring.dequeue() {
            polled.put(byte);
        }
        polled
    }

    fn put(&mut self, byte: u8) {
        let mut uart = devices::uart0();
        if is_patient(|| !uart.has_room()) {
            uart.put(byte);
        }
    }

    /// Waits until the last byte has left.
    pub(crate) fn flush(&self) {
        is_patient(|| devices::uart0().is_busy());
    }
}

/// How often a polled writer asks before it gives up: 50 ms or more at the least time that a read takes [HW 4.5], where a
/// byte takes 0.1 ms at 115200 baud. An end must come even where the PL011 is off and its FIFO full.
const POLLS: u32 = 1_000_000;

/// Whether `is_waiting` came to an end.
fn is_patient(is_waiting: impl Fn() -> bool) -> bool {
    (0..POLLS).any(|_| {
        interrupts::yield_hint();
        !is_waiting()
    })
}

impl fmt::Write for Polled {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.put(byte);
        }
        Ok(())
    }
}
