// SPDX-License-Identifier: MIT OR Apache-2.0
//! A result explained in words and bars, `--explain`.

use super::number::{Thousandths, mean_ns};
use super::{Column, Span, Stage};
use crate::histogram::View;
use crate::time::Rate;
use core::fmt::{self, Write};

/// How many rows the bars have at most, besides one for what is before the due instant and one for what is above.
const ROWS: u64 = 18;

/// What a maximum below so many microseconds would do for. The last one is for all that is above.
const USES: [(u32, &str); 3] = [
    (10, "motor control at 1 kHz and above (10 us are 1 % of 1 ms)"),
    (100, "control loops and field buses up to 1 kHz that bear a jitter of 10 % of 1 ms, and audio"),
    (1_000, "loops up to 100 Hz (1 ms is 10 % of 10 ms), polled sensors, user interfaces"),
];

/// Writes what a column's result means, in comment lines: minimum, mean, maximum and standard deviation; a bar for each range
/// of latencies; how many samples are within one microsecond of the mode; what such a result is good for, by the maximum, with
/// the thresholds; and that an observed maximum is no guarantee.
///
/// Times are microseconds, floored to the nanosecond; the standard deviation too. The rows go from the minimum to the p99.9 in
/// equal steps of whole counter ticks, so that few late samples do not press all others into one row: these have a last row of
/// their own, with all that is above the one-tick bins. Bars are logarithmic.
///
/// The mode is the one-tick bin that holds most (the first of equals), given where it begins. Samples below zero are not
/// counted as near it, since it is not known how far below they are.
///
/// # Errors
///
/// When `out` fails.
pub fn write_explanation(out: &mut dyn Write, column: &Column<'_>, rate: Rate) -> fmt::Result {
    let Column { histogram, stage, task, .. } = column;
    write!(out, "# Explain {}:{task}: ", stage.name())?;
    let (Some(minimum), Some(maximum)) = (histogram.minimum_half_ticks(), histogram.maximum_half_ticks()) else {
        return out.write_str("no samples\n");
    };
    let until = match stage {
        Stage::Handler => "the interrupt handler's first statement",
        Stage::Task => "the task's first statement",
        Stage::Done => "the end of the task's job",
    };
    writeln!(out, "{} samples, from the due instant to {until}", histogram.count())?;
    let mean = Thousandths::from_wide(mean_ns(&Span::of(histogram), rate).unwrap_or(0));
    let (least, most) = (Thousandths::us(minimum, rate), Thousandths::us(maximum, rate));
    let deviation = deviation_us(histogram, rate);
    writeln!(out, "#   min {least} us, mean {mean} us, max {most} us, standard deviation {deviation} us")?;
    write_bars(out, histogram, rate)?;
    write_mode(out, histogram, rate)?;
    write_use(out, maximum, rate)?;
    let skipped = histogram.skipped().count;
    if skipped > 0 || column.overruns > 0 {
        let overruns = column.overruns;
        write!(out, "#   But {skipped} releases were skipped and {overruns} came while the job before still ran: ")?;
        out.write_str("the period was too short.\n")?;
    }
    out.write_str("#   An observed maximum is no guarantee: a longer run or another load may show a larger one.\n")
}

/// The standard deviation in microseconds.
fn deviation_us(histogram: &View<'_>, rate: Rate) -> Thousandths {
    // Thousandths of a half tick over half ticks in a microsecond: nanoseconds.
    let thousandths = histogram.all().deviation_thousandths().unwrap_or(0);
    Thousandths::from_wide(i128::from(thousandths / rate.half_ticks_per_us()))
}

