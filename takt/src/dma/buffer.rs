// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory that can be lent to a channel.

use core::cell::UnsafeCell;
use core::fmt;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, Ordering};

/// `BYTES` bytes and, behind them, what is left of their last cache line: no neighbour shares one, which would be lost or
/// overwrite what the channel wrote when lines are dropped or written back [HW 6].
#[repr(C, align(64))]
struct Lines<const BYTES: usize>(UnsafeCell<[u8; BYTES]>);

/// A static buffer of `BYTES` bytes, zero at first, which is given once, as a [`Region`].
pub struct Buffer<const BYTES: usize> {
    lines: Lines<BYTES>,
    is_taken: AtomicBool,
}

// SAFETY: the bytes are reached by the one region that `take` makes.
unsafe impl<const BYTES: usize> Sync for Buffer<BYTES> {}

impl<const BYTES: usize> Buffer<BYTES> {
    /// A buffer that nobody has.
    #[expect(clippy::new_without_default, reason = "a buffer is a static; a default one would be a large temporary")]
    pub const fn new() -> Self {
        Self { lines: Lines(UnsafeCell::new([0; BYTES])), is_taken: AtomicBool::new(false) }
    }

    /// The buffer's memory, once. Called by tasks.
    ///
    /// # Errors
    /// Somebody has it.
    pub fn take(&'static self) -> Result<Region, BufferTaken> {
        if self.is_taken.swap(true, Ordering::Acquire) {
            return Err(BufferTaken);
        }
        Ok(Region { start: NonNull::from(&self.lines.0).cast(), bytes: BYTES })
    }
}

/// A buffer's memory was not given, since somebody has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferTaken;

impl fmt::Display for BufferTaken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .write_str("dma: this buffer is taken already; take it once, and hand its region to the task that uses it")
    }
}

impl core::error::Error for BufferTaken {}

/// Memory with one owner, aligned to cache lines and alone in them. It is used as a slice of bytes.
#[derive(Debug)]
pub struct Region {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: a region is the only way to its memory, which holds bytes and belongs to no task.
unsafe impl Send for Region {}

impl Region {
    /// Fills the region with words from its beginning, as far as both go, and answers how many bytes they take. A device
    /// takes words: a character each, or a pulse.
    pub fn put_words(&mut self, words: impl IntoIterator<Item = u32>) -> usize {
        let (places, _) = self.as_chunks_mut();
        let put = places.iter_mut().zip(words).map(|(place, word)| *place = word.to_le_bytes());
        put.count().saturating_mul(size_of::<u32>())
    }

    /// The address of the first byte.
    pub(super) fn address(&self) -> usize {
        self.start.as_ptr() as usize
    }
}

impl Deref for Region {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY:
        // - The memory is a static array of so many initialised bytes.
        // - No channel has it: a transfer takes the region by value and does not look into it before the channel is idle.
        // - This is the only region of it, borrowed for as long as the slice lives.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.bytes) }
    }
}

impl DerefMut for Region {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and borrowed uniquely.
        unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
    }
}
