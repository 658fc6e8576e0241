// SPDX-License-Identifier: MIT OR Apache-2.0
//! Xenomai's histograms: of the minima of the seconds, of all samples, of the maxima of the seconds.
//!
//! A bucket is `-B` nanoseconds wide, and there are `-H` of them; the last one holds what is beyond. A sample is put there by
//! the first tick of its bin: exact up to the tick, and where a bucket's border falls inside a tick, that tick counts where it
//! begins. Latencies below zero are in the first bucket; Xenomai puts them where their absolute value belongs.
//!
//! Mean and standard deviation are in *buckets*, from the buckets' numbers, as Xenomai's: microseconds where a bucket is 1000
//! ns wide, and half a bucket below the truth. They are rounded to the nearest thousandth. Where there is no sample both are 0.

use super::Sampling;
use crate::histogram::{Tally, View};
use crate::report::Span;
use crate::report::number::Thousandths;
use crate::time::Rate;
use core::fmt::{self, Write};

/// Which buckets there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buckets {
    /// How wide one is, in nanoseconds: `-B`, 1000 where nothing is said. 0 counts as 1.
    pub width_ns: u32,
    /// How many: `-H`, 300 where nothing is said. The last one holds what is beyond, too.
    pub count: u32,
    /// The counter's.
    pub rate: Rate,
}

/// What Xenomai makes histograms of.
#[derive(Clone, Copy, Debug)]
pub struct Spread<'a> {
    /// The smallest latency of each second.
    pub minima: View<'a>,
    /// All latencies. Xenomai calls this histogram `avg`.
    pub all: View<'a>,
    /// The largest latency of each second.
    pub maxima: View<'a>,
}

impl<'a> Spread<'a> {
    /// With Xenomai's names and in its order: the maxima come last, where they are seen without scrolling.
    const fn named(&self) -> [(&'static str, View<'a>); 3] {
        [("min", self.minima), ("avg", self.all), ("max", self.maxima)]
    }
}

impl Buckets {
    /// The bucket in which a counter tick begins.
    fn bucket_of(&self, tick: u64) -> u32 {
        // A tick is 2000 / half_ticks_per_us nanoseconds; both factors below are far less than 2^64.
        let divisor = self.rate.half_ticks_per_us().get().wrapping_mul(u64::from(self.width_ns.max(1)));
        let bucket = tick.saturating_mul(2_000).checked_div(divisor).unwrap_or_default();
        u32::try_from(bucket).unwrap_or(u32::MAX).min(self.count.saturating_sub(1))
    }

    /// Shows each bucket that holds something, and how much, in rising order.
    fn each(&self, histogram: &View<'_>, show: &mut dyn FnMut(u32, u64) -> fmt::Result) -> fmt::Result {
        let (mut bucket, mut held) = (0, histogram.early().count);
        for bin in histogram.bins() {
            let next = self.bucket_of(bin.first_tick).max(bucket);
            if next != bucket && held > 0 {
                show(bucket, held)?;
                held = 0;
            }
            bucket = next;
            held = held.wrapping_add(bin.count);
        }
        if held > 0 { show(bucket, held) } else { Ok(()) }
    }

    /// Where `halves` half buckets from zero lie.
    fn position(&self, halves: u64) -> Position {
        Position(halves.wrapping_mul(u64::from(self.width_ns.max(1))).wrapping_mul(5))
    }
}

/// Writes the rows of `-h`: of each histogram a header and the buckets that hold something.
///
/// # Errors
///
/// When `out` fails.
pub fn write_buckets(out: &mut dyn Write, buckets: &Buckets, spread: &Spread<'_>) -> fmt::Result {
    for (name, histogram) in spread.named() {
        out.write_str("---|--param|----range-|--samples\n")?;
        buckets.each(&histogram, &mut |bucket, count| {
            writeln!(out, "HSD|    {name}| {bucket:3} -{:3} | {count:8}", bucket.saturating_add(1))
        })?;
    }
    Ok(())
}