fn write_bars(out: &mut dyn Write, histogram: &View<'_>, rate: Rate) -> fmt::Result {
    out.write_str("#   Bars are logarithmic: one mark for one sample, one more each time the count doubles.\n")?;
    let early = histogram.early().count;
    if early > 0 {
        write!(out, "#   {:>27}", "before due")?;
        write_bar(out, early)?;
    }
    let tick_of = |half_ticks: i64| u64::try_from(half_ticks >> 1).unwrap_or(0);
    let first = tick_of(histogram.minimum_half_ticks().unwrap_or(0));
    let last = tick_of(histogram.quantile(999, 1_000).map_or(0, |quantile| quantile.highest_half_ticks));
    let end = last.saturating_add(1).min(histogram.linear_bins().len() as u64);
    let width = end.saturating_sub(first).div_ceil(ROWS).max(1);
    let (mut from, mut above) = (first, histogram.count().wrapping_sub(early));
    while from < end && above > 0 {
        let to = from.saturating_add(width);
        let count = count_in(histogram, from, to);
        write!(out, "#   {:10} to {:10} us", tick_us(from, rate), tick_us(to, rate))?;
        write_bar(out, count)?;
        (from, above) = (to, above.wrapping_sub(count));
    }
    if above > 0 {
        write!(out, "#   {:10} {:16}", tick_us(from, rate), "us and above")?;
        write_bar(out, above)?;
    }
    Ok(())
}

/// A mark for one sample and one more for each doubling, and the count itself.
fn write_bar(out: &mut dyn Write, count: u64) -> fmt::Result {
    out.write_str(" |")?;
    let marks = count.checked_ilog2().map_or(0, |log| log.wrapping_add(1));
    (0..marks).try_for_each(|_| out.write_str("#"))?;
    writeln!(out, " {count}")
}

fn write_mode(out: &mut dyn Write, histogram: &View<'_>, rate: Rate) -> fmt::Result {
    let fullest = histogram.linear_bins().iter().zip(0_u64..).filter(|(count, _)| **count > 0);
    let fullest = fullest.reduce(|fullest, next| if next.0 > fullest.0 { next } else { fullest });
    let Some((_, mode)) = fullest else {
        return out.write_str("#   There is no mode: no bin of one tick holds a sample.\n");
    };
    let us_in_ticks = rate.half_ticks_per_us().get() / 2;
    let end = mode.saturating_add(us_in_ticks).saturating_add(1);
    let near = i128::from(count_in(histogram, mode.saturating_sub(us_in_ticks), end));
    // In thousandths of a percent.
    let share = near.wrapping_mul(100_000).checked_div(i128::from(histogram.count())).unwrap_or(0);
    let (share, mode) = (Thousandths::from_wide(share), tick_us(mode, rate));
    writeln!(out, "#   The mode is {mode} us: {share} % of the samples are within 1 us of it.")
}

fn write_use(out: &mut dyn Write, maximum_half_ticks: i64, rate: Rate) -> fmt::Result {
    let half_ticks = |us: u32| i64::from(us).saturating_mul(rate.half_ticks_per_us().get().cast_signed());
    match USES.iter().find(|(us, _)| maximum_half_ticks < half_ticks(*us)) {
        Some((us, uses)) => writeln!(out, "#   The maximum is below {us} us: good for {uses}.")?,
        None => out.write_str("#   The maximum is 1000 us or more: good for work without deadlines only.\n")?,
    }
    out.write_str("#   (The thresholds are 10 us, 100 us and 1000 us.)\n")
}

/// How many samples the one-tick bins `from..to` hold, as far as there are any.
fn count_in(histogram: &View<'_>, from: u64, to: u64) -> u64 {
    let bins = histogram.linear_bins();
    let index = |tick: u64| usize::try_from(tick).unwrap_or(usize::MAX).min(bins.len());
    bins.get(index(from)..index(to)).unwrap_or(&[]).iter().fold(0, |sum: u64, &count| sum.wrapping_add(count))
}

/// Where a counter tick begins, in microseconds.
fn tick_us(tick: u64, rate: Rate) -> Thousandths {
    Thousandths::us(i64::try_from(tick.saturating_mul(2)).unwrap_or(i64::MAX), rate)
}
