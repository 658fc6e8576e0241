// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a histogram block of cyclictest has no place for.

use super::number::Extremes;
use super::{Block, Column, Span};
use crate::histogram::BucketWidth;
use crate::time::Rate;
use core::fmt::{self, Write};

/// Writes the `#` lines that follow a histogram block; a number per column, in the columns' order:
///
/// * `# Columns:` stage and task of each;
/// * `# Count:` all recorded values, so that a reader can check `Total + Overflows + Early = Count`;
/// * `# Early:` values below zero, which are in no row;
/// * `# Skipped:` releases that were collapsed because they had passed (cyclictest does not count them);
/// * `# Overruns:` releases that came while the previous job still ran;
/// * with rows of one counter tick, `# Unit:` the width of a tick and `# Min ns:`, `# Avg ns:`, `# Max ns:` (words
///   other than the block's, because scripts look for `Max Latencies`);
/// * `# Identity:` only where the accounting of a column fails, which takt considers a fault of its own.
///
/// # Errors
///
/// When `out` fails.
pub fn write_notes(out: &mut dyn Write, block: &Block, columns: &[Column<'_>]) -> fmt::Result {
    out.write_str("# Columns:")?;
    for column in columns {
        write!(out, " {}:{}", column.stage.name(), column.task)?;
    }
    out.write_str("\n# Count:")?;
    columns.iter().try_for_each(|column| write!(out, " {:09}", column.histogram.count()))?;
    out.write_str("\n# Early:")?;
    columns.iter().try_for_each(|column| write!(out, " {:05}", column.histogram.early().count))?;
    out.write_str("\n# Skipped:")?;
    columns.iter().try_for_each(|column| write!(out, " {:05}", column.histogram.skipped().count))?;
    out.write_str("\n# Overruns:")?;
    columns.iter().try_for_each(|column| write!(out, " {:05}", column.overruns))?;
    out.write_str("\n")?;
    if let BucketWidth::Tick(rate) = block.width {
        write_tick_unit(out, rate)?;
        write_nanoseconds(out, rate, columns)?;
    }
    for (index, column) in columns.iter().enumerate() {
        if !adds_up(block, column) {
            writeln!(out, "# Identity: rows + overflows + early is not the count in column {index}")?;
        }
    }
    Ok(())
}

/// Whether the histogram accounts for every value, and its limit is the end of the rows that were printed.
fn adds_up(block: &Block, column: &Column<'_>) -> bool {
    column.histogram.identity_holds() && column.histogram.overflow_at_ticks() == block.width.first_tick_of(block.rows)
}

/// The width of a tick: whole nanoseconds where it is (16 ns in QEMU), otherwise the exact fraction and its decimals
/// cut after the third (500/27 ns on the board).
fn write_tick_unit(out: &mut dyn Write, rate: Rate) -> fmt::Result {
    let per_us = rate.half_ticks_per_us().get();
    // A tick is two half ticks: 2000 / half_ticks_per_us nanoseconds.
    let common = greatest_common_divisor(2_000, per_us);
    let (numerator, denominator) = (quotient(2_000, common), quotient(per_us, common));
    out.write_str("# Unit: 1 counter tick = ")?;
    if denominator == 1 {
        write!(out, "{numerator} ns")?;
    } else {
        let picoseconds = quotient(2_000_000, per_us);
        let (whole, decimals) = (picoseconds / 1_000, picoseconds % 1_000);
        write!(out, "{numerator}/{denominator} ns ({whole}.{decimals:03} ns)")?;
    }
    out.write_str("; rows and latencies above are in counter ticks\n")
}

fn write_nanoseconds(out: &mut dyn Write, rate: Rate, columns: &[Column<'_>]) -> fmt::Result {
    let extremes = || columns.iter().map(|column| Extremes::in_ns(&Span::of(&column.histogram), rate));
    out.write_str("# Min ns:")?;
    extremes().try_for_each(|column| write!(out, " {:05}", column.minimum))?;
    out.write_str("\n# Avg ns:")?;
    extremes().try_for_each(|column| write!(out, " {:05}", column.mean))?;
    out.write_str("\n# Max ns:")?;
    extremes().try_for_each(|column| write!(out, " {:05}", column.maximum))?;
    out.write_str("\n")
}

/// Euclid's.
fn greatest_common_divisor(mut larger: u64, mut smaller: u64) -> u64 {
    while let Some(rest) = larger.checked_rem(smaller) {
        (larger, smaller) = (smaller, rest);
    }
    larger
}

/// A quotient whose divisor is not zero: a rate is not, and neither is a divisor of one.
fn quotient(dividend: u64, divisor: u64) -> u64 {
    dividend.checked_div(divisor).unwrap_or_default()
}