/// Writes the statistics, which follow with `-h` and with `-s`.
///
/// # Errors
///
/// When `out` fails.
pub fn write_statistics(out: &mut dyn Write, buckets: &Buckets, spread: &Spread<'_>) -> fmt::Result {
    out.write_str("HSH|--param|--samples-|--average--|---stddev--\n")?;
    for (name, histogram) in spread.named() {
        // A tally whose unit is a bucket.
        let mut all = Tally::new();
        buckets.each(&histogram, &mut |bucket, count| {
            let sum = u128::from(count).wrapping_mul(u128::from(bucket));
            all.count = all.count.wrapping_add(count);
            all.sum_half_ticks = all.sum_half_ticks.wrapping_add(sum.cast_signed());
            all.sum_of_squares = all.sum_of_squares.wrapping_add(sum.wrapping_mul(u128::from(bucket)));
            Ok(())
        })?;
        let count = i128::from(all.count);
        let twice = all.sum_half_ticks.wrapping_mul(2_000).wrapping_add(count);
        let mean = Thousandths::from_wide(twice.checked_div(count.wrapping_mul(2)).unwrap_or(0));
        let deviation = Thousandths::from_wide(i128::from(all.deviation_thousandths().unwrap_or(0)));
        writeln!(out, "HSS|    {name}| {count:9}| {mean:10}| {deviation:10}")?;
    }
    Ok(())
}

/// Writes what `-g` writes into a file: three comment lines, and the histogram of all samples as `x count+1` from its first
/// bucket to its last, at the centres of the buckets, with an `x 1` at the outer edge on both sides, so that an axis of
/// logarithms never meets 0. Without a sample there are the comments alone.
///
/// Xenomai adds its build as comments; of takt's the report's other `#` lines tell.
///
/// # Errors
///
/// When `out` fails.
pub fn write_gnuplot(
    out: &mut dyn Write,
    buckets: &Buckets,
    histogram: &View<'_>,
    sampling: &Sampling,
    overruns: u64,
    ran_s: u64,
) -> fmt::Result {
    let Sampling { mode, period_us, priority, rate } = sampling;
    let (ran, mode) = (super::Clock(ran_s), mode.name());
    writeln!(out, "# {ran} ({mode}, {period_us} us period, priority {priority})")?;
    out.write_str("# ----lat min|----lat avg|----lat max|-overrun|---msw|\n")?;
    let [minimum, mean, maximum] = Span::of(histogram).shown(*rate);
    writeln!(out, "# {minimum:11}|{mean:11}|{maximum:11}|{overruns:8}|     0|")?;
    // The bucket behind the last one that was written.
    let mut end: Option<u64> = None;
    buckets.each(histogram, &mut |bucket, count| {
        let bucket = u64::from(bucket);
        if end.is_none() {
            writeln!(out, "{} 1", buckets.position(bucket.wrapping_mul(2)))?;
        }
        for empty in end.unwrap_or(bucket)..bucket {
            writeln!(out, "{} 1", buckets.centre(empty))?;
        }
        end = Some(bucket.wrapping_add(1));
        writeln!(out, "{} {}", buckets.centre(bucket), count.wrapping_add(1))
    })?;
    match end {
        Some(end) => writeln!(out, "{} 1", buckets.position(end.wrapping_mul(2))),
        None => Ok(()),
    }
}

impl Buckets {
    /// The middle of a bucket.
    fn centre(&self, bucket: u64) -> Position {
        self.position(bucket.wrapping_mul(2).wrapping_add(1))
    }
}

/// Ten-thousandths of a microsecond, printed as C's `%g` does: with six digits, and without zeros at the end. (From a second
/// on `%g` would turn to powers of ten; this does not.)
struct Position(u64);

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = (self.0 / 10_000).checked_ilog10().map_or(0, |log| log.wrapping_add(1));
        // From three digits before the point on there is no room for all four decimals: round to what there is room for.
        let unit = 10_u64.saturating_pow(digits.saturating_sub(2).min(4));
        let rounded = self.0.wrapping_add(unit / 2).checked_div(unit).unwrap_or(0).wrapping_mul(unit);
        let (whole, mut decimals, mut places) = (rounded / 10_000, rounded % 10_000, 4_usize);
        write!(formatter, "{whole}")?;
        if decimals == 0 {
            return Ok(());
        }
        while decimals.is_multiple_of(10) {
            decimals /= 10;
            places = places.wrapping_sub(1);
        }
        write!(formatter, ".{decimals:0places$}")
    }
}
