// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a run has passed by `--max-us`.

use core::fmt::Write;

use takt::handover::Taken;
use takt::kernel::histogram::half_ticks_to_ns;

use super::report::Report;
use crate::refusal::Refusal;
use crate::slots::Record;

impl Report<'_> {
    /// Says in a line whether the run has passed, and refuses what stands behind it if not. A release that got no job would have been
    /// later than any, and of a void run nothing is known: neither passes.
    pub(super) fn judge(
        &self,
        out: &mut dyn Write,
        records: &[Taken<'_, Record>],
        is_void: bool,
    ) -> Result<(), Refusal<'static>> {
        let Some(max_us) = self.options.max_us else { return Ok(()) };
        let columns = self.columns(records);
        let skipped = columns.iter().map(|column| column.histogram.skipped().count).max().unwrap_or(0);
        let worst = columns.iter().filter_map(|column| Some((column.histogram.maximum_half_ticks()?, column)));
        let worst = worst.max_by_key(|(most, _)| *most);
        let most_ns = worst.as_ref().map(|(most, _)| half_ticks_to_ns(self.rate, *most));
        let is_within = most_ns.is_some_and(|most_ns| most_ns <= i128::from(max_us).wrapping_mul(1_000));
        let has_passed = is_within && skipped == 0 && !is_void;
        let _ = write!(out, "# Verdict: {}: ", if has_passed { "passed" } else { "FAILED" });
        let _ = match worst.zip(most_ns) {
            Some(((_, column), most_ns)) => writeln!(
                out,
                "the largest sample is {most_ns} ns, of {}:{}; at most {max_us} us are allowed",
                column.stage.name(),
                column.task
            ),
            None => out.write_str("there is no sample\n"),
        };
        if skipped > 0 {
            let _ = writeln!(
                out,
                "# Verdict: {skipped} releases of one thread were skipped, which are later than any sample"
            );
        }
        if is_void {
            let _ = out.write_str("# Verdict: the clocks did not keep their ratio, so the run is void\n");
        }
        if has_passed { Ok(()) } else { Err(Refusal::Failed { command: "latency" }) }
    }
}
