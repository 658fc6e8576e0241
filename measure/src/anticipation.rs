// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much earlier than due the slots of a core are released: what Xenomai calls gravity.
//!
//! It is part of a slot's schedule. Its releases are programmed so much earlier, and how late a stage came is counted from the
//! due instant all the same; so a slot that came early has a negative lateness. The executive knows nothing of it.

use core::fmt::{self, Write};
use core::sync::atomic::{AtomicU64, Ordering};

use takt::clock;
use takt::kernel::histogram::half_ticks_to_ns;

/// What a core's slots anticipate: twice the half ticks, and one more where it is strict. A number, since a record of all zeros takes
/// no room in the image, and one with a `bool` in an `Option` is not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Anticipation(u64);

impl Anticipation {
    /// Nothing is anticipated.
    pub(crate) const NONE: Self = Self(0);

    /// So many half ticks. A task that is released before it is due waits, in a loop, until it is, where it `is_strict`.
    pub(crate) fn new(half_ticks: u64, is_strict: bool) -> Self {
        Self(half_ticks.wrapping_shl(1) | u64::from(is_strict))
    }

    /// How much, in half ticks.
    pub(crate) fn half_ticks(self) -> u64 {
        self.0 >> 1
    }

    /// Whether no task begins before it is due.
    pub(crate) fn is_strict(self) -> bool {
        self.0 & 1 == 1
    }

    /// How much, in nanoseconds, rounded down.
    pub(crate) fn ns(self) -> i128 {
        half_ticks_to_ns(clock::rate(), self.half_ticks().cast_signed())
    }
}

/// Of each core. Written and read by the console task alone.
static OF_CORES: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];

/// What the slots of `core` anticipate.
pub(crate) fn of(core: u8) -> Anticipation {
    OF_CORES.get(usize::from(core)).map_or(Anticipation::NONE, |of| Anticipation(of.load(Ordering::Relaxed)))
}

/// From their next runs on the slots of `core` anticipate so much.
pub(crate) fn set(core: u8, anticipation: Anticipation) {
    if let Some(of) = OF_CORES.get(usize::from(core)) {
        of.store(anticipation.0, Ordering::Relaxed);
    }
}

/// Writes a line for each core that anticipates anything.
pub(crate) fn write(out: &mut dyn Write) -> fmt::Result {
    (0..4_u8).filter(|core| of(*core) != Anticipation::NONE).try_for_each(|core| write_one(out, core))
}

/// Writes what `core` anticipates.
pub(crate) fn write_one(out: &mut dyn Write, core: u8) -> fmt::Result {
    let anticipation = of(core);
    let strict = if anticipation.is_strict() { ", and no task begins before it is due" } else { "" };
    writeln!(out, "# Anticipation: core {core} is released {} ns before due{strict}", anticipation.ns())
}
