// SPDX-License-Identifier: MIT OR Apache-2.0
//! Static latency histograms: what was measured, without loss, in a size known at compile time.
//!
//! A value is a lateness in *half* `CNTPCT` ticks, `2 · CNTPCT − due`, and may be negative. A [`Histogram`] keeps
//!
//! * one bin per whole counter tick for ticks `0..LINEAR_BINS` (a value is *floored to the tick it was stamped with*:
//!   `tick = value >> 1`, so a due instant on a half tick loses half a tick, 9.26 ns at 54 MHz, in the bins only);
//! * above them 16 bins per octave ([`LogBin`]: no wider than 1/16 of their first tick) up to 2⁴⁰ ticks;
//! * exact to the half tick: count, minimum, maximum, sum and sum of squares of everything, and count and sums of what
//!   is `early` (negative) and of what is `overflow` (at or above the limit of this run);
//! * the cycle numbers of the first [`OVERFLOW_CYCLES`] overflows;
//! * how many releases were skipped and the lateness they had, apart from the rest.
//!
//! The *limit of this run* is cyclictest's `-h N`: [`Histogram::reset`] takes it in ticks, and it may lie anywhere
//! within the one-tick bins. A value at or above the limit is an overflow, yet still lands in its bin.
//!
//! **Identity.** Each value is counted once in `count` and once in exactly one bin (or as early), by separate counters:
//! bins below the limit + overflow + early = count, and bins from the limit on = overflow.
//! [`View::identity_holds`] adds them up.
//!
//! **Who may run concurrently.** Nobody: recording and resetting need `&mut`, and belong to the one task that owns the
//! histogram. The interrupt path stores stamps only; the task records at its next wait.
//!
//! **What cannot happen.** No loop, division, allocation or panic on the recording path. Counters are `u64` and the
//! sums 128 bits wide; they are exact as long as no more than 2³² values of less than 2⁴⁸ half ticks (30 days at
//! 54 MHz) are recorded, and far beyond that for ordinary latencies.

mod bucket;
mod log_linear;
mod tally;
mod totals;
mod view;

pub use bucket::{BucketWidth, counter_hz, half_ticks_to_ns};
pub use log_linear::{LOG_BINS, LogBin, SUB_BINS_PER_OCTAVE, TOP_TICK_LOG2};
pub use tally::{Mean, Skipped, Tally};
pub use view::{Quantile, View};

use core::fmt;
use totals::Totals;

/// How many overflows are kept by cycle number; later ones are counted only. cyclictest keeps `-h N` of them, from an
/// allocation; 64 covers a run that is still worth reading.
pub const OVERFLOW_CYCLES: usize = 64;

/// A histogram of lateness with `LINEAR_BINS` bins of one counter tick, made to stand in a `static`.
///
/// Size in bytes: `8 · LINEAR_BINS` and about 5.2 KiB for the rest.
#[derive(Debug)]
pub struct Histogram<const LINEAR_BINS: usize> {
    linear: [u64; LINEAR_BINS],
    totals: Totals,
}

/// [`Histogram::reset`] was given a limit above the one-tick bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitBeyondBins {
    /// The limit asked for, in counter ticks.
    pub overflow_at_ticks: u64,
    /// The largest limit this histogram can hold, in counter ticks.
    pub linear_bins: usize,
}

impl fmt::Display for LimitBeyondBins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { overflow_at_ticks, linear_bins } = self;
        write!(f, "histogram: a limit of {overflow_at_ticks} ticks is above the {linear_bins} bins of one tick")
    }
}

impl core::error::Error for LimitBeyondBins {}

impl<const LINEAR_BINS: usize> Histogram<LINEAR_BINS> {
    /// An empty histogram whose overflow limit is all its one-tick bins.
    #[must_use]
    pub const fn new() -> Self {
        const {
            assert!(LINEAR_BINS >= SUB_BINS_PER_OCTAVE, "a histogram needs at least 16 bins of one tick");
        }
        Self { linear: [0; LINEAR_BINS], totals: Totals::new(LINEAR_BINS as u64) }
    }

    /// An empty histogram whose limit is 0 ticks: until [`Self::reset`], every value that is not early is an overflow.
    ///
    /// All its bytes are zero, so that as a static it takes no room in the image.
    #[must_use]
    pub const fn zeroed() -> Self {
        Self { linear: [0; LINEAR_BINS], totals: Totals::new(0) }
    }

    /// Empties the histogram for a run in which values of `overflow_at_ticks` counter ticks and more are overflows
    /// ([`BucketWidth::first_tick_of`] gives it for cyclictest's `-h N`).
    ///
    /// # Errors
    ///
    /// [`LimitBeyondBins`] if the limit is above `LINEAR_BINS`; the histogram is then unchanged.
    pub fn reset(&mut self, overflow_at_ticks: u64) -> Result<(), LimitBeyondBins> {
        if overflow_at_ticks > LINEAR_BINS as u64 {
            return Err(LimitBeyondBins { overflow_at_ticks, linear_bins: LINEAR_BINS });
        }
        self.linear.fill(0);
        self.totals.reset(overflow_at_ticks);
        Ok(())
    }

    /// Records the lateness of one release, in half counter ticks; `cycle` is its number within the run, from 0, kept
    /// if it is one of the first overflows.
    #[inline]
    pub fn record(&mut self, lateness_half_ticks: i64, cycle: u64) {
        self.totals.add(lateness_half_ticks);
        // A negative tick is a huge unsigned one, so a single comparison parts the common case from the two others.
        let tick = (lateness_half_ticks >> 1).cast_unsigned();
        let below_limit = if tick < self.totals.overflow_at_ticks() { bin_of(&mut self.linear, tick) } else { None };
        match below_limit {
            Some(bin) => *bin = bin.wrapping_add(1),
            None => self.totals.add_outside(&mut self.linear, lateness_half_ticks, cycle),
        }
    }

    /// Counts `count` releases that were collapsed because they had passed, and the lateness each had when it was:
    /// the first one `first_lateness_half_ticks`, each further one `period_half_ticks` less. They do not enter bins,
    /// count or sums; see [`Skipped`].
    pub fn record_skipped(&mut self, count: u64, first_lateness_half_ticks: i64, period_half_ticks: u64) {
        self.totals.add_skipped(count, first_lateness_half_ticks, period_half_ticks);
    }

    /// Everything there is to read, without the size in its type.
    #[must_use]
    pub const fn view(&self) -> View<'_> {
        View::new(&self.linear, &self.totals)
    }
}

impl<const LINEAR_BINS: usize> Default for Histogram<LINEAR_BINS> {
    fn default() -> Self {
        Self::new()
    }
}

/// The one-tick bin of `tick`, if there is one.
#[inline]
fn bin_of(linear: &mut [u64], tick: u64) -> Option<&mut u64> {
    linear.get_mut(usize::try_from(tick).ok()?)
}

#[cfg(test)]
mod tests;
