// SPDX-License-Identifier: MIT OR Apache-2.0
//! One histogram in full, for programs. `docs/schema/histogram.schema.json` is the schema of it.
//!
//! | key | meaning |
//! |---|---|
//! | `takt` | `"histogram"`, what this object is |
//! | `version` | 1; larger if a key ever changes its meaning |
//! | `stage`, `task` | `"handler"`, `"task"` or `"done"`; the task's name |
//! | `thread`, `id`, `priority` | as in the summary line |
//! | `core` | the core that measured, 0 to 3 |
//! | `interval_us` | the period, µs |
//! | `cycles` | cycles run |
//! | `unit` | `"half_ticks"`: of `min`, `max`, `act` and all sums |
//! | `counter_hz` | ticks per second; a half tick is 1/(2 · `counter_hz`) s |
//! | `count` | values recorded: bins below the limit + `overflow` + `early` |
//! | `min`, `max`, `act` | smallest, largest, latest value; `null` if there is none |
//! | `sum`, `sum_of_squares` | of all values; exact, may exceed 64 bits |
//! | `early`, `early_sum`, `early_sum_of_squares` | values below zero |
//! | `overflow`, `overflow_sum`, `overflow_sum_of_squares` | values from the limit on |
//! | `overflow_at_ticks` | the limit, in counter *ticks* |
//! | `overflow_cycles` | cycle numbers of the first overflows |
//! | `skipped`, `skipped_sum` | releases skipped, and the lateness they had |
//! | `overruns` | releases that came while the previous job still ran |
//! | `bins` | `[[tick, count], …]`, one-tick bins that hold something, in *ticks* |
//! | `wide_bins` | `[[first_tick, last_tick, count], …]` above them; `last_tick` is `null` in the open last one |
//! | `identity` | whether the histogram accounts for every value |

use super::Column;
use crate::histogram::{LogBin, Tally, View, counter_hz};
use crate::time::Rate;
use core::fmt::{self, Write};

/// Writes one line `# JSON: {…}`: a comment to every reader of cyclictest's format.
///
/// # Errors
///
/// When `out` fails.
pub fn write_json_line(out: &mut dyn Write, column: &Column<'_>, rate: Rate) -> fmt::Result {
    out.write_str("# JSON: ")?;
    write_json(out, column, rate)?;
    out.write_str("\n")
}

/// Writes the JSON object alone, without prefix or line feed.
///
/// # Errors
///
/// When `out` fails.
pub fn write_json(out: &mut dyn Write, column: &Column<'_>, rate: Rate) -> fmt::Result {
    let histogram = &column.histogram;
    write!(out, r#"{{"takt":"histogram","version":1,"stage":"{}","task":"#, column.stage.name())?;
    write_string(out, column.task)?;
    let Column { thread, core, id, priority, interval_us, cycles, overruns, .. } = column;
    write!(out, r#","thread":{thread},"core":{core},"id":{id},"priority":{priority}"#)?;
    write!(out, r#","interval_us":{interval_us},"cycles":{cycles}"#)?;
    let (counter_hz, count) = (counter_hz(rate), histogram.count());
    write!(out, r#","unit":"half_ticks","counter_hz":{counter_hz},"count":{count}"#)?;
    write_optional(out, "min", histogram.minimum_half_ticks())?;
    write_optional(out, "max", histogram.maximum_half_ticks())?;
    write_optional(out, "act", column.latest_half_ticks)?;
    let Tally { sum_half_ticks, sum_of_squares, .. } = histogram.all();
    write!(out, r#","sum":{sum_half_ticks},"sum_of_squares":{sum_of_squares}"#)?;
    write_tally(out, "early", histogram.early())?;
    write_tally(out, "overflow", histogram.overflow())?;
    write_overflow_cycles(out, histogram)?;
    let skipped = histogram.skipped();
    write!(out, r#","skipped":{},"skipped_sum":{},"overruns":{overruns}"#, skipped.count, skipped.sum_half_ticks)?;
    write_bins(out, histogram)?;
    write!(out, r#","identity":{}}}"#, histogram.identity_holds())
}

fn write_optional(out: &mut dyn Write, key: &str, value: Option<i64>) -> fmt::Result {
    match value {
        Some(value) => write!(out, r#","{key}":{value}"#),
        None => write!(out, r#","{key}":null"#),
    }
}

fn write_tally(out: &mut dyn Write, key: &str, tally: &Tally) -> fmt::Result {
    let Tally { count, sum_half_ticks, sum_of_squares } = tally;
    write!(out, r#","{key}":{count},"{key}_sum":{sum_half_ticks},"{key}_sum_of_squares":{sum_of_squares}"#)
}

fn write_overflow_cycles(out: &mut dyn Write, histogram: &View<'_>) -> fmt::Result {
    write!(out, r#","overflow_at_ticks":{},"overflow_cycles":["#, histogram.overflow_at_ticks())?;
    for (index, cycle) in histogram.overflow_cycles().iter().enumerate() {
        write!(out, "{}{cycle}", separator(index))?;
    }
    out.write_str("]")
}

fn write_bins(out: &mut dyn Write, histogram: &View<'_>) -> fmt::Result {
    out.write_str(r#","bins":["#)?;
    let counted = histogram.linear_bins().iter().enumerate().filter(|(_, count)| **count > 0);
    for (index, (tick, count)) in counted.enumerate() {
        write!(out, "{}[{tick},{count}]", separator(index))?;
    }
    out.write_str(r#"],"wide_bins":["#)?;
    for (index, bin) in histogram.log_bins().enumerate() {
        let LogBin { first_tick, last_tick, count } = bin;
        write!(out, "{}[{first_tick},", separator(index))?;
        match last_tick {
            u64::MAX => out.write_str("null")?,
            last_tick => write!(out, "{last_tick}")?,
        }
        write!(out, ",{count}]")?;
    }
    out.write_str("]")
}

/// What stands before element `index` of a list.
const fn separator(index: usize) -> &'static str {
    if index == 0 { "" } else { "," }
}

/// A JSON string with its quotes. A task's name is a Rust literal, so it may hold anything.
fn write_string(out: &mut dyn Write, text: &str) -> fmt::Result {
    out.write_str("\"")?;
    for character in text.chars() {
        match character {
            '"' | '\\' => write!(out, "\\{character}")?,
            control if control < ' ' => write!(out, "\\u{:04x}", u32::from(control))?,
            other => out.write_char(other)?,
        }
    }
    out.write_str("\"")
}
