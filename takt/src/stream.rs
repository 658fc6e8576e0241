// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stream of items from one task to another, on any core, in runs of many.

use core::cell::UnsafeCell;
use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::slice;
use core::sync::atomic::{AtomicBool, Ordering};

use takt_kernel::crossing::stream::{Consuming, Piece, Positions, Producing};
use takt_kernel::time::Instant;
use takt_rpi4::cores::{self, CORES};

use crate::event::{Event, TimedOut};
use crate::fault::streams;
use crate::remote::{Delivered, Line, Port};
use crate::table::port::PortLine;

/// A stream of items from one task on core `FROM` to one on core `TO`, 0 to 3, which may be the same: `N` places, a power of
/// two. Both copy runs of many with interrupts on, and neither waits for the other or interrupts it; the consumer is told only
/// where it waits.
///
/// It stands in the table as a line, by [`Self::port`]. The two tasks take its sides, each once.
///
/// ```no_run
/// use takt::prelude::*;
///
/// static SAMPLES: Stream<i16, 4096, 2, 1> = Stream::new();
///
/// takt::tasks! {
///     samples: SAMPLES.port(),
///     sampler: Task::periodic(sampler).core(2).priority(10).period(millis(1)).remote_sends(1),
///     filter: Task::background(filter).core(1).priority(20),
/// }
///
/// fn sampler(mut period: Periodic) -> ! {
///     let Some(mut samples) = SAMPLES.producer() else { panic!("the sampler is started once") };
///     loop {
///         period.wait();
///         let block = convert();
///         if samples.write(&block) < block.len() {
///             // The filter is 4,096 samples behind, and the rest of the block is lost.
///         }
///     }
/// }
///
/// fn filter() -> ! {
///     let Some(mut samples) = SAMPLES.consumer() else { panic!("the filter is started once") };
///     let mut block = [0; 256];
///     loop {
///         samples.wait_for(block.len());
///         samples.read(&mut block);
///         work_on(&block);
///     }
/// }
/// # fn convert() -> [i16; 64] { [0; 64] }
/// # fn work_on(_: &[i16]) {}
/// ```
///
/// RTEMS and POSIX: none, a ring in shared memory; FreeRTOS: a stream buffer, between cores with
/// `sbSEND_COMPLETED` of one's own.
pub struct Stream<T, const N: usize, const FROM: u8, const TO: u8> {
    positions: Positions<N>,
    /// What a consumer that waits is told by. Core `TO`'s.
    told: Event,
    line: Line,
    has_producer: AtomicBool,
    has_consumer: AtomicBool,
    places: Places<T, N>,
}

/// Where the items are, on cache lines that nothing else is on.
#[repr(align(64))]
struct Places<T, const N: usize>(UnsafeCell<[MaybeUninit<T>; N]>);

/// The producing side of a [`Stream`]. It stays with the task that took it.
#[derive(Debug)]
pub struct Producer<T: 'static, const N: usize, const FROM: u8, const TO: u8> {
    stream: &'static Stream<T, N, FROM, TO>,
    side: Producing,
    /// Not `Send`.
    stays: PhantomData<*const ()>,
}

/// The consuming side of a [`Stream`]. It stays with the task that took it.
#[derive(Debug)]
pub struct Consumer<T: 'static, const N: usize, const FROM: u8, const TO: u8> {
    stream: &'static Stream<T, N, FROM, TO>,
    side: Consuming,
    sleeps: u64,
    /// Not `Send`.
    stays: PhantomData<*const ()>,
}

// SAFETY:
// - A place is written by the one `Producer` and read by the one `Consumer`, each of which is used by one at a time, since it is
//   taken once and its calls need a unique reference; and `positions` gives it to one of the two.
// - Items go from one core to the other, hence `T: Send`.
unsafe impl<T: Send, const N: usize, const FROM: u8, const TO: u8> Sync for Stream<T, N, FROM, TO> {}

