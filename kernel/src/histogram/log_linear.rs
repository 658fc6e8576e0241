// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bins for values above the one-tick bins: an octave is cut into 16 equal bins.
//!
//! A tick `t` of at least 16 has its highest bit at `octave = floor(log2 t)`; the next four bits choose the bin. A bin
//! is therefore `2^(octave − 4)` ticks wide, at most 1/16 (6.25 %) of its first tick. The last bin holds everything
//! from 2⁴⁰ ticks on (5.6 hours at 54 MHz).

/// Bins per octave.
pub const SUB_BINS_PER_OCTAVE: usize = 1 << SUB_BITS;
/// The last bin starts at this power of two, in ticks.
pub const TOP_TICK_LOG2: u32 = 40;
/// Octaves 4 to 39, and one bin for everything above.
pub const LOG_BINS: usize = (TOP_TICK_LOG2 as usize - SUB_BITS as usize) * SUB_BINS_PER_OCTAVE + 1;

/// Bits of a tick, below its highest, that choose the bin.
const SUB_BITS: u32 = 4;
/// Those bits.
const SUB_MASK: u64 = (1 << SUB_BITS) - 1;

/// One bin above the one-tick bins, with what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogBin {
    /// The first tick of the bin.
    pub first_tick: u64,
    /// The last tick of the bin.
    pub last_tick: u64,
    /// How many values it holds.
    pub count: u64,
}

/// The index of the bin of `tick`. A tick below 16 would belong to the one-tick bins (there are at least 16) and is
/// given the first bin.
pub(super) fn index_of(tick: u64) -> usize {
    let octave = tick.checked_ilog2().unwrap_or(0);
    if octave >= TOP_TICK_LOG2 {
        return LOG_BINS - 1;
    }
    let Some(shift) = octave.checked_sub(SUB_BITS) else { return 0 };
    // `tick >> shift` is 16 to 31: 16, which the index of the octave's first bin lacks, and the bin within the octave.
    let within = tick.wrapping_shr(shift) & SUB_MASK;
    let index = u64::from(shift).wrapping_shl(SUB_BITS) | within;
    usize::try_from(index).unwrap_or(LOG_BINS - 1)
}

/// The first tick of bin `index`, the inverse of [`index_of`].
pub(super) fn first_tick_of(index: usize) -> u64 {
    let index = index as u64;
    let leading = (SUB_MASK + 1) | (index & SUB_MASK);
    // At most 2^40: 16 to 31, shifted by at most 36.
    leading.unbounded_shl(u32::try_from(index >> SUB_BITS).unwrap_or(u32::MAX))
}

/// The last tick of bin `index`; the last bin has no end.
pub(super) fn last_tick_of(index: usize) -> u64 {
    if index >= LOG_BINS - 1 { u64::MAX } else { first_tick_of(index.wrapping_add(1)).wrapping_sub(1) }
}
