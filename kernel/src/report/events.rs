// SPDX-License-Identifier: MIT OR Apache-2.0
//! What stands behind cyclictest's report: the spikes of `--spike` and the sample that broke a run with `-b`.

use super::{Column, Resolution};
use crate::time::Rate;
use core::fmt::{self, Write};

/// A sample above the limit of `--spike`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spike {
    /// cyclictest's thread index.
    pub thread: u32,
    /// Its lateness, in half ticks.
    pub lateness_half_ticks: i64,
    /// When it was taken, in microseconds of takt's clock. cyclictest has that of Linux there: both count from about the boot.
    pub at_us: u64,
}

/// Writes the list of spikes: an empty line, a line for each, and how many there were, `count`, which is more than the list
/// holds where `--spike-nodes` was less. As cyclictest's, nothing at all where there were none.
///
/// # Errors
///
/// When `out` fails.
pub fn write_spikes(
    out: &mut dyn Write,
    spikes: impl Iterator<Item = Spike>,
    count: u64,
    resolution: Resolution,
    rate: Rate,
) -> fmt::Result {
    if count == 0 {
        return Ok(());
    }
    out.write_str("\n")?;
    for Spike { thread, lateness_half_ticks, at_us } in spikes {
        let lateness = resolution.shown(lateness_half_ticks, rate);
        writeln!(out, "T:{thread:2} Spike:{lateness:8}: TS: {at_us:12}")?;
    }
    write!(out, "spikes = {count}\n\n")
}

/// The sample that ended a run with `-b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Break {
    /// The id of its column, as in the list of thread ids.
    pub id: u32,
    /// Its lateness, in half ticks.
    pub lateness_half_ticks: i64,
}

/// Writes the trailer of a run with `-b`: the ids of all threads, and which one broke it, if one did.
///
/// # Errors
///
/// When `out` fails.
pub fn write_break(
    out: &mut dyn Write,
    columns: &[Column<'_>],
    broke: Option<Break>,
    resolution: Resolution,
    rate: Rate,
) -> fmt::Result {
    out.write_str("# Thread Ids:")?;
    columns.iter().try_for_each(|column| write!(out, " {:05}", column.id))?;
    out.write_str("\n")?;
    let Some(Break { id, lateness_half_ticks }) = broke else { return Ok(()) };
    let lateness = resolution.shown(lateness_half_ticks, rate);
    write!(out, "# Break thread: {id}\n# Break value: {lateness}\n")
}
