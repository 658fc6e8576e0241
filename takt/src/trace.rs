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

use takt_kernel::TaskId;
use takt_kernel::executive::Switch;
use takt_kernel::table::Entry as Line;
use takt_kernel::time::Instant;
use takt_rpi4::{cores, counter, interrupts, map, pair};

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

// SAFETY: the live ring is written with interrupts masked, on its core; the kept one belongs to who has taken `RINGS`.
unsafe impl Sync for Ring {}

impl Ring {
    const fn new() -> Self {
        Self(UnsafeCell::new([Entry::NONE; PLACES]))
    }

    const fn first(&self) -> *mut Entry {
        self.0.get().cast()
    }

    /// Whether its last place was written in its present use.
    fn has_gone_round(&self) -> bool {
        // SAFETY: a word of a place, which is written whole.
        !unsafe { self.first().wrapping_add(PLACES.wrapping_sub(1)).read_volatile() }.is_none()
    }
}

static FIRST: Ring = Ring::new();
static SECOND: Ring = Ring::new();
/// Those of the other cores, which nobody reads yet.
static OF_OTHERS: [[Ring; cores::CORES - 1]; if IS_ON { 1 } else { 0 }] =
    [const { [const { Ring::new() }; cores::CORES - 1] }; if IS_ON { 1 } else { 0 }];

/// Where the next event goes, in the live ring: it lies beside the core's state, whose address everybody has who records.
pub(crate) struct Next(UnsafeCell<*mut Entry>);

// SAFETY: used with interrupts masked, on its core.
unsafe impl Sync for Next {}

impl Next {
    /// The first place of the first ring; nowhere where nothing is recorded.
    pub(crate) const fn new() -> Self {
        Self(UnsafeCell::new(if IS_ON { FIRST.first() } else { core::ptr::null_mut() }))
    }
}

impl Next {
    /// The first place of the ring of core `id`, 1 to 3.
    pub(crate) fn of_core(id: usize) -> Self {
        let ring = OF_OTHERS.first().zip(id.checked_sub(1)).and_then(|(rings, index)| rings.get(index));
        Self(UnsafeCell::new(ring.map_or(core::ptr::null_mut(), Ring::first)))
    }
}

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

/// Records that `event` happens now, with interrupts masked for these few instructions.
///
/// # Safety
/// Interrupts are unmasked.
#[inline(always)]
pub(crate) unsafe fn record_unmasked(event: Event) {
    if IS_ON {
        interrupts::mask();
        // SAFETY: masked.
        unsafe { record(event) };
        // SAFETY: they were unmasked before, and recording has left nothing half changed.
        unsafe { interrupts::unmask() };
    }
}

/// Records who was chosen instead of `from`, if anybody was.
///
/// # Safety
/// Interrupts are masked.
#[inline(always)]
pub(crate) unsafe fn record_switch(from: TaskId, chosen: Option<Switch>) {
    if let Some(Switch { to }) = chosen {
        // SAFETY: the caller's.
        unsafe { record(Event::Switch { from, to }) };
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
///
/// ```no_run
/// fn step(number: u32) {
///     takt::trace::mark(number);                                  // a line of the timeline, in images with `event-ring`
/// }
/// ```
#[inline(always)]
pub fn mark(value: u32) {
    record_masked(Event::Mark { value });
}

/// # Safety
/// Interrupts are masked.
#[inline(always)]
unsafe fn put(stamp_ticks: u64, event: Event) {
    let next = core_state::next_event().0.get();
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
    keep_by(exchange)
}

/// Does as [`keep`], unless that would keep fewer than 64 events, since the last time was a moment ago: then they are added
/// to those kept. Called by tasks.
pub fn keep_adding_few() -> bool {
    keep_by(|rings| {
        if !add_few(rings) {
            exchange(rings);
        }
    })
}

fn keep_by(keep: impl FnOnce(&mut Rings)) -> bool {
    if !IS_ON || cores::this_core() != 0 {
        return false;
    }
    let Some(mut rings) = RINGS.take() else { return false };
    keep(&mut rings);
    true
}

/// Fewer events than this explain little by themselves.
const FEW: usize = 64;

/// Adds the events of the live ring to those of the kept one, if they are few, and empties the live ring.
fn add_few(rings: &mut Rings) -> bool {
    let mut added = 0;
    loop {
        let end = place_of(next_event(), rings.live);
        if end >= FEW || rings.live.has_gone_round() {
            // What has been added stands where an exchange would begin: it is forgotten with the rest.
            return false;
        }
        while added < end {
            // SAFETY: it was recorded, and the live ring has not gone round.
            let entry = unsafe { *rings.live.first().wrapping_add(added) };
            // SAFETY: a place of the kept ring, which is taken.
            unsafe { *rings.kept.first().wrapping_add(rings.kept_next) = entry };
            rings.kept_next = rings.kept_next.wrapping_add(1) % PLACES;
            added = added.wrapping_add(1);
        }
        let first = rings.live.first();
        let has_begun_anew = masked(|| {
            let next = core_state::next_event().0.get();
            // SAFETY: masked.
            let is_all = place_of(unsafe { *next }, rings.live) == added;
            if is_all {
                // SAFETY: masked.
                unsafe { *next = first };
            }
            is_all
        });
        if has_begun_anew {
            return true;
        }
    }
}

/// Makes the live ring the kept one, and the reverse.
fn exchange(rings: &mut Rings) {
    let Rings { live, kept, .. } = *rings;
    let last = kept.first().wrapping_add(PLACES.wrapping_sub(1));
    // SAFETY: a place of the kept ring, which is taken.
    unsafe { *last = Entry::NONE };
    let next = go_on_at(kept.first());
    *rings = Rings { live: kept, kept: live, kept_next: place_of(next, live) };
}

/// Which place of `ring` the pointer means.
fn place_of(next: *mut Entry, ring: &Ring) -> usize {
    next.addr().wrapping_sub(ring.first().addr()) / ENTRY_BYTES
}

/// Where the next event goes.
fn next_event() -> *mut Entry {
    masked(|| {
        // SAFETY: masked.
        unsafe { *core_state::next_event().0.get() }
    })
}

/// Has the next event go to `place`, and answers where it would have gone.
fn go_on_at(place: *mut Entry) -> *mut Entry {
    masked(|| {
        // SAFETY: masked.
        unsafe { core_state::next_event().0.get().replace(place) }
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
        (map::MAILBOX_INTID.number(), "mailbox"),
        (map::INBOX_INTID.number(), "inbox"),
    ];
    let lines = core_state::masked(|core| core.table).map_or(&[][..], |table| table.lines);
    own.into_iter().chain(lines.iter().filter_map(|line| match line.entry {
        Line::Interrupt(entry) => Some((entry.intid, entry.name)),
        _ => None,
    }))
}
