// SPDX-License-Identifier: MIT OR Apache-2.0
//! The worst of each path, as a table for people and as lines for programs.

use std::fmt;

use super::Swept;
use super::worst::{by_latency, by_masked};

/// Prints a table.
#[derive(Debug)]
pub struct Table<'a>(pub &'a Swept);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(swept) = self;
        let Swept { worst, trials, .. } = swept;
        writeln!(
            f,
            "takt sweep: {trials} trials in QEMU, -icount shift=4 (one instruction per counter tick), one core"
        )?;
        writeln!(f, "\n{:<26} {:>7} {:>7} {:>7}  kept waiting from", "path", "latency", "masked", "offset")?;
        for one in worst {
            let section = one.section;
            let (name, offset) = swept.program.place(section.masking).unwrap_or(("", 0));
            let name = name.rsplit_once("::").map_or(name, |(_, last)| last);
            let place = if section.masking == 0 {
                String::new()
            } else {
                format!(" {:#x} {name}+{offset:#x}", section.masking)
            };
            let (latency, masked, due) = (section.first.latency, section.masked, section.first.offset);
            writeln!(f, "{:<26} {latency:>7} {masked:>7} {due:>7}  {}{place}", one.path, one.line)?;
        }
        writeln!(f, "\nlatency: ticks from the due tick to the direct handler's first statement, at the worst offset")?;
        writeln!(f, "masked: how many of these the handler was kept waiting; the rest is the way into it")?;
        if swept.is_short {
            writeln!(f, "short: each third offset, so figures and places may be two instructions off")?;
        }
        if let (Some(latest), Some(longest)) = (by_latency(worst), by_masked(worst)) {
            writeln!(f, "worst latency: {}, in {}", latest.section.first.latency, latest.path)?;
            writeln!(f, "longest masked section: {}, in {}: {}", longest.section.masked, longest.path, longest.line)?;
        }
        Ok(())
    }
}

/// Prints `path,latency,address,source line,masked,offset`, and a last line `worst,latency,address,source line`.
#[derive(Debug)]
pub struct Csv<'a>(pub &'a Swept);

impl fmt::Display for Csv<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# takt sweep: {} trials", self.0.trials)?;
        writeln!(f, "# path,latency,address,source line,masked,offset")?;
        for one in &self.0.worst {
            let section = one.section;
            let (latency, masked, due) = (section.first.latency, section.masked, section.first.offset);
            writeln!(f, "{},{latency},{:#x},{},{masked},{due}", one.path, section.masking, one.line)?;
        }
        if let Some(worst) = by_latency(&self.0.worst) {
            let section = worst.section;
            writeln!(f, "worst,{},{:#x},{}", section.first.latency, section.masking, worst.line)?;
        }
        Ok(())
    }
}
