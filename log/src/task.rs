// SPDX-License-Identifier: MIT OR Apache-2.0
//! The task that sends messages.

use core::sync::atomic::{AtomicBool, Ordering};

use takt::clock;
use takt::rpi4::interrupts;

use crate::frame::FRAME_BYTES;
use crate::logger::{FRAME_CAME, RING, SENDER_WAITS, TOO_LONG, WITHOUT_ROOM};
use crate::port::{self, Destination, destination};

/// How long [`flush`] waits at the most: three times what a full ring takes at 115200 baud.
const PATIENCE_US: u64 = 2_000_000;

/// Whether the task has given everything to the interface.
static HAS_SENT_ALL: AtomicBool = AtomicBool::new(false);

/// How many messages were dropped since the start. A count wraps at 2^32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// The ring was full: more was logged than the interface can send.
    pub without_room: u32,
    /// They were longer than [`FRAME_BYTES`].
    pub too_long: u32,
}

/// How many messages were dropped. The task that sends tells it, too, as a message of its own, behind the next one that is
/// sent. Anyone may call this.
#[must_use]
pub fn dropped() -> Dropped {
    Dropped { without_room: WITHOUT_ROOM.load(Ordering::Relaxed), too_long: TOO_LONG.load(Ordering::Relaxed) }
}

/// The task that sends messages, `Task::background(takt_log::task)` in the application's table, once. Among the least
/// urgent, it needs 4,096 bytes of stack.
pub fn task() -> ! {
    let mut uart = port::open();
    let mut told = Dropped::default();
    let mut bytes = [0; FRAME_BYTES];
    loop {
        while let Some(frame) = RING.take(&mut bytes).and_then(|length| bytes.get(..length)) {
            if let Some(uart) = &mut uart {
                uart.write_bytes(frame);
            }
            // There is room now.
            tell(&mut told);
        }
        tell(&mut told);
        SENDER_WAITS.store(true, Ordering::Relaxed);
        // Once more: a frame that came before the flag was up did not set the event. One that comes from here on does.
        if RING.has_none() {
            HAS_SENT_ALL.store(true, Ordering::Relaxed);
            FRAME_CAME.wait();
            HAS_SENT_ALL.store(false, Ordering::Relaxed);
        }
    }
}

/// Says how many messages were dropped, where that is news.
fn tell(told: &mut Dropped) {
    let now = dropped();
    if now != *told {
        *told = now;
        defmt::warn!(
            "log: {=u32} messages dropped for want of room, {=u32} longer than {=usize} bytes",
            now.without_room,
            now.too_long,
            FRAME_BYTES
        );
    }
}

/// Waits until everything logged has left the board, 2 s at the most; whether it has. Called by a task that is less urgent
/// than the one that sends, before it ends the run.
pub fn flush() -> bool {
    let end = clock::now().after(PATIENCE_US.saturating_mul(clock::half_ticks_per_us()));
    while !has_left() {
        if !clock::now().is_before(end) {
            return false;
        }
        takt::yield_turn();
        interrupts::yield_hint();
    }
    true
}

fn has_left() -> bool {
    let is_sent = HAS_SENT_ALL.load(Ordering::Relaxed) && RING.has_none();
    let is_idle = || match destination() {
        Some(Destination::Port(port)) => port.is_idle(),
        _ => true,
    };
    is_sent && is_idle()
}
