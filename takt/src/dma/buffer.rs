// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory that can be lent to a channel.

use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use crate::board::Once;

/// `BYTES` bytes and, behind them, what is left of their last cache line: no neighbour shares one, which would be lost or
/// overwrite what the channel wrote when lines are dropped or written back [HW 6].
#[repr(C, align(64))]
struct Lines<const BYTES: usize>(UnsafeCell<[u8; BYTES]>);

/// A static buffer of `BYTES` bytes, zero at first, which is given once, as a [`Region`].
pub struct Buffer<const BYTES: usize> {
    lines: Lines<BYTES>,
    once: Once,
}

// SAFETY: the bytes are reached by the one region that `take` makes.
unsafe impl<const BYTES: usize> Sync for Buffer<BYTES> {}

impl<const BYTES: usize> Buffer<BYTES> {
    /// A buffer that nobody has.
    #[expect(clippy::new_without_default, reason = "a buffer is a static; a default one would be a large temporary")]
    pub const fn new() -> Self {
        Self { lines: Lines(UnsafeCell::new([0; BYTES])), once: Once::new() }
    }

    /// The buffer, for the first who asks.
    pub fn take(&'static self) -> Option<Region> {
        let start = NonNull::new(self.lines.0.get().cast::<u8>())?;
        self.once.take().then_some(Region { start, bytes: BYTES })
    }
}

/// Memory with one owner, aligned to cache lines and alone in them. It is used as a slice of bytes.
#[derive(Debug)]
pub struct Region {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: a region is the only way to its memory, which holds bytes and belongs to no task.
unsafe impl Send for Region {}

impl Region {
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
