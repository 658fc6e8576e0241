//! The least and the most of a set of durations that several tasks add to.

use core::fmt;
use core::sync::atomic::{AtomicI64, Ordering};

/// The least and the most, in half ticks.
pub(crate) struct Range {
    least: AtomicI64,
    most: AtomicI64,
}

impl Range {
    /// No duration yet.
    pub(crate) const fn new() -> Self {
        Self { least: AtomicI64::new(i64::MAX), most: AtomicI64::new(i64::MIN) }
    }

    /// Adds a duration.
    #[inline(never)]
    pub(crate) fn add(&self, half_ticks: i64) {
        self.least.fetch_min(half_ticks, Ordering::Relaxed);
        self.most.fetch_max(half_ticks, Ordering::Relaxed);
    }

    /// The most.
    pub(crate) fn most_half_ticks(&self) -> i64 {
        self.most.load(Ordering::Relaxed)
    }
}

/// `min,max` in counter ticks, floored.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ticks = |half_ticks: &AtomicI64| half_ticks.load(Ordering::Relaxed) >> 1;
        write!(f, "{},{}", ticks(&self.least), ticks(&self.most))
    }
}
