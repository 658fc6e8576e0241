// SPDX-License-Identifier: MIT OR Apache-2.0
//! The event ring: what happened on the core, each event with its stamp. It is what explains a worst case.
//!
//! Recorded are the events of [`Event`], by the executive and, with [`mark`], by an application. There are two rings of 1,024
//! events. One is *live*: it is written, and who reads it would read what changes. The other is *kept*: nobody writes it, and
//! a task may read it with [`kept`]. [`keep`] exchanges them. So whoever sees a new maximum calls it behind the stamps that
//! show the maximum, and what came before is safe, without a test where events are recorded.
//!
//! Who may run concurrently: a handler may record while a task or a less urgent handler does, into the same place; hence
//! events are recorded with interrupts masked. The kept ring belongs to the one who has taken it.
//!
//! Without the feature `event-ring` nothing here leaves an instruction in the image. This is the only place that asks for it.

use core::cell::UnsafeCell;

use takt_kernel::table::Entry as Line;
use takt_kernel::time::Instant;
use takt_rpi4::{counter, interrupts, map, pair};

use crate::core_state;
use crate::handover::{Handover, Taken};

pub use takt_kernel::trace::{Entry, Event, History};

/// Whether this image records events: the feature `event-ring`.
pub const IS_ON: bool = cfg!(feature = "event-ring");

/// How many events a ring holds.
pub const PLACES: usize = 1_024;

const ENTRY_BYTES: usize = size_of::<Entry>();
const RING_BYTES: usize = PLACES * ENTRY_BYTES;

/// A ring, at a multiple of twice its size: the bit of its size is clear in the address of each place and set in that of
/// the first one behind, so that clearing it goes from there to the beginning.
#[repr(C, align(32768))]
struct Ring(UnsafeCell<[Entry; PLACES]>);

const _: () = assert!(align_of::<Ring>() == 2 * RING_BYTES, "a ring goes round by one bit of the address");

// SAFETY: the live ring is written with interrupts masked, on core 0; the kept one belongs to who has taken `RINGS`.
unsafe impl Sync for Ring {}

impl Ring {
    const fn new() -> Self {
        Self(UnsafeCell::new([Entry::NONE; PLACES]))
    }

    const fn first(&self) -> *mut Entry {
        self.0.get().cast()
    }
}

static FIRST: Ring = Ring::new();
static SECOND: Ring = Ring::new();

/// Where the next event goes, in the live ring.
struct Next(UnsafeCell<*mut Entry>);

// SAFETY: used with interrupts masked, on core 0.
unsafe impl Sync for Next {}

static NEXT: Next = Next(UnsafeCell::new(FIRST.first()));

/// Which ring is which, and where the last event of the kept one is.
struct Rings {
    live: &'static Ring,
    kept: &'static Ring,
    /// The place behind the newest event of the kept ring.
    kept_next: usize,
}

static RINGS: Handover<Rings> = Handover::new(Rings { live: &FIRST, kept: &SECOND, kept_next: 0 });

/// Records that `event` happens now.
///
/// # Safety
/// Interrupts are masked.
#[inline(always)]
pub unsafe fn record(event: Event) {
    if IS_ON {
        // SAFETY: the caller's.
        unsafe { put(counter::ticks(), event) };
    }
}

/// Records that `event` happened at `stamp`, which was a reading of the counter.
///
/// # Safety
/// Interrupts are masked.
#[inline(always)]
pub unsafe fn record_at(stamp: Instant, event: Event) {
    if IS_ON {
        // SAFETY: the caller's.
        unsafe { put(stamp.half_ticks() / 2, event) };
    }
}

/// Records that `event` happens now, with interrupts masked for these few instructions. Called by whoever does not know that
/// they are.
#[inline(always)]
pub fn record_masked(event: Event) {
    if IS_ON {
        masked(|| {
            // SAFETY: masked.
            unsafe { record(event) }
        });
    }
}

/// Records `value`, an application's own. Called by tasks and handlers.
#[inline(always)]
pub fn mark(value: u32) {
    record_masked(Event::Mark { value });
}

/// # Safety
/// Interrupts are masked.
#[inline(always)]
unsafe fn put(stamp_ticks: u64, event: Event) {
    let next = NEXT.0.get();
    // SAFETY: masked, so nobody else uses it.
    let place = unsafe { *next };
    // SAFETY: an entry, in the order of its fields, goes to a place of the live ring, which nobody else uses while
    // interrupts are masked.
    let behind = unsafe { pair::store(place, stamp_ticks, event.to_word()) };
    // From behind the last place to the first, see `Ring`.
    let following = behind.map_addr(|address| address & !RING_BYTES);
    // SAFETY: masked.
    unsafe { *next = following };
}

/// Keeps what was recorded up to now and goes on in the other ring, whose events are forgotten. Called by tasks.
///
/// False, and nothing happens, where somebody reads the kept ring or the image records nothing.
pub fn keep() -> bool {
    if !IS_ON {
        return false;
    }
    let Some(mut rings) = RINGS.take() else { return false };
    let Rings { live, kept, .. } = *rings;
    let last = kept.first().wrapping_add(PLACES.wrapping_sub(1));
    // SAFETY: a place of the kept ring, which is taken.
    unsafe { *last = Entry::NONE };
    let next = go_on_at(kept.first());
    let kept_next = next.addr().wrapping_sub(live.first().addr()) / ENTRY_BYTES;
    *rings = Rings { live: kept, kept: live, kept_next };
    true
}

/// Has the next event go to `place`, and answers where it would have gone.
fn go_on_at(place: *mut Entry) -> *mut Entry {
    masked(|| {
        // SAFETY: masked.
        unsafe { NEXT.0.get().replace(place) }
    })
}

/// Does something short with interrupts masked, and leaves them as they were.
#[inline(always)]
fn masked<R>(act: impl FnOnce() -> R) -> R {
    let masks = interrupts::save_and_mask();
    let result = act();
    // SAFETY: they were so before, and `act` has left everything whole.
    unsafe { interrupts::restore(masks) };
    result
}

/// The kept ring in the hands of a task; nothing is kept anew before it is dropped.
pub struct Kept(Taken<'static, Rings>);

/// Takes the kept ring. Called by tasks; `None` where another task has it.
pub fn kept() -> Option<Kept> {
    RINGS.take().map(Kept)
}

impl Kept {
    /// What it holds.
    pub fn history(&self) -> History<'_> {
        // SAFETY: nobody writes the kept ring, since `RINGS` is taken.
        let places = unsafe { &*self.0.kept.0.get() };
        History::new(places, self.0.kept_next)
    }
}

/// The interrupts that have a name, with their INTIDs: the executive's own and those of the table. Called by tasks.
pub fn interrupt_names() -> impl Iterator<Item = (u16, &'static str)> {
    let own = [
        (map::SYSTEM_TIMER_1_INTID.number(), "system_timer"),
        (map::GENERIC_TIMER_INTID.number(), "generic_timer"),
        (map::UART0_INTID.number(), "console"),
    ];
    let lines = core_state::masked(|core| core.table).map_or(&[][..], |table| table.lines);
    own.into_iter().chain(lines.iter().filter_map(|line| match line.entry {
        Line::Interrupt(entry) => Some((entry.intid, entry.name)),
        Line::Task(_) => None,
    }))
}
