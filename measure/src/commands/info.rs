// SPDX-License-Identifier: MIT OR Apache-2.0
//! The commands that tell: `info`, `tasks`, `top`, `version`.

use core::fmt::{self, Write};

use takt::clock;
use takt::execution_time::{CpuUse, IS_ON};
use takt::kernel::release::ReleaseCounts;

use super::{Entry, Session};
use crate::boot_line::{Times, no_arguments};
use crate::provenance::{Provenance, write_image};
use crate::refusal::Refusal;
use crate::{execution, stacks};

pub(super) static INFO: Entry = Entry {
    name: "info",
    usage: "",
    summary: "print board, clocks, image, tasks",
    help: "All that is known of the machine, and of the tasks of core 0 since the start or reset-stats.\n\
           info",
    words: &[],
    run: info,
};

pub(super) static TASKS: Entry = Entry {
    name: "tasks",
    usage: "",
    summary: "print what each task of core 0 does, and its counts",
    help: "One line for each task by urgency: its rank, its priority (1 is the most urgent), its jobs, those that overran\n\
           their period, came late or were skipped, the most of its stack that was in use, its name and what it does.\n\
           tasks",
    words: &[],
    run: tasks,
};

pub(super) static RESET: Entry = Entry {
    name: "reset-stats",
    usage: "",
    summary: "begin the counts of tasks and interrupts anew",
    help: "Jobs, overruns, response times and odd interrupts of core 0, which info and tasks print; the last run of latency is forgotten.\n\
           How far a stack was used, and execution times, stay since the start.\n\
           reset-stats; latency -l 1000; tasks",
    words: &[],
    run: reset,
};

pub(super) static TOP: Entry = Entry {
    name: "top",
    usage: "[-l TIMES]",
    summary: "print who has the core, second by second",
    help: "The share of each task of core 0, of the idle task and of interrupt handlers, of each second; once unless told.\n\
           Needs an image that accounts execution times: make run EXECUTION_TIME=1.\n\
           top -l 10",
    words: &["-l"],
    run: top,
};

pub(super) static VERSION: Entry = Entry {
    name: "version",
    usage: "",
    summary: "print takt's version and the image's hash",
    help: "The hash is that of the first bytes of kernel8.img: text and constants.\n\
           version",
    words: &[],
    run: version,
};

fn info<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    no_arguments("info", arguments)?;
    let _ = write_info(&mut session.console, &session.provenance);
    let _ = execution::write(&mut session.console);
    Ok(())
}

fn version<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    no_arguments("version", arguments)?;
    let _ = write_image(&mut session.console);
    Ok(())
}

/// Everything that is known: provenance, tasks, interrupts.
fn write_info(out: &mut dyn Write, provenance: &Provenance<'_>) -> fmt::Result {
    provenance.write(out)?;
    for (rank, task) in takt::task_reports().enumerate() {
        let ReleaseCounts { count, overrun, late, skipped, .. } = task.counts;
        write!(out, "# Task: {rank} {}, priority {}: ", task.name, task.priority)?;
        writeln!(out, "{count} jobs, {overrun} overruns, {late} late, {skipped} skipped")?;
    }
    for (rank, task) in takt::task_reports().enumerate().filter(|(_, task)| task.responses.is_some()) {
        writeln!(out, "# Response: {rank} {}: {}", task.name, task.responses_in_words())?;
    }
    if let Some(assumptions) = takt::bound_assumptions() {
        writeln!(out, "# Bounds: {assumptions}")?;
    }
    let interrupts = takt::interrupt_counts();
    writeln!(
        out,
        "# Interrupts: {} of the timer released nobody, {} were spurious",
        interrupts.timer_without_release, interrupts.spurious
    )?;
    stacks::write(out)
}

fn tasks<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    no_arguments("tasks", arguments)?;
    let _ = write_tasks(&mut session.console);
    Ok(())
}

fn write_tasks(out: &mut dyn Write) -> fmt::Result {
    out.write_str("# Tasks: rank prio       jobs overruns       late    skipped      stack  name, state\n")?;
    for (rank, task) in takt::task_reports().enumerate() {
        let ReleaseCounts { count, overrun, late, skipped, .. } = task.counts;
        write!(out, "# Tasks: {rank:4} {:4} {count:10} {overrun:8} {late:10} {skipped:10} ", task.priority)?;
        writeln!(out, "{:5}/{:<5} {}, {}", task.stack.used_bytes, task.stack.bytes, task.name, task.state)?;
    }
    Ok(())
}

fn reset<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    no_arguments("reset-stats", arguments)?;
    takt::reset_statistics();
    session.last_run = None;
    Ok(())
}

fn top<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let times = Times { command: "top", what: "times", usual: 1, maximum: 1_000_000 }.read(arguments)?;
    if !IS_ON {
        return Err(Refusal::NoExecutionTime { command: "top" });
    }
    let mut cpu_use = CpuUse::since_start();
    let mut begins = clock::now();
    let _ = cpu_use.look().map(Iterator::count);
    for _ in 0..times {
        begins = begins.after(clock::half_ticks_per_us().wrapping_mul(1_000_000));
        if session.wait_until(begins, || false).is_some() {
            break;
        }
        let _ = session.console.write_str("# Top:");
        for share in cpu_use.look().into_iter().flatten() {
            let _ = write!(session.console, " {share}");
        }
        let _ = session.console.write_str("\n");
    }
    Ok(())
}
