// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of options.

use super::{Expected, Format, Stages};
use crate::boot_line::TimeBaseWord;
use crate::words::number_in;

/// A whole number within the expected range.
pub(super) fn number(value: &str, expected: Expected) -> Option<u64> {
    let (minimum, maximum) = match expected {
        Expected::Range { minimum, maximum, .. } => (minimum, maximum),
        _ => (0, u64::MAX),
    };
    number_in(value, minimum, maximum)
}

/// Seconds, or minutes, hours or days with the letter `m`, `h` or `d` behind; at most `maximum_s`.
pub(super) fn duration_s(value: &str, maximum_s: u64) -> Option<u64> {
    let units = [('m', 60), ('h', 3_600), ('d', 86_400)];
    let with_unit = units.iter().find_map(|&(letter, unit_s)| Some((value.strip_suffix(letter)?, unit_s)));
    let (digits, unit_s) = with_unit.unwrap_or((value, 1_u64));
    let seconds = number_in(digits, 0, maximum_s)?.checked_mul(unit_s)?;
    Some(seconds).filter(|&seconds| seconds <= maximum_s)
}

/// `handler`, `task`, `done`, or some with commas.
pub(super) fn stages(value: &str) -> Option<Stages> {
    let mut stages = Stages { handler: false, task: false, done: false };
    for word in value.split(',') {
        match word {
            "handler" => stages.handler = true,
            "task" => stages.task = true,
            "done" => stages.done = true,
            _ => return None,
        }
    }
    Some(stages)
}

/// A timer.
pub(super) fn source(value: &str) -> Option<TimeBaseWord> {
    match value {
        "system" => Some(TimeBaseWord::System),
        "generic" => Some(TimeBaseWord::Generic),
        _ => None,
    }
}

/// What a report looks like.
pub(super) fn format(value: &str) -> Option<Format> {
    match value {
        "cyclictest" => Some(Format::Cyclictest),
        "cyclictest-2.7" => Some(Format::Cyclictest27),
        "xenomai" => Some(Format::Xenomai),
        "json" => Some(Format::Json),
        _ => None,
    }
}
