// SPDX-License-Identifier: MIT OR Apache-2.0
//! The worst of each path, as tables for people and as lines for programs.

use std::fmt;

use super::trials::Figure;
use super::worst::{Worst, by_latency, by_masked, of_a_kernel_interrupt};
use super::{Swept, Walked};

/// Prints the tables.
#[derive(Debug)]
pub struct Table<'a>(pub &'a Swept);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(swept) = self;
        let trials = swept.direct.trials + swept.kernel.trials;
        writeln!(
            f,
            "takt sweep: {trials} trials in QEMU, -icount shift=4 (one instruction per counter tick), one core"
        )?;
        direct(f, swept)?;
        kernel(f, swept)?;
        if swept.is_short {
            writeln!(
                f,
                "\nshort: each third offset, so figures and places may be two instructions off; of long paths fewer"
            )?;
        }
        Ok(())
    }
}

fn direct(f: &mut fmt::Formatter<'_>, swept: &Swept) -> fmt::Result {
    let worst = &swept.direct.handler;
    writeln!(
        f,
        "\na direct handler\n\n{:<32} {:>7} {:>7} {:>7}  kept waiting from",
        "path", "latency", "masked", "offset"
    )?;
    for one in worst {
        let section = one.section;
        let (latency, masked, due) = (section.latency, section.masked, section.offset);
        writeln!(f, "{:<32} {latency:>7} {masked:>7} {due:>7}  {}", one.path, place(one, &swept.direct))?;
    }
    writeln!(f, "\nlatency: ticks from the due tick to the direct handler's first statement, at the worst offset")?;
    writeln!(f, "masked: how many of these the handler was kept waiting; the rest is the way into it")?;
    if let (Some(latest), Some(longest)) = (by_latency(worst), by_masked(worst)) {
        writeln!(f, "worst latency: {}, in {}", latest.section.latency, latest.path)?;
        writeln!(f, "longest masked section: {}, in {}: {}", longest.section.masked, longest.path, longest.line)?;
    }
    Ok(())
}

fn kernel(f: &mut fmt::Formatter<'_>, swept: &Swept) -> fmt::Result {
    let Walked { handler, task, .. } = &swept.kernel;
    writeln!(f, "\na kernel handler, and the most urgent task, which it wakes\n")?;
    writeln!(
        f,
        "{:<32} {:>7} {:>7} {:>7} {:>7}  the task is kept waiting from",
        "path", "handler", "offset", "task", "offset"
    )?;
    for (handler, task) in handler.iter().zip(task) {
        let (late, later) = (handler.section, task.section);
        writeln!(
            f,
            "{:<32} {:>7} {:>7} {:>7} {:>7}  {}",
            handler.path,
            late.latency,
            late.offset,
            later.latency,
            later.offset,
            place(task, &swept.kernel)
        )?;
    }
    writeln!(f, "\nhandler, task: ticks from the due tick to the first statement, each at its worst offset")?;
    writeln!(
        f,
        "apart: set-priority and release-held-off, which are before a slot's first release; the task in console-…"
    )?;
    for (name, all, figure) in [("handler", handler, Figure::Handler), ("task", task, Figure::Task)] {
        if let Some(worst) = of_a_kernel_interrupt(all, figure) {
            writeln!(f, "worst {name}: {}, in {}: {}", worst.section.latency, worst.path, worst.line)?;
        }
    }
    Ok(())
}

/// Line, address and function of the instruction since which somebody is kept waiting.
fn place(worst: &Worst, walked: &Walked) -> String {
    let address = worst.section.masking;
    if address == 0 {
        return worst.line.clone();
    }
    let (name, offset) = walked.program.place(address).unwrap_or(("", 0));
    let name = name.rsplit_once("::").map_or(name, |(_, last)| last);
    format!("{} {address:#x} {name}+{offset:#x}", worst.line)
}

/// Prints `path,latency,address,source line,masked,offset`: the direct handler's, then the kernel handler's and the woken
/// task's with their name before the path's, then a line `worst…,latency,address,source line` for each of the three.
#[derive(Debug)]
pub struct Csv<'a>(pub &'a Swept);

impl fmt::Display for Csv<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Swept { direct, kernel, .. } = self.0;
        writeln!(f, "# takt sweep: {} trials", direct.trials + kernel.trials)?;
        writeln!(f, "# path,latency,address,source line,masked,offset")?;
        lines(f, "", &direct.handler)?;
        writeln!(f, "# kernel-handler:path,latency,address,source line,kept waiting,offset")?;
        lines(f, "kernel-handler:", &kernel.handler)?;
        writeln!(f, "# kernel-task:path,latency,address,source line,kept waiting,offset")?;
        lines(f, "kernel-task:", &kernel.task)?;
        last(f, "worst-kernel-handler", of_a_kernel_interrupt(&kernel.handler, Figure::Handler))?;
        last(f, "worst-kernel-task", of_a_kernel_interrupt(&kernel.task, Figure::Task))?;
        last(f, "worst", by_latency(&direct.handler))
    }
}

fn lines(f: &mut fmt::Formatter<'_>, before: &str, all: &[Worst]) -> fmt::Result {
    for Worst { path, section, line } in all {
        let (latency, masked, due) = (section.latency, section.masked, section.offset);
        writeln!(f, "{before}{path},{latency},{:#x},{line},{masked},{due}", section.masking)?;
    }
    Ok(())
}

fn last(f: &mut fmt::Formatter<'_>, name: &str, worst: Option<&Worst>) -> fmt::Result {
    let Some(Worst { section, line, .. }) = worst else { return Ok(()) };
    writeln!(f, "{name},{},{:#x},{line}", section.latency, section.masking)
}
