// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether the threads began together: a comment line.

use core::fmt::{self, Write};

use takt::clock;
use takt::handover::Taken;

use crate::slots::Record;

/// Writes how far behind thread 0's each thread's first release was due, and how far apart, that left out, their interrupt
/// handlers came.
pub(crate) fn write(out: &mut dyn Write, records: &[Taken<'_, Record>]) -> fmt::Result {
    let half_ticks_per_us = clock::half_ticks_per_us().cast_signed();
    let ns = |half_ticks: i64| half_ticks.wrapping_mul(1_000).checked_div(half_ticks_per_us).unwrap_or(0);
    let mut due_of_0 = None;
    let (mut least, mut most) = (i64::MAX, i64::MIN);
    out.write_str("# Alignment: first due")?;
    for &(due, lateness) in records.iter().filter_map(|record| record.first.as_ref()) {
        write!(out, " {}", ns(due.since(*due_of_0.get_or_insert(due))))?;
        (least, most) = (least.min(lateness), most.max(lateness));
    }
    let apart = ns(most.wrapping_sub(least));
    writeln!(out, " ns behind thread 0; handlers came within {apart} ns, these left out")
}
