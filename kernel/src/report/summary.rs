// SPDX-License-Identifier: MIT OR Apache-2.0
//! cyclictest's line per thread.

use super::number::Extremes;
use super::{Column, Span};
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

/// What a summary line says of a thread: at the end of a run, or while it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// As of [`Column`].
    pub thread: u32,
    /// As of [`Column`].
    pub id: u32,
    /// As of [`Column`].
    pub priority: u8,
    /// The period, in microseconds.
    pub interval_us: u32,
    /// How many cycles were run.
    pub cycles: u64,
    /// The latest lateness, in half ticks; nothing before the first cycle.
    pub latest_half_ticks: Option<i64>,
    /// All that was measured.
    pub span: Span,
}

impl Column<'_> {
    /// What the summary line says of it.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let Self { thread, id, priority, interval_us, cycles, latest_half_ticks, .. } = *self;
        Summary { thread, id, priority, interval_us, cycles, latest_half_ticks, span: Span::of(&self.histogram) }
    }
}

/// Writes the summary line of one thread, with its line feed:
/// `T: 0 (    0) P:80 I:1000 C:   2000 Min:     20 Act:   25 Avg:   25 Max:     230`.
///
/// # Errors
///
/// When `out` fails.
pub fn write_summary_line(out: &mut dyn Write, summary: &Summary, resolution: Resolution, rate: Rate) -> fmt::Result {
    let latest = summary.latest_half_ticks.map_or(0, |half_ticks| resolution.shown(half_ticks, rate));
    let (extremes, digits) = match resolution {
        Resolution::Microseconds => (Extremes::in_buckets(&summary.span, BucketWidth::Microsecond(rate)), 5),
        Resolution::Nanoseconds => (Extremes::in_ns(&summary.span, rate), 8),
    };
    let Summary { thread, id, priority, interval_us, cycles, .. } = summary;
    let Extremes { minimum, mean, maximum } = extremes;
    write!(out, "T:{thread:2} ({id:5}) P:{priority:2} I:{interval_us} C:{cycles:7} ")?;
    writeln!(out, "Min:{minimum:7} Act:{latest:digits$} Avg:{mean:digits$} Max:{maximum:8}")
}
