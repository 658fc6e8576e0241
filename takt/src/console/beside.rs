// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines of another task than the one that holds the console: whole ones, between the console's own.
//!
//! They have a ring of their own, since each ring has one writer. The handler takes a line out of it where the console has
//! nothing to send and its last byte ended a line, and then all of that line: so neither tears the other, and the console never
//! waits for more than one. A line counts once all of it is in the ring, or the handler would wait for the rest of one whose
//! writer is not allowed to run.

use core::cell::UnsafeCell;
use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use heapless::spsc::Queue;
use takt_rpi4::devices;

use super::PRINTED;

/// The size of the ring, in bytes: a few lines.
const BESIDE_BYTES: usize = 256;

/// The ring, and where its lines may go.
pub(super) struct Beside {
    ring: UnsafeCell<Queue<u8, BESIDE_BYTES>>,
    /// How many whole lines are in the ring and not begun.
    lines: AtomicU32,
    /// Whether the handler has begun a line and not ended it.
    is_in_line: AtomicBool,
    /// Whether the last byte of the console's own was not the end of a line.
    is_in_console_line: AtomicBool,
    is_taken: AtomicBool,
}

// SAFETY: the producer side of the ring is used by the one task that holds `LinesBeside`, the consumer side by the one handler;
// the queue is made for that.
unsafe impl Sync for Beside {}

impl Beside {
    pub(super) const fn new() -> Self {
        Self {
            ring: UnsafeCell::new(Queue::new()),
            lines: AtomicU32::new(0),
            is_in_line: AtomicBool::new(false),
            is_in_console_line: AtomicBool::new(false),
            is_taken: AtomicBool::new(false),
        }
    }

    /// The next byte to be sent: the console's, out of `printed`, or one of a line beside it. Called by the one handler.
    #[inline(always)]
    pub(super) fn next_byte<const BYTES: usize>(&self, printed: &mut Queue<u8, BYTES>) -> Option<u8> {
        if !self.is_in_line.load(Ordering::Relaxed) {
            if let Some(byte) = printed.dequeue() {
                self.is_in_console_line.store(byte != b'\n', Ordering::Relaxed);
                return Some(byte);
            }
            let lines = self.lines.load(Ordering::Acquire);
            if lines == 0 || self.is_in_console_line.load(Ordering::Relaxed) {
                return None;
            }
            self.lines.fetch_sub(1, Ordering::Relaxed);
        }
        // SAFETY: the one consumer.
        let byte = unsafe { &mut *self.ring.get() }.dequeue();
        self.is_in_line.store(byte.is_some_and(|byte| byte != b'\n'), Ordering::Relaxed);
        byte
    }
}

/// Writes whole lines beside the console, whose task is another one. Held by one task of core 0.
///
/// They are sent where the console has nothing to send: a report comes first, and while an unfinished line stands, as a prompt
/// does, they wait.
///
/// ```no_run
/// use takt::console::LinesBeside;
///
/// fn chatter() -> ! {
///     let mut lines = LinesBeside::take();
///     loop {
///         if let Some(lines) = &mut lines {
///             let _ = lines.write("# still here");
///         }
///         takt::sleep_for(takt::clock::millis(100));
///     }
/// }
/// ```
#[derive(Debug)]
pub struct LinesBeside {
    not_shared: PhantomData<*const ()>,
}

/// A line was not written: there is no room for all of it, or it is not one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotWritten {
    /// What it takes, in bytes, with its end.
    pub bytes: usize,
    /// What there is room for.
    pub room_bytes: usize,
}

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, room_bytes } = self;
        write!(
            f,
            "console: a line of {bytes} bytes was not written beside it, where {room_bytes} fit; write one line without its end, \
             and wait until those before it have left"
        )
    }
}

impl core::error::Error for NotWritten {}

impl LinesBeside {
    /// The one; `None` where somebody has it already. Called by tasks.
    pub fn take() -> Option<Self> {
        (!super::BESIDE.is_taken.swap(true, Ordering::Relaxed)).then_some(Self { not_shared: PhantomData })
    }

    /// Writes `line`, which has no end of line in it, and its end: all of it, or nothing. Never waits. Called by the task that
    /// holds this, on core 0.
    ///
    /// # Errors
    /// [`NotWritten`] where there is no room for all of it, or it is more than a line.
    pub fn write(&mut self, line: &str) -> Result<(), NotWritten> {
        let beside = &super::BESIDE;
        // SAFETY: the one producer.
        let ring = unsafe { &mut *beside.ring.get() };
        let room_bytes = BESIDE_BYTES.saturating_sub(1).saturating_sub(ring.len());
        let bytes = line.len().saturating_add(1);
        if bytes > room_bytes || line.contains('\n') {
            return Err(NotWritten { bytes, room_bytes });
        }
        for byte in line.bytes().chain([b'\n']) {
            // There is room: nobody else writes.
            let _ = ring.enqueue(byte);
        }
        beside.lines.fetch_add(1, Ordering::Release);
        PRINTED.start_sending(&mut devices::uart0());
        Ok(())
    }
}
