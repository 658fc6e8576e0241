// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who had which part of the core since the start, and what jobs took, a comment line each; none where nothing is accounted.

use core::fmt::{self, Write};

use takt::clock;
use takt::execution_time::{CpuUse, IS_ON};

/// Writes a line for every task, the idle task and interrupts, and one for every task that has ended a job.
pub(crate) fn write(out: &mut dyn Write) -> fmt::Result {
    if !IS_ON {
        return Ok(());
    }
    let rate = clock::rate().half_ticks_per_us();
    let ns = |half_ticks: u64| half_ticks.saturating_mul(1_000) / rate;
    let mut cpu_use = CpuUse::since_start();
    for share in cpu_use.look().into_iter().flatten() {
        writeln!(out, "# CPU: {share}, {} us", share.half_ticks / rate)?;
    }
    for task in takt::task_reports() {
        let Ok(told) = task.execution() else { continue };
        let Some(mean) = told.jobs.mean_half_ticks() else { continue };
        let (least, most) = (told.jobs.min_half_ticks, told.jobs.max_half_ticks);
        write!(out, "# Job CPU: {} min {}, avg {}, max {} ns", task.name, ns(least), ns(mean), ns(most))?;
        if let Some(budget) = told.budget {
            write!(out, ", budget {} ns, {} overruns", ns(budget.budget_half_ticks), budget.overruns)?;
        }
        out.write_str("\n")?;
    }
    Ok(())
}
