// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of options.

use super::{Expected, Stages};
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

/// `handler`, `task`, or both with a comma.
pub(super) fn stages(value: &str) -> Option<Stages> {
    let mut stages = Stages { handler: false, task: false };
    for word in value.split(',') {
        match word {
            "handler" => stages.handler = true,
            "task" => stages.task = true,
            _ => return None,
        }
    }
    Some(stages)
}
