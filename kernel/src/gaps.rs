// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gaps in a counter that is read again and again: while it went on, the core did not.

use crate::time::Instant;

/// Two reads in a row that lie far apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The former read.
    pub begins: Instant,
    /// How much later the latter was.
    pub half_ticks: u64,
}

/// What was found in all reads so far.
#[derive(Clone, Copy, Debug)]
pub struct Gaps {
    threshold_half_ticks: u64,
    reads: u64,
    above: u64,
    largest: Option<Gap>,
    largest_in_window: Option<Gap>,
}

impl Gaps {
    /// Nothing yet; gaps larger than the threshold will be counted.
    #[must_use]
    pub const fn above(threshold_half_ticks: u64) -> Self {
        Self { threshold_half_ticks, reads: 0, above: 0, largest: None, largest_in_window: None }
    }

    /// Reads the clock again and again, until a read lies `width_half_ticks` or more behind the first.
    #[inline]
    pub fn watch(&mut self, width_half_ticks: u64, mut clock: impl FnMut() -> Instant) {
        let Self { threshold_half_ticks, mut reads, mut above, .. } = *self;
        let first = clock();
        let (mut former, mut largest) = (first, Gap { begins: first, half_ticks: 0 });
        loop {
            let now = clock();
            let half_ticks = distance(former, now);
            reads = reads.wrapping_add(1);
            if half_ticks > largest.half_ticks {
                largest = Gap { begins: former, half_ticks };
            }
            if half_ticks > threshold_half_ticks {
                above = above.wrapping_add(1);
            }
            if distance(first, now) >= width_half_ticks {
                break;
            }
            former = now;
        }
        (self.reads, self.above) = (reads, above);
        self.largest_in_window = Some(largest);
        if self.largest.is_none_or(|known| largest.half_ticks > known.half_ticks) {
            self.largest = Some(largest);
        }
    }

    /// How many pairs of reads there were.
    #[must_use]
    pub const fn reads(&self) -> u64 {
        self.reads
    }

    /// How many gaps were larger than the threshold.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.above
    }

    /// The largest gap, above the threshold or not; the first of these.
    #[must_use]
    pub const fn largest(&self) -> Option<Gap> {
        self.largest
    }

    /// The largest of what was watched last.
    #[must_use]
    pub const fn largest_in_window(&self) -> Option<Gap> {
        self.largest_in_window
    }
}

fn distance(from: Instant, to: Instant) -> u64 {
    to.half_ticks().wrapping_sub(from.half_ticks())
}

#[cfg(test)]
mod tests {
    use super::{Gap, Gaps};
    use crate::time::Instant;

    /// A clock that shows these half ticks one after the other.
    fn clock(half_ticks: &[u64]) -> impl FnMut() -> Instant {
        let mut shown = half_ticks.iter();
        move || Instant::from_half_ticks(*shown.next().unwrap())
    }

    fn gap(begins: u64, half_ticks: u64) -> Option<Gap> {
        Some(Gap { begins: Instant::from_half_ticks(begins), half_ticks })
    }

    #[test]
    fn the_largest_gap_has_its_instant_and_those_above_are_counted() {
        let mut gaps = Gaps::above(20);
        gaps.watch(100, clock(&[1_000, 1_010, 1_031, 1_051, 1_081, 1_100]));
        assert_eq!((gaps.reads(), gaps.count(), gaps.largest()), (5, 2, gap(1_051, 30)));
    }

    #[test]
    fn what_lies_between_two_windows_is_no_gap() {
        let mut gaps = Gaps::above(20);
        gaps.watch(20, clock(&[0, 10, 25]));
        gaps.watch(20, clock(&[9_000, 9_010, 9_020]));
        assert_eq!((gaps.reads(), gaps.count()), (4, 0));
        assert_eq!((gaps.largest(), gaps.largest_in_window()), (gap(10, 15), gap(9_000, 10)));
    }

    #[test]
    fn a_gap_across_the_end_of_a_window_and_of_the_counter_is_one() {
        let mut gaps = Gaps::above(20);
        gaps.watch(20, clock(&[u64::MAX - 4, 5, 500]));
        assert_eq!((gaps.count(), gaps.largest()), (1, gap(5, 495)));
    }

    #[test]
    fn a_gap_as_large_as_the_threshold_is_not_above_it() {
        let mut gaps = Gaps::above(20);
        gaps.watch(40, clock(&[0, 20, 40]));
        assert_eq!((gaps.count(), gaps.largest()), (0, gap(0, 20)));
    }
}
