// SPDX-License-Identifier: MIT OR Apache-2.0
//! The same paths counted by another clock, `PMCCNTR_EL0`: in QEMU it counts nanoseconds, which with `-icount shift=0` are
//! instructions. `CNTPCT_EL0` then counts 16 of them as one, so that the image's stamps show nothing.
//!
//! The image reads the cycle counter behind a task's stamp, a fixed number of instructions later. With shift 4 both
//! clocks show single instructions and the distance is known; with shift 0 it is taken off again. The generic timer
//! releases the tasks in both runs: at shift 0 the system timer's phase cannot be told to a tick. Due instants that fall
//! between two ticks are rounded up there, so the least counts, which comes of those that do not.
//!
//! The handler has no such read, since that would lengthen the path; its stamp lies on the task's way.

use std::fmt;

use anyhow::{Context as _, Result, bail};

/// How far the two may be apart: a count on the edge of a tick.
const TOLERANCE: i64 = 1;
/// The paths, as the image calls them in its lines of cycles and in those of stamps.
const PATHS: [(&str, &str); 3] =
    [("task-idle", "timer-task-idle"), ("task-busy", "timer-task-busy"), ("yield", "yield")];

/// A path by both clocks, in instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Path {
    name: &'static str,
    by_cycles: i64,
    by_stamps: i64,
}

/// All paths that were compared, and found alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossCheck(Vec<Path>);

impl CrossCheck {
    /// Compares what the image printed with shift 4 and with shift 0.
    ///
    /// # Errors
    /// When a line is missing, or a path does not take the same by both clocks.
    pub fn of(shift_4: &str, shift_0: &str) -> Result<Self> {
        let paths: Vec<Path> = PATHS
            .into_iter()
            .map(|(cycles, name)| {
                let by_stamps = least(shift_4, &format!("{name},"))?;
                let cycles = format!("# Cycles: {cycles},");
                let behind = least(shift_4, &cycles)? - by_stamps;
                Ok(Path { name, by_cycles: least(shift_0, &cycles)? - behind, by_stamps })
            })
            .collect::<Result<_>>()?;
        let check = Self(paths);
        if check.0.iter().any(|path| path.by_cycles.abs_diff(path.by_stamps) > TOLERANCE.unsigned_abs()) {
            bail!("{check}: a path differs by more than {TOLERANCE}, so QEMU does not count what it is taken for");
        }
        Ok(check)
    }
}

impl fmt::Display for CrossCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cross-check shift=0, PMCCNTR, generic timer:")?;
        for (index, Path { name, by_cycles, by_stamps }) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma} {name} {by_cycles} (stamps {by_stamps})")?;
        }
        Ok(())
    }
}

/// The first number behind what a line begins with.
fn least(printed: &str, beginning: &str) -> Result<i64> {
    let numbers = printed.lines().find_map(|line| line.strip_prefix(beginning));
    numbers.and_then(|numbers| numbers.split(',').next()?.parse().ok()).with_context(|| {
        format!("the image printed no line \"{beginning}MIN,…\" for the cross-check; see that QEMU takes -icount")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIFT_4: &str = "timer-task-idle,84,84,84250,9\r\ntimer-task-busy,106,106,106250,9\r\nyield,32,32,32000,9\r\n\
                           # Cycles: task-idle,104,105,105187,9 instructions, shift 4\r\n\
                           # Cycles: task-busy,126,127,127187,9 instructions, shift 4\r\n\
                           # Cycles: yield,32,32,32000,9 instructions, shift 4\r\n";
    const SHIFT_0: &str = "# Cycles: task-idle,104,112,108000,9 instructions, shift 0\r\n\
                           # Cycles: task-busy,127,134,130000,9 instructions, shift 0\r\n\
                           # Cycles: yield,32,32,32000,9 instructions, shift 0\r\n";

    #[test]
    fn both_clocks_are_compared_at_the_same_place() {
        assert_eq!(
            CrossCheck::of(SHIFT_4, SHIFT_0).unwrap().to_string(),
            "cross-check shift=0, PMCCNTR, generic timer: timer-task-idle 84 (stamps 84), timer-task-busy 107 (stamps 106), \
             yield 32 (stamps 32)"
        );
    }

    #[test]
    fn a_difference_is_an_error() {
        let error = CrossCheck::of(SHIFT_4, &SHIFT_0.replace("yield,32", "yield,34")).unwrap_err().to_string();
        assert!(error.contains("yield 34 (stamps 32)") && error.contains("more than 1"), "{error}");
        let error = CrossCheck::of(SHIFT_4, &SHIFT_0.replace("yield", "other")).unwrap_err().to_string();
        assert!(error.contains("# Cycles: yield"), "{error}");
    }
}
