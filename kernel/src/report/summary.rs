// SPDX-License-Identifier: MIT OR Apache-2.0
//! cyclictest's line per thread.

use super::Column;
use super::number::Extremes;
use crate::histogram::{BucketWidth, half_ticks_to_ns};
use crate::time::Rate;
use core::fmt::{self, Write};

/// The unit of the latencies in a summary line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// Whole microseconds, cyclictest's default.
    Microseconds,
    /// Whole nanoseconds, `-N`.
    Nanoseconds,
}

impl Resolution {
    /// A lateness in this unit, floored.
    pub(super) fn shown(self, half_ticks: i64, rate: Rate) -> i128 {
        match self {
            Self::Microseconds => i128::from(BucketWidth::Microsecond(rate).bucket_of(half_ticks)),
            Self::Nanoseconds => half_ticks_to_ns(rate, half_ticks),
        }
    }
}

/// Writes the summary line of one column, with its line feed:
/// `T: 0 (    0) P:80 I:1000 C:   2000 Min:     20 Act:   25 Avg:   25 Max:     230`.
///
/// # Errors
///
/// When `out` fails.
pub fn write_summary_line(out: &mut dyn Write, column: &Column<'_>, resolution: Resolution, rate: Rate) -> fmt::Result {
    let latest = column.latest_half_ticks.map_or(0, |half_ticks| resolution.shown(half_ticks, rate));
    let (extremes, digits) = match resolution {
        Resolution::Microseconds => (Extremes::in_buckets(&column.histogram, BucketWidth::Microsecond(rate)), 5),
        Resolution::Nanoseconds => (Extremes::in_ns(&column.histogram, rate), 8),
    };
    let Column { thread, id, priority, interval_us, cycles, .. } = column;
    let Extremes { minimum, mean, maximum } = extremes;
    write!(out, "T:{thread:2} ({id:5}) P:{priority:2} I:{interval_us} C:{cycles:7} ")?;
    writeln!(out, "Min:{minimum:7} Act:{latest:digits$} Avg:{mean:digits$} Max:{maximum:8}")
}
