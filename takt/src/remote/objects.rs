// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be done to each kind of object from another core.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

use takt_kernel::crossing::count::Count;
use takt_kernel::crossing::flags::Flags;
use takt_kernel::crossing::latest::Latest;

use super::{Crossing, Delivered, Remote};
use crate::{Event, EventFlags, Semaphore, Signal, Sporadic};

impl Crossing for Semaphore {
    type Letters = Count;
    const NO_LETTERS: Count = Count::new();

    fn deliver(&self, letters: &Count, most: u32) -> Delivered {
        let given = letters.take(most);
        for _ in 0..given {
            // At the semaphore's most it is dropped and counted there.
            let _ = self.give_from_handler();
        }
        Delivered { letters: given, are_more: !letters.is_empty() }
    }
}

impl<const CORE: u8> Remote<Semaphore, CORE> {
    /// Gives one. What is beyond the semaphore's most is dropped and counted there. Anyone may call this, on any core.
    #[inline(always)]
    pub fn give(&self) {
        self.send(Count::send);
    }
}

impl<const MOST: usize> Crossing for Sporadic<MOST> {
    type Letters = Count;
    const NO_LETTERS: Count = Count::new();

    fn deliver(&self, letters: &Count, most: u32) -> Delivered {
        let released = letters.take(most);
        for _ in 0..released {
            // What cannot be kept is dropped and counted there.
            let _ = self.release_from_handler();
        }
        Delivered { letters: released, are_more: !letters.is_empty() }
    }
}

impl<const MOST: usize, const CORE: u8> Remote<Sporadic<MOST>, CORE> {
    /// Releases the task, as [`Sporadic::release_from_handler`] at the moment at which its core hears of it. Anyone may call
    /// this, on any core.
    #[inline(always)]
    pub fn release(&self) {
        self.send(Count::send);
    }
}

impl Crossing for Event {
    type Letters = ();
    const NO_LETTERS: () = ();

    fn deliver(&self, (): &(), _most: u32) -> Delivered {
        self.set_from_handler();
        Delivered { letters: 1, are_more: false }
    }
}

impl<const CORE: u8> Remote<Event, CORE> {
    /// Sets the event. Set twice before its core hears of it, it is set once. Anyone may call this, on any core.
    #[inline(always)]
    pub fn set(&self) {
        self.send(|()| {});
    }
}

impl Crossing for EventFlags {
    type Letters = Flags;
    const NO_LETTERS: Flags = Flags::new();

    fn deliver(&self, letters: &Flags, _most: u32) -> Delivered {
        let flags = letters.take();
        if flags != 0 {
            self.set_from_handler(flags);
        }
        Delivered { letters: 1, are_more: false }
    }
}

impl<const CORE: u8> Remote<EventFlags, CORE> {
    /// Sets these flags, all at once. Anyone may call this, on any core.
    #[inline(always)]
    pub fn set(&self, flags: u32) {
        self.send(|letters| letters.send(flags));
    }
}

/// The latest value from one core.
#[doc(hidden)]
pub struct LatestValue<T> {
    turns: Latest,
    places: [UnsafeCell<MaybeUninit<T>>; 3],
}

// SAFETY: `turns` gives each place to one side at a time: the sending core, masked, or the kernel handler of the receiving one.
// Values go from one core to the other, hence `T: Send`.
unsafe impl<T: Send> Sync for LatestValue<T> {}

impl<T: Copy> LatestValue<T> {
    #[expect(
        clippy::declare_interior_mutable_const,
        reason = "an array is filled with copies of it, each of them its own"
    )]
    const NONE: Self = Self { turns: Latest::new(), places: [const { UnsafeCell::new(MaybeUninit::uninit()) }; 3] };

    #[inline(always)]
    fn write(&self, value: T) {
        self.turns.write(|place| {
            if let Some(place) = self.places.get(place) {
                // SAFETY: the place is the sender's.
                unsafe { &mut *place.get() }.write(value);
            }
        });
    }

    fn take(&self) -> Option<T> {
        self.turns
            .take(|place| {
                let place = self.places.get(place)?;
                // SAFETY: the place is the receiver's.
                let value = unsafe { &*place.get() };
                // SAFETY: a value was written into it.
                Some(unsafe { value.assume_init_read() })
            })
            .flatten()
    }
}

impl<T: Copy + Send + 'static> Crossing for Signal<T> {
    type Letters = LatestValue<T>;
    const NO_LETTERS: LatestValue<T> = LatestValue::NONE;

    fn deliver(&self, letters: &LatestValue<T>, _most: u32) -> Delivered {
        if let Some(value) = letters.take() {
            self.signal_from_handler(value);
        }
        Delivered { letters: 1, are_more: false }
    }
}

impl<T: Copy + Send + 'static, const CORE: u8> Remote<Signal<T>, CORE> {
    /// Signals `value`: the latest of this core that the signal's core has not heard of is replaced. Of values from several
    /// cores the one that is heard of last counts. Interrupts are masked while the value is copied: a few words. Anyone may
    /// call this, on any core.
    #[inline(always)]
    pub fn signal(&self, value: T) {
        self.send(|letters| letters.write(value));
    }
}