impl<T, const N: usize, const FROM: u8, const TO: u8> fmt::Debug for Stream<T, N, FROM, TO> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("from", &FROM).field("to", &TO).finish_non_exhaustive()
    }
}

impl<T: Copy + Send, const N: usize, const FROM: u8, const TO: u8> Default for Stream<T, N, FROM, TO> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy + Send, const N: usize, const FROM: u8, const TO: u8> Stream<T, N, FROM, TO> {
    /// A stream into which nothing was written.
    #[must_use]
    pub const fn new() -> Self {
        const {
            assert!((FROM as usize) < CORES && (TO as usize) < CORES, "takt: the cores of a Stream are 0 to 3");
        };
        Self {
            positions: Positions::new(),
            told: Event::new(),
            line: Line::new(),
            has_producer: AtomicBool::new(false),
            has_consumer: AtomicBool::new(false),
            places: Places(UnsafeCell::new([const { MaybeUninit::uninit() }; N])),
        }
    }

    /// The line of the table that makes the stream known.
    pub const fn port(&'static self) -> PortLine {
        PortLine::new(TO, self)
    }

    /// The producing side; `None` where it was taken already. Called by a task of core `FROM`: on another core the run ends.
    pub fn producer(&'static self) -> Option<Producer<T, N, FROM, TO>> {
        self.take_side(&self.has_producer, "producing", FROM)?;
        Some(Producer { stream: self, side: Producing::new(), stays: PhantomData })
    }

    /// The consuming side; `None` where it was taken already. Called by a task of core `TO`: on another core the run ends.
    pub fn consumer(&'static self) -> Option<Consumer<T, N, FROM, TO>> {
        self.take_side(&self.has_consumer, "consuming", TO)?;
        Some(Consumer { stream: self, side: Consuming::new(), sleeps: 0, stays: PhantomData })
    }

    /// `None` where the side of core `home` was taken.
    fn take_side(&self, is_taken: &AtomicBool, side: &str, home: u8) -> Option<()> {
        if cores::this_core() != usize::from(home) {
            streams::taken_elsewhere(side, home);
        }
        // Ends the run where there is no line: the consumer would never be told.
        self.line.bit();
        // Relaxed: all that take it are on one core.
        (!is_taken.swap(true, Ordering::Relaxed)).then_some(())
    }

    /// The first place of a piece, which the compiler cannot see to be below `N`.
    #[inline(always)]
    fn place(&self, piece: Piece) -> *mut T {
        // SAFETY: the positions are those of N places.
        unsafe { self.places.0.get().cast::<T>().add(piece.place) }
    }

    /// Tells the consumer, which waits.
    #[cold]
    #[inline(never)]
    fn tell(&self) {
        if FROM == TO {
            self.told.set();
        } else {
            self.line.tell(usize::from(TO));
        }
    }
}

impl<T: Copy + Send, const N: usize, const FROM: u8, const TO: u8> Producer<T, N, FROM, TO> {
    /// Writes `items`, or the first of them where not all have a place. Answers how many. It does not wait, and interrupts are
    /// on, except for a moment where a consumer on another core is told.
    #[inline]
    #[must_use = "the others were not written"]
    pub fn write(&mut self, items: &[T]) -> usize {
        let stream = self.stream;
        let run = self.side.write(&stream.positions, items.len(), |piece| {
            let Some(items) = items.get(piece.item..) else { return };
            // SAFETY: there are `piece.count` items from there on, as many as there are places, which are the producer's: the
            // consumer looks at them behind this.
            unsafe { stream.place(piece).copy_from_nonoverlapping(items.as_ptr(), piece.count) };
        });
        if run.tell {
            stream.tell();
        }
        run.count
    }

    /// How many items could be written now, at least.
    pub fn room(&mut self) -> usize {
        self.side.room(&self.stream.positions, N)
    }

    /// How many calls of [`Self::write`] did not find a place for all items.
    #[must_use]
    pub const fn found_full(&self) -> u64 {
        self.side.found_full()
    }
}

