// SPDX-License-Identifier: MIT OR Apache-2.0
//! The part of a histogram whose size does not depend on the number of one-tick bins.

use super::log_linear::{LOG_BINS, index_of};
use super::{OVERFLOW_CYCLES, Skipped, Tally, bin_of};

/// Counters and sums of one histogram, and its log-linear bins.
#[derive(Debug)]
pub(super) struct Totals {
    overflow_at_ticks: u64,
    minimum_half_ticks: i64,
    maximum_half_ticks: i64,
    all: Tally,
    early: Tally,
    overflow: Tally,
    skipped: Skipped,
    overflow_cycles: [u64; OVERFLOW_CYCLES],
    log: [u64; LOG_BINS],
}

impl Totals {
    pub(super) const fn new(overflow_at_ticks: u64) -> Self {
        Self {
            overflow_at_ticks,
            minimum_half_ticks: 0,
            maximum_half_ticks: 0,
            all: Tally::new(),
            early: Tally::new(),
            overflow: Tally::new(),
            skipped: Skipped::new(),
            overflow_cycles: [0; OVERFLOW_CYCLES],
            log: [0; LOG_BINS],
        }
    }

    /// As new, in place: a fresh value would pass through the stack of the task, which is smaller than the bins.
    pub(super) fn reset(&mut self, overflow_at_ticks: u64) {
        let Self { log, overflow_cycles, .. } = self;
        log.fill(0);
        overflow_cycles.fill(0);
        self.overflow_at_ticks = overflow_at_ticks;
        self.minimum_half_ticks = 0;
        self.maximum_half_ticks = 0;
        self.all = Tally::new();
        self.early = Tally::new();
        self.overflow = Tally::new();
        self.skipped = Skipped::new();
    }

    /// What every value contributes, wherever it lands.
    #[inline]
    pub(super) fn add(&mut self, lateness_half_ticks: i64) {
        if self.all.count == 0 {
            // The first value is both, so that an empty histogram may hold anything here: zeros, in a static.
            (self.minimum_half_ticks, self.maximum_half_ticks) = (lateness_half_ticks, lateness_half_ticks);
        }
        self.minimum_half_ticks = self.minimum_half_ticks.min(lateness_half_ticks);
        self.maximum_half_ticks = self.maximum_half_ticks.max(lateness_half_ticks);
        self.all.add(lateness_half_ticks);
    }

    /// What an early or an overflowing value contributes besides.
    #[cold]
    pub(super) fn add_outside(&mut self, linear: &mut [u64], lateness_half_ticks: i64, cycle: u64) {
        let Ok(tick) = u64::try_from(lateness_half_ticks >> 1) else {
            self.early.add(lateness_half_ticks);
            return;
        };
        let kept = usize::try_from(self.overflow.count).ok().and_then(|index| self.overflow_cycles.get_mut(index));
        if let Some(slot) = kept {
            *slot = cycle;
        }
        self.overflow.add(lateness_half_ticks);
        let bin = match bin_of(linear, tick) {
            Some(bin) => Some(bin),
            None => self.log.get_mut(index_of(tick)),
        };
        if let Some(bin) = bin {
            *bin = bin.wrapping_add(1);
        }
    }

    pub(super) fn add_skipped(&mut self, count: u64, first_half_ticks: i64, period_half_ticks: u64) {
        self.skipped.add(count, first_half_ticks, period_half_ticks);
    }

    #[inline]
    pub(super) const fn overflow_at_ticks(&self) -> u64 {
        self.overflow_at_ticks
    }

    pub(super) const fn extremes_half_ticks(&self) -> (i64, i64) {
        (self.minimum_half_ticks, self.maximum_half_ticks)
    }

    pub(super) const fn all(&self) -> &Tally {
        &self.all
    }

    pub(super) const fn early(&self) -> &Tally {
        &self.early
    }

    pub(super) const fn overflow(&self) -> &Tally {
        &self.overflow
    }

    pub(super) const fn skipped(&self) -> &Skipped {
        &self.skipped
    }

    /// The cycle numbers of the first overflows, in the order they came.
    pub(super) fn overflow_cycles(&self) -> &[u64] {
        let kept = usize::try_from(self.overflow.count).unwrap_or(OVERFLOW_CYCLES).min(OVERFLOW_CYCLES);
        self.overflow_cycles.get(..kept).unwrap_or(&self.overflow_cycles)
    }

    pub(super) const fn log(&self) -> &[u64; LOG_BINS] {
        &self.log
    }
}
