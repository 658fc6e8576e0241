// SPDX-License-Identifier: MIT OR Apache-2.0
//! What comes to a core from the others: a word for each sender, in which every port has a bit, and one software generated
//! interrupt for all that is sent until it is looked at.
//!
//! A sender writes its letter, sets the port's bit in its own word at the receiver, and raises the interrupt if the word was
//! empty. The receiver's kernel handler empties the word and then reads the letters. `takt_kernel::crossing` argues why none is
//! lost; here are the two places where the interrupt comes in, barrier (a).

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use takt_kernel::crossing::dirty::{Dirty, MOST_A_STEP};
use takt_kernel::table::MOST_PORTS;
use takt_rpi4::cores::{self, CORES};
use takt_rpi4::drivers::gic400::{CoreSet, SgiTarget};
use takt_rpi4::{devices, interrupts, map};

use crate::periodic;

/// The bit by which a core is told that time zero is known.
pub(crate) const TIME_ZERO: u64 = 1 << 63;

/// How much was delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Delivered {
    /// How many letters.
    pub letters: u32,
    /// Whether there are more.
    pub are_more: bool,
}

/// Something that stands in the table as a port, whatever it carries.
#[doc(hidden)]
pub trait Port: Sync {
    /// The table has it as number `number`, 0 to 62. False where it has had one already. Called at boot.
    fn admit(&self, number: usize) -> bool;

    /// Delivers what `sender` sent, `most` letters at the most. Called by the kernel handler of the port's core.
    fn deliver(&self, sender: usize, most: u32) -> Delivered;
}

/// From one core: on a cache line of its own.
#[repr(align(64))]
struct From {
    dirty: Dirty,
    /// The port that is looked at first: behind the last of a step that had no more time. The receiver's alone.
    first_port: AtomicU32,
}

impl From {
    const fn new() -> Self {
        Self { dirty: Dirty::new(), first_port: AtomicU32::new(0) }
    }
}

/// A core's inbox.
struct Inbox {
    from: [From; CORES],
    /// Which sender's letters are looked at first.
    next: AtomicUsize,
}

static INBOXES: [Inbox; CORES] =
    [const { Inbox { from: [const { From::new() }; CORES], next: AtomicUsize::new(0) } }; CORES];

/// The ports, by number.
struct Ports(UnsafeCell<[Option<&'static dyn Port>; MOST_PORTS]>);

// SAFETY: written at boot, before any task runs, and only read afterwards.
unsafe impl Sync for Ports {}

static PORTS: Ports = Ports(UnsafeCell::new([None; MOST_PORTS]));

/// Numbers the ports of the table. False where one stands in two lines.
///
/// # Safety
/// Called once, at boot.
pub(crate) unsafe fn install(ports: impl Iterator<Item = &'static dyn Port>) -> bool {
    // SAFETY: the caller's.
    let places = unsafe { &mut *PORTS.0.get() };
    places.iter_mut().zip(ports).enumerate().all(|(number, (place, port))| {
        *place = Some(port);
        port.admit(number)
    })
}

/// Tells core `receiver`, 0 to 3, that the port with this bit has letters from this core. Interrupts are masked, so that nobody
/// more urgent finds the word not empty and the interrupt not raised.
#[inline(always)]
pub(crate) fn tell(receiver: usize, bit: u64) {
    let Some(word) = INBOXES.get(receiver).and_then(|inbox| inbox.from.get(cores::this_core())) else { return };
    if word.dirty.set(bit) {
        // The letter and the bit are seen before the interrupt is.
        interrupts::inbox_stores_before_interrupt(); // (a)
        // Cannot fail: it is a software generated interrupt, and there is a target.
        let _ = devices::distributor().send_sgi(map::INBOX_INTID, SgiTarget::Cores(CoreSet::only(number(receiver))));
    }
}

#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "there are four cores")]
const fn number(core: usize) -> u8 {
    core as u8
}

/// Lets the kernel handler look at this core's inbox, as soon as it can.
pub(crate) fn look() {
    // Cannot fail, as above.
    let _ = devices::distributor().send_sgi(map::INBOX_INTID, SgiTarget::Myself);
}

/// The kernel handler: delivers what there is, but no more than [`MOST_A_STEP`] letters; for the rest it comes again, so that
/// other handlers of the core have their turn.
pub(crate) fn handler() {
    // No word is read before the interrupt was acknowledged.
    interrupts::interrupt_before_inbox_loads(); // (a)
    let here = cores::this_core();
    let Some(inbox) = INBOXES.get(here) else { return };
    // Another sender first each time, so that none keeps the others waiting.
    let first = inbox.next.load(Ordering::Relaxed);
    inbox.next.store(first.wrapping_add(1) % CORES, Ordering::Relaxed);
    let mut left = MOST_A_STEP;
    for turn in 0..CORES {
        let sender = first.wrapping_add(turn) % CORES;
        let Some(from) = inbox.from.get(sender) else { continue };
        let undelivered = deliver_all(from, sender, &mut left);
        if undelivered != 0 {
            from.dirty.put_back(undelivered);
            look();
            return;
        }
    }
}

/// Delivers what `sender` sent, while there is any time `left` in this step. Answers the bits of the ports that have more.
fn deliver_all(from: &From, sender: usize, left: &mut u32) -> u64 {
    let mut bits = from.dirty.take();
    if bits & TIME_ZERO != 0 {
        bits &= !TIME_ZERO;
        periodic::time_zero_is_known();
    }
    // The bits of the ports from the first on come first.
    let first = from.first_port.load(Ordering::Relaxed);
    let mut turned = bits.rotate_right(first);
    while turned != 0 && *left > 0 {
        let behind = turned.trailing_zeros();
        let number = first.wrapping_add(behind) % u64::BITS;
        let delivered = deliver(number, sender, *left);
        // A look costs something, too.
        *left = left.saturating_sub(delivered.letters.max(1));
        if !delivered.are_more {
            turned &= turned.wrapping_sub(1);
        }
        if *left == 0 {
            from.first_port.store(number.wrapping_add(1) % u64::BITS, Ordering::Relaxed);
        }
    }
    turned.rotate_left(first)
}

fn deliver(number: u32, sender: usize, most: u32) -> Delivered {
    // SAFETY: see `Ports`.
    let port = unsafe { &*PORTS.0.get() }.get(number as usize).copied().flatten();
    port.map_or(Delivered { letters: 0, are_more: false }, |port| port.deliver(sender, most))
}
