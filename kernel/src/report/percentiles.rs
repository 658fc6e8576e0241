// SPDX-License-Identifier: MIT OR Apache-2.0
//! Percentiles of what was measured, `-P`.

use super::Column;
use super::number::Thousandths;
use crate::histogram::Quantile;
use crate::time::Rate;
use core::fmt::{self, Write};

/// Each as it is printed, and the fraction of all samples that it stands for.
const PERCENTILES: [(&str, u32, u32); 6] = [
    ("50", 50, 100),
    ("90", 90, 100),
    ("99", 99, 100),
    ("99.9", 999, 1_000),
    ("99.99", 9_999, 10_000),
    ("99.999", 99_999, 100_000),
];

/// Writes a comment line of one column: `# Percentiles task:latency us: p50 2.314, p90 <=612.000, p99 640.120 beyond`.
///
/// The p99 is the smallest latency that at least 99 of 100 samples do not exceed, by their ranks, nothing interpolated. So with
/// fewer than 100 samples it is the maximum, and the p99.999 with fewer than 100,000. Values are microseconds, floored to the
/// nanosecond:
///
/// * a plain value is exact to a counter tick: the larger of the two half ticks that its bin holds;
/// * `<=` an upper bound: the bin is wider than a tick (above the one-tick bins at most 1/16 of its value), or the latency is
///   below zero, where the bins tell no more than that;
/// * `beyond`: at or above the limit of the run, the end of the block's rows, so the block does not show it. Its bin does.
///
/// # Errors
///
/// When `out` fails.
pub fn write_percentiles(out: &mut dyn Write, column: &Column<'_>, rate: Rate) -> fmt::Result {
    write!(out, "# Percentiles {}:{} us:", column.stage.name(), column.task)?;
    let limit_half_ticks = i64::try_from(column.histogram.overflow_at_ticks().saturating_mul(2)).unwrap_or(i64::MAX);
    let mut separator = "";
    for (percent, numerator, denominator) in PERCENTILES {
        let Some(quantile) = column.histogram.quantile(numerator, denominator) else {
            return out.write_str(" no samples\n");
        };
        let Quantile { lowest_half_ticks, highest_half_ticks } = quantile;
        let bound = if highest_half_ticks.saturating_sub(lowest_half_ticks) > 1 { "<=" } else { "" };
        let beyond = if highest_half_ticks >= limit_half_ticks { " beyond" } else { "" };
        let value = Thousandths::us(highest_half_ticks, rate);
        write!(out, "{separator} p{percent} {bound}{value}{beyond}")?;
        separator = ",";
    }
    out.write_str("\n")
}
