// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `defmt` calls for each message: begin a frame, a few bytes at a time, end it.
//!
//! `defmt` calls with interrupts on, and so do we go on: each context has a frame of its own. The steps of one message are
//! all called by the context that logs, since what the message shows is formatted by it.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use takt::Event;
use takt::per_context::{Context, ContextValue, PerContext};

use crate::frame::Frame;
use crate::ring::FrameRing;

/// The ring's size in words: 8 KiB, which 115200 baud sends in 0.7 s.
pub(crate) const RING_WORDS: usize = 2_048;
/// What tasks leave free for kernel handlers: a quarter.
const KEPT_FOR_HANDLERS_WORDS: u32 = 512;

pub(crate) static RING: FrameRing<RING_WORDS> = FrameRing::new();
/// Set when a frame has come while the task that sends waits.
pub(crate) static FRAME_CAME: Event = Event::new();
/// Whether it waits.
pub(crate) static SENDER_WAITS: AtomicBool = AtomicBool::new(false);
/// Frames that found no room.
pub(crate) static WITHOUT_ROOM: AtomicU32 = AtomicU32::new(0);
/// Frames that were longer than [`FRAME_BYTES`](crate::frame::FRAME_BYTES).
pub(crate) static TOO_LONG: AtomicU32 = AtomicU32::new(0);

/// A context's frame, and what encodes it.
struct Writer {
    encoder: defmt::Encoder,
    frame: Frame,
    is_open: bool,
}

impl ContextValue for Writer {
    const FIRST: Self = Self { encoder: defmt::Encoder::new(), frame: Frame::new(), is_open: false };
    const WHAT: &'static str = "a message was logged";
}

static WRITERS: PerContext<Writer> = PerContext::new();

#[defmt::global_logger]
struct Logger;

// SAFETY:
// - From `acquire` to `release` a context has its frame for itself: see `PerContext`.
// - Nothing else is promised: what is written goes into that frame.
unsafe impl defmt::Logger for Logger {
    fn acquire() {
        let was_open = WRITERS.with(|_, writer| {
            writer.frame.clear();
            writer.encoder.start_frame(|bytes| writer.frame.push(bytes));
            core::mem::replace(&mut writer.is_open, true)
        });
        if was_open != Some(false) {
            is_nested();
        }
    }

    // SAFETY: nothing is required of the caller.
    unsafe fn flush() {
        // `defmt::flush` would wait within the message of a task that may be more urgent than the one that sends.
        // `takt_log::flush` waits where that is in order.
    }

    // SAFETY: nothing is required of the caller.
    unsafe fn write(bytes: &[u8]) {
        WRITERS.with(|_, writer| writer.encoder.write(bytes, |encoded| writer.frame.push(encoded)));
    }

    // SAFETY: nothing is required of the caller.
    unsafe fn release() {
        let who = WRITERS.with(|context, writer| {
            writer.encoder.end_frame(|bytes| writer.frame.push(bytes));
            writer.is_open = false;
            commit(context, &writer.frame);
            context
        });
        if SENDER_WAITS.swap(false, Ordering::Relaxed) {
            match who {
                Some(Context::Task(_)) => FRAME_CAME.set(),
                Some(Context::KernelHandler) => FRAME_CAME.set_from_handler(),
                None => {}
            }
        }
    }
}

/// Puts a frame into the ring, or counts it as dropped.
fn commit(context: Context, frame: &Frame) {
    let kept_free = match context {
        Context::Task(_) => KEPT_FOR_HANDLERS_WORDS,
        Context::KernelHandler => 0,
    };
    match frame.whole().map(|frame| RING.push(frame, kept_free)) {
        Some(Ok(())) => {}
        Some(Err(_)) => _ = WITHOUT_ROOM.fetch_add(1, Ordering::Relaxed),
        None => _ = TOO_LONG.fetch_add(1, Ordering::Relaxed),
    }
}

/// A message was logged while the same context was in the middle of one.
#[cold]
#[expect(clippy::panic, reason = "defmt asks for one: neither message could be kept")]
fn is_nested() -> ! {
    panic!("a message was logged by what formats another message; use defmt::write! there");
}

// Of the context that logs, when it does.
defmt::timestamp!("{=u64:us}", takt::clock::uptime_us());
