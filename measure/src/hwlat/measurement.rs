// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `hwlat` command.

use core::fmt::{self, Write};

use takt::board::Platform;
use takt::kernel::gaps::{Gap, Gaps};
use takt::kernel::histogram::half_ticks_to_ns;
use takt::{clock, stalls};

use super::options::HwlatOptions;
use crate::commands::{Entry, Session};
use crate::load;
use crate::provenance::Provenance;
use crate::refusal::Refusal;

pub(crate) static COMMAND: Entry = Entry {
    name: "hwlat",
    usage: "[OPTION]...",
    summary: "look for stalls of core 0 that no interrupt explains",
    help: "In each window the core reads its counter again and again, with interrupts masked: where two reads lie far apart, somebody\n\
           else had the bus, the SDRAM or the clock. No task of core 0 keeps its instants meanwhile, and what is typed may be lost.\n\
           -w US, --window US     how often, 1000000 without; --width US for how long, half the window without\n\
           -t US, --threshold US  gaps above it are counted, 10 without\n\
           -l SECONDS             for how long; until Ctrl-C without, which is heard behind a width\n\
           In QEMU there is nothing to find: no VideoCore shares anything with its cores.\n\
           hwlat -l 60\n\
           hwlat -w 20000 --width 10000 -t 2 -l 600",
    words: &["-l", "-w", "--window", "--width", "-t", "--threshold"],
    run,
};

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let options = HwlatOptions::parse(arguments)?;
    let provenance = session.provenance;
    let _ = provenance.write(&mut session.console);
    let _ = write_head(&mut session.console, &options, &provenance);
    let us = clock::half_ticks_per_us();
    let half_ticks = |microseconds: u32| u64::from(microseconds).wrapping_mul(us);
    let seconds = options.seconds.map(u64::from);
    let windows = seconds.map_or(u64::MAX, |seconds| {
        seconds.wrapping_mul(1_000_000).checked_div(u64::from(options.window_us)).unwrap_or(1)
    });
    let mut gaps = Gaps::above(half_ticks(options.threshold_us));
    let mut window: u64 = 0;
    // What is printed has left before interrupts are masked.
    session.console.flush();
    let mut at = clock::now();
    while window < windows {
        let before = gaps.count();
        stalls::watch(&mut gaps, half_ticks(options.width_us));
        window = window.wrapping_add(1);
        at = at.after(half_ticks(options.window_us));
        if gaps.count() > before {
            let _ = write_window(&mut session.console, window, gaps.count().wrapping_sub(before), &gaps);
        }
        // A width that took longer than its window, as where emulated cores take turns, moves those behind it.
        if clock::now().since(at) > 0 {
            at = clock::now();
        }
        if session.wait_until(at, || false).is_some() {
            break;
        }
    }
    let console = &mut session.console;
    let _ = write_result(console, window, &options, &gaps);
    let _ = load::write_ran(console);
    Ok(())
}

fn write_head(out: &mut dyn Write, options: &HwlatOptions, provenance: &Provenance<'_>) -> fmt::Result {
    let HwlatOptions { window_us, width_us, threshold_us, seconds } = *options;
    write!(out, "# Hwlat: window {window_us} us, width {width_us} us, threshold {threshold_us} us")?;
    match seconds {
        Some(seconds) => writeln!(out, ", {seconds} s")?,
        None => out.write_str(", until Ctrl-C\n")?,
    }
    let facts = provenance.facts;
    out.write_str(match (facts.platform, facts.icount_shift) {
        (Platform::Qemu, Some(_)) => {
            "# Note: QEMU counts instructions: there is nothing to find but the turns of other emulated cores\n"
        }
        (Platform::Qemu, None) => "# Note: QEMU has no VideoCore and no SDRAM: what is found is the host's\n",
        _ => "",
    })
}

fn write_window(out: &mut dyn Write, window: u64, count: u64, gaps: &Gaps) -> fmt::Result {
    let Some(gap) = gaps.largest_in_window() else { return Ok(()) };
    write!(out, "# Gaps: {count} in window {window}, the largest of ")?;
    write_gap(out, gap)
}

/// How long it is, and where it begins.
fn write_gap(out: &mut dyn Write, gap: Gap) -> fmt::Result {
    let ns = |half_ticks: u64| half_ticks_to_ns(clock::rate(), half_ticks.cast_signed());
    let begins = gap.begins.half_ticks();
    let (ticks, at_ticks) = (gap.half_ticks / 2, begins / 2);
    writeln!(out, "{ticks} ticks ({} ns), at tick {at_ticks} ({} ns)", ns(gap.half_ticks), ns(begins))
}

fn write_result(out: &mut dyn Write, windows: u64, options: &HwlatOptions, gaps: &Gaps) -> fmt::Result {
    writeln!(out, "# Hwlat: {windows} windows, {} reads behind a first one each", gaps.reads())?;
    writeln!(out, "# Hwlat: {} gaps above {} us", gaps.count(), options.threshold_us)?;
    match gaps.largest() {
        Some(gap) => {
            out.write_str("# Hwlat: the largest gap is of ")?;
            write_gap(out, gap)
        }
        None => Ok(()),
    }
}
