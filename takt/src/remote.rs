// SPDX-License-Identifier: MIT OR Apache-2.0
//! What tasks and handlers of any core do to an object that belongs to one.

pub(crate) mod inbox;
mod objects;

use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};

use takt_rpi4::cores::{self, CORES};

use inbox::tell;
pub use inbox::{Delivered, Port};

use crate::exclusive::exclusively;
use crate::fault;
use crate::table::port::PortLine;

/// An object of core `CORE`, 0 to 3, for the other cores: whatever they do to it is written down and done there, by a kernel
/// handler, in the order in which each of them did it. Nobody waits for anybody, and nothing is lost: what is given, set or
/// released is counted, and cannot overflow.
///
/// The object itself is used by the tasks and handlers of its own core, as ever. The `Remote` stands in the table as a line,
/// by [`Self::port`].
///
/// ```no_run
/// use takt::prelude::*;
///
/// static BLOCKS: Semaphore = Semaphore::new(0);                  // core 1's
/// static BLOCKS_FROM_AFAR: Remote<Semaphore, 1> = Remote::to(&BLOCKS);
///
/// takt::tasks! {
///     blocks: BLOCKS_FROM_AFAR.port(),
///     sampler: Task::periodic(sampler).core(0).priority(10).period(millis(1)).remote_sends(1),
///     filter: Task::background(filter).core(1).priority(20),
/// }
///
/// fn sampler(mut period: Periodic) -> ! {
///     loop {
///         period.wait();
///         BLOCKS_FROM_AFAR.give();
///     }
/// }
///
/// fn filter() -> ! {
///     loop {
///         BLOCKS.take();
///     }
/// }
/// ```
///
/// What crosses: [`Semaphore`](crate::Semaphore), [`Event`](crate::Event), [`EventFlags`](crate::EventFlags),
/// [`Signal`](crate::Signal) and [`Sporadic`](crate::Sporadic); messages by [`Lanes`](crate::Lanes), runs of items by a
/// [`Stream`](crate::Stream); tasks of several cores meet at a [`CoresBarrier`](crate::CoresBarrier). A mutex does not: a task
/// of another core that held it would keep this core waiting for as long as it likes. Let a task on the mutex's core do the
/// work, and send it messages.
pub struct Remote<O: Crossing, const CORE: u8> {
    object: &'static O,
    letters: [PerSender<O::Letters>; CORES],
    line: Line,
}

/// What one core sends, on cache lines of its own.
#[repr(align(64))]
pub(crate) struct PerSender<L>(pub(crate) L);

/// An object that other cores can act upon.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not cross cores",
    label = "not an object that other cores act upon",
    note = "a mutex does not cross cores: let a task on the mutex's core do the work, and send it messages by `Lanes`",
    note = "Semaphore, Event, EventFlags, Signal and Sporadic cross by a `Remote`"
)]
pub trait Crossing: Sync + 'static {
    /// What one core writes and the object's core reads.
    #[doc(hidden)]
    type Letters: Sync;
    /// None.
    #[doc(hidden)]
    const NO_LETTERS: Self::Letters;

    /// Does what the letters say, `most` of them at the most. Called by a kernel handler of the object's core.
    #[doc(hidden)]
    fn deliver(&self, letters: &Self::Letters, most: u32) -> Delivered;
}

impl<O: Crossing, const CORE: u8> fmt::Debug for Remote<O, CORE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("core", &CORE).finish_non_exhaustive()
    }
}

impl<O: Crossing, const CORE: u8> Remote<O, CORE> {
    /// The way to `object`, which belongs to core `CORE`.
    #[must_use]
    pub const fn to(object: &'static O) -> Self {
        const { assert!((CORE as usize) < CORES, "takt: a Remote's core is 0 to 3") };
        Self { object, letters: [const { PerSender(O::NO_LETTERS) }; CORES], line: Line::new() }
    }

    /// The line of the table that makes the way known.
    pub const fn port(&'static self) -> PortLine {
        PortLine::new(CORE, self)
    }

    /// Writes a letter and tells the object's core. Anyone may call this, direct handlers included.
    #[inline(always)]
    fn send(&self, write: impl FnOnce(&O::Letters)) {
        exclusively(|| {
            if let Some(letters) = self.letters.get(cores::this_core()) {
                write(&letters.0);
                tell(CORE as usize, self.line.bit());
            }
        });
    }
}

impl<O: Crossing, const CORE: u8> Port for Remote<O, CORE> {
    fn admit(&self, number: usize) -> bool {
        self.line.admit(number)
    }

    fn deliver(&self, sender: usize, most: u32) -> Delivered {
        match self.letters.get(sender) {
            Some(letters) => self.object.deliver(&letters.0, most),
            None => Delivered { letters: 0, are_more: false },
        }
    }
}

/// Which line of the table a port has.
pub(crate) struct Line(AtomicU64);

impl Line {
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// At boot. False where it has one.
    pub(crate) fn admit(&self, number: usize) -> bool {
        // Relaxed: the other cores begin behind it.
        let former = self.0.load(Ordering::Relaxed);
        self.0.store(u64::from(true).wrapping_shl(u32::try_from(number).unwrap_or(0)), Ordering::Relaxed);
        former == 0
    }

    /// Its bit in the words of the inboxes.
    #[inline(always)]
    pub(crate) fn bit(&self) -> u64 {
        let bit = self.0.load(Ordering::Relaxed);
        if bit == 0 {
            fault::no_port();
        }
        bit
    }

    /// Tells core `core`, 0 to 3, that the port has letters from this one. Interrupts are masked for a moment.
    #[inline(always)]
    pub(crate) fn tell(&self, core: usize) {
        exclusively(|| tell(core, self.bit()));
    }
}
