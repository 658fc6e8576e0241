// SPDX-License-Identifier: MIT OR Apache-2.0
//! cyclictest's histogram block, to the byte.

use super::number::Extremes;
use super::{Column, Span};
use crate::histogram::{BucketWidth, OVERFLOW_CYCLES};
use core::fmt::{self, Write};

/// The two ways cyclictest has printed the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// rt-tests up to 2.6: every row, and a `# Total:` line. What most scripts expect, and takt's own choice.
    Dense,
    /// rt-tests 2.7 and later: rows that hold something only, no `# Total:`.
    Sparse,
}

/// What a histogram block looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The width of a row, and so the unit of the block's numbers.
    pub width: BucketWidth,
    /// How many rows: cyclictest's `-h N`. The histograms were reset with `width.first_tick_of(rows)` as their limit.
    pub rows: u32,
    /// Dense or sparse.
    pub dialect: Dialect,
    /// A column with the sum over all others at the right: `-H`.
    pub sum_column: bool,
}

impl Block {
    /// Whether the footer has the sum column: not with a single thread.
    const fn sums_footer(&self, columns: &[Column<'_>]) -> bool {
        self.sum_column && columns.len() > 1
    }

    /// Whether the rows have it: the older dialect leaves it out with a single thread, the newer one does not.
    fn sums_rows(&self, columns: &[Column<'_>]) -> bool {
        self.sums_footer(columns) || (self.sum_column && self.dialect == Dialect::Sparse)
    }
}

/// Writes the whole block, from `# Histogram` to the empty line that ends it.
///
/// # Errors
///
/// When `out` fails.
pub fn write_histogram(out: &mut dyn Write, block: &Block, columns: &[Column<'_>]) -> fmt::Result {
    out.write_str("# Histogram\n")?;
    for row in 0..block.rows {
        write_row(out, block, columns, row)?;
    }
    if block.dialect == Dialect::Dense {
        write_totals(out, block, columns)?;
    }
    write_latencies(out, block, columns)?;
    write_overflows(out, block, columns)?;
    out.write_str("\n")
}

fn write_row(out: &mut dyn Write, block: &Block, columns: &[Column<'_>], row: u32) -> fmt::Result {
    let counts = || columns.iter().map(|column| column.histogram.bucket_count(block.width, row));
    let total = sum(counts());
    if total == 0 && block.dialect == Dialect::Sparse {
        return Ok(());
    }
    write!(out, "{row:06} ")?;
    for (index, count) in counts().enumerate() {
        let separator = if index == 0 { "" } else { "\t" };
        write!(out, "{separator}{count:06}")?;
    }
    if block.sums_rows(columns) {
        write!(out, "\t{total:06}")?;
    }
    out.write_str("\n")
}

/// The total of each column is what its rows hold: overflows are not in it.
fn write_totals(out: &mut dyn Write, block: &Block, columns: &[Column<'_>]) -> fmt::Result {
    let total_of =
        |column: &Column<'_>| sum((0..block.rows).map(|row| column.histogram.bucket_count(block.width, row)));
    out.write_str("# Total:")?;
    let mut all: u64 = 0;
    for column in columns {
        let total = total_of(column);
        all = all.wrapping_add(total);
        write!(out, " {total:09}")?;
    }
    if block.sums_footer(columns) {
        write!(out, " {all:09}")?;
    }
    out.write_str("\n")
}

fn write_latencies(out: &mut dyn Write, block: &Block, columns: &[Column<'_>]) -> fmt::Result {
    let extremes = || columns.iter().map(|column| Extremes::in_buckets(&Span::of(&column.histogram), block.width));
    out.write_str("# Min Latencies:")?;
    extremes().try_for_each(|column| write!(out, " {:05}", column.minimum))?;
    out.write_str("\n# Avg Latencies:")?;
    extremes().try_for_each(|column| write!(out, " {:05}", column.mean))?;
    out.write_str("\n# Max Latencies:")?;
    extremes().try_for_each(|column| write!(out, " {:05}", column.maximum))?;
    if block.sums_footer(columns) {
        let largest = extremes().map(|column| column.maximum).max().unwrap_or(0);
        write!(out, " {largest:05}")?;
    }
    out.write_str("\n")
}

fn write_overflows(out: &mut dyn Write, block: &Block, columns: &[Column<'_>]) -> fmt::Result {
    let counts = || columns.iter().map(|column| column.histogram.overflow().count);
    out.write_str("# Histogram Overflows:")?;
    counts().try_for_each(|count| write!(out, " {count:05}"))?;
    if block.sums_footer(columns) {
        write!(out, " {:05}", sum(counts()))?;
    }
    out.write_str("\n# Histogram Overflow at cycle number:\n")?;
    for (index, column) in columns.iter().enumerate() {
        write!(out, "# Thread {index}:")?;
        write_overflow_cycles(out, block, column)?;
        out.write_str("\n")?;
    }
    Ok(())
}

/// The cycle numbers of one column. The newer dialect ends the colon with a blank even where nothing follows, and
/// reports no others as `00000 others` when exactly as many were kept as there is room for.
fn write_overflow_cycles(out: &mut dyn Write, block: &Block, column: &Column<'_>) -> fmt::Result {
    let room = usize::try_from(block.rows).unwrap_or(OVERFLOW_CYCLES).min(OVERFLOW_CYCLES);
    let cycles = column.histogram.overflow_cycles();
    let listed = cycles.get(..room).unwrap_or(cycles);
    if listed.is_empty() && block.dialect == Dialect::Sparse {
        out.write_str(" ")?;
    }
    listed.iter().try_for_each(|cycle| write!(out, " {cycle:05}"))?;
    // Never negative: what is listed was counted.
    let others = column.histogram.overflow().count.wrapping_sub(listed.len() as u64);
    let full = block.dialect == Dialect::Sparse && listed.len() as u64 >= u64::from(block.rows);
    if others > 0 || full {
        write!(out, " # {others:05} others")?;
    }
    Ok(())
}

/// The sum of counts of what was recorded, which fits in 64 bits.
fn sum(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(0, u64::wrapping_add)
}
