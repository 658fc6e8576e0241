// SPDX-License-Identifier: MIT OR Apache-2.0
//! The console: the PL011's interrupt drains a bounded ring that the least urgent task fills, and fills one that it
//! reads.
//!
//! Nothing prints with interrupts masked, and nothing prints above the least urgent priority. Before the first task
//! runs, and when the system dies, bytes go to the PL011 directly, by polling.

mod beside;

use core::convert::Infallible;
use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicBool, Ordering};

use takt_kernel::time::Instant;
use takt_rpi4::drivers::pl011::{Config, EnableError};
use takt_rpi4::{devices, interrupts};

use beside::Beside;
pub use beside::{LinesBeside, NotWritten};

use crate::event::{Event, TimedOut};
use crate::exclusive::device_exclusively;
use crate::serial::receiver::Receiver;
use crate::serial::transmitter::Transmitter;
use crate::serial::{ReceiveCounts, serve_requests};

/// The size of the ring for what is printed, in bytes.
const PRINTED_BYTES: usize = 4_096;
/// The size of the ring for what was received, in bytes: a line that is typed, and a short script that is pasted.
const RECEIVED_BYTES: usize = 1_024;

static PRINTED: Transmitter<PRINTED_BYTES> = Transmitter::new();
static BESIDE: Beside = Beside::new();
static RECEIVED: Receiver<RECEIVED_BYTES> = Receiver::new();

/// The PL011's part in the handler of the line that it shares with UART2 to UART5.
#[inline(always)]
pub(crate) fn serve() {
    serve_requests(&mut devices::uart0(), &RECEIVED, |uart| PRINTED.serve_next(uart, |ring| BESIDE.next_byte(ring)));
}

/// Set by whoever wants the task that waits for input to look at something else: [`Console::wait`] returns. Tasks of other cores
/// have a [`Remote`](crate::Remote) to it.
pub const fn activity() -> &'static Event {
    &RECEIVED.came
}

/// Where the least urgent task writes and reads: writing waits for room and loses nothing. One task holds it.
///
/// ```no_run
/// use core::fmt::Write;
/// use takt::console::Console;
///
/// fn logger() -> ! {
///     let mut console = Console::take();
///     loop {
///         if let Some(console) = &mut console {
///             let _ = writeln!(console, "still here");
///         }
///         # takt::sleep_for(takt::clock::millis(1_000));
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Console {
    /// What went wrong with input and was told by `embedded_io`.
    pub(crate) told: ReceiveCounts,
    not_shared: PhantomData<*const ()>,
}

static IS_TAKEN: AtomicBool = AtomicBool::new(false);

impl Console {
    /// The console; `None` where somebody has it already. From here on input is received. Called by tasks.
    pub fn take() -> Option<Self> {
        if IS_TAKEN.swap(true, Ordering::Relaxed) {
            return None;
        }
        device_exclusively("the console is taken", || devices::uart0().enable_receive_interrupts());
        Some(Self { told: ReceiveCounts::default(), not_shared: PhantomData })
    }

    /// Writes `bytes`, waiting for room as often as it takes. Called by the task that holds the console.
    pub fn write_bytes(&mut self, bytes: &[u8]) {
        PRINTED.write(bytes, &mut devices::uart0());
    }

    /// Waits until everything written has left the board.
    pub fn flush(&mut self) {
        PRINTED.flush(&mut devices::uart0());
    }

    /// The next byte of the input; waits for it, for ever if need be. Called by the task that holds the console.
    pub fn read_byte(&mut self) -> u8 {
        RECEIVED.take()
    }

    /// The next byte of the input; waits for it until `deadline`. Called by the task that holds the console.
    ///
    /// # Errors
    /// [`TimedOut`] where none has come.
    pub fn read_byte_until(&mut self, deadline: Instant) -> Result<u8, TimedOut> {
        RECEIVED.take_until(deadline)
    }

    /// Waits until a byte has come that was not read, or [`activity`] was set; it may return without either. Called by the task
    /// that holds the console.
    pub fn wait(&mut self) {
        let Ok(()) = RECEIVED.wait_by(|came| {
            came.wait();
            Ok::<(), Infallible>(())
        });
    }

    /// As [`Self::wait`], until `deadline` at the most.
    ///
    /// # Errors
    /// [`TimedOut`] where neither has happened.
    pub fn wait_until(&mut self, deadline: Instant) -> Result<(), TimedOut> {
        RECEIVED.wait_by(|came| came.wait_until(deadline))
    }

    /// The next byte of the input, if one has come. Called by the task that holds the console.
    pub fn try_read_byte(&mut self) -> Option<u8> {
        RECEIVED.try_take()
    }

    /// Whether a byte has come that was not read. Called by the task that holds the console.
    pub fn has_byte(&self) -> bool {
        !RECEIVED.is_empty()
    }

    /// Whether a write of one byte would not wait. Called by the task that holds the console.
    pub fn has_room(&self) -> bool {
        PRINTED.has_room()
    }

    /// What went wrong with the input since the start. What is bad is thrown away and counted here.
    pub fn receive_counts(&self) -> ReceiveCounts {
        RECEIVED.counts()
    }

    /// When the youngest byte was taken from the device: the first statement of the part of the handler that did so. The
    /// counter's zero before the first.
    pub fn received_at(&self) -> Instant {
        RECEIVED.stamp()
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

/// When the console's youngest byte was received; the counter's zero before the first.
pub(crate) fn received_at() -> Instant {
    RECEIVED.stamp()
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
        unsafe { PRINTED.dying_bytes(|ring| BESIDE.next_byte(ring)) }.for_each(|byte| polled.put(byte));
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