impl<T: Copy + Send, const N: usize, const FROM: u8, const TO: u8> Consumer<T, N, FROM, TO> {
    /// Reads into `items`, or into the first of them where there are fewer. Answers how many. It does not wait, and interrupts
    /// are on.
    #[inline]
    #[must_use = "the others were not read"]
    pub fn read(&mut self, items: &mut [T]) -> usize {
        let stream = self.stream;
        self.side.read(&stream.positions, items.len(), |piece| {
            let Some(items) = items.get_mut(piece.item..) else { return };
            // SAFETY: there is room for `piece.count` from there on, as many as there are items in these places, which are the
            // consumer's: the producer writes over them behind this.
            unsafe { items.as_mut_ptr().copy_from_nonoverlapping(stream.place(piece), piece.count) };
        })
    }

    /// Lets `look` look at items where they are, and say how many of them, from the first on, it has used: these are gone from
    /// the stream. They are those that lie one behind the other, so that there may be more behind them, where the places begin
    /// anew. Answers how many were used; `None` where there is no item.
    #[inline]
    pub fn read_with(&mut self, look: impl FnOnce(&[T]) -> usize) -> Option<usize> {
        let stream = self.stream;
        self.side.look(&stream.positions, |piece| {
            // SAFETY: there are `piece.count` items in these places, which are the consumer's until `look` has answered.
            look(unsafe { slice::from_raw_parts(stream.place(piece), piece.count) })
        })
    }

    /// How many items could be read now, at least.
    pub fn available(&mut self) -> usize {
        self.side.available(&self.stream.positions, N)
    }

    /// Waits until there are `least` items, `N` at the most: where there are so many, without a kernel step.
    #[inline]
    pub fn wait_for(&mut self, least: usize) {
        if self.side.available(&self.stream.positions, least) < least {
            // It cannot time out.
            let _ = self.sleep(least, None);
        }
    }

    /// As [`Self::wait_for`], but until `deadline` at the most.
    ///
    /// # Errors
    /// [`TimedOut`] where there were fewer by then. They can be read.
    pub fn wait_for_until(&mut self, least: usize, deadline: Instant) -> Result<(), TimedOut> {
        if self.side.available(&self.stream.positions, least) < least {
            return self.sleep(least, Some(deadline));
        }
        Ok(())
    }

    /// Each turn asks anew: who is told may find too few.
    #[cold]
    #[inline(never)]
    fn sleep(&mut self, least: usize, until: Option<Instant>) -> Result<(), TimedOut> {
        if least > N {
            streams::waits_for_too_many(least, N);
        }
        while self.side.ask(&self.stream.positions, least) {
            self.sleeps = self.sleeps.wrapping_add(1);
            let Some(deadline) = until else {
                self.stream.told.wait();
                continue;
            };
            if let Err(timed_out) = self.stream.told.wait_until(deadline) {
                self.side.ask_no_more(&self.stream.positions);
                // What came before the task ran again is its own.
                let are_there = self.side.available(&self.stream.positions, least) >= least;
                return if are_there { Ok(()) } else { Err(timed_out) };
            }
        }
        Ok(())
    }

    /// How often the task slept to wait for items: once a wait that had to, and again where it was told and found too few.
    #[must_use]
    pub const fn sleeps(&self) -> u64 {
        self.sleeps
    }

    /// How many calls found no item to read.
    #[must_use]
    pub const fn found_empty(&self) -> u64 {
        self.side.found_empty()
    }
}

impl<T: Copy + Send, const N: usize, const FROM: u8, const TO: u8> Port for Stream<T, N, FROM, TO> {
    fn admit(&self, number: usize) -> bool {
        self.line.admit(number)
    }

    fn deliver(&self, _sender: usize, _most: u32) -> Delivered {
        self.told.set_from_handler();
        Delivered { letters: 1, are_more: false }
    }
}
