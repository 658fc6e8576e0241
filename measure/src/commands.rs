// SPDX-License-Identifier: MIT OR Apache-2.0
//! The console task: runs the boot line's commands, the least urgent of all.
//!
//! A boot word or a command that cannot be used prints one sentence, and nothing behind it is run. If the boot line asks
//! for an `exit` anywhere, the image then ends with status 2, since somebody waits for an end; otherwise it stays
//! idle. Without `autorun` a short measurement is run, so that a board with a plain card shows something.

use core::fmt::{self, Write};

use takt::board;
use takt::console::Console;
use takt::kernel::release::ReleaseCounts;

use crate::boot_line::{BootLine, Command, asks_for_exit, commands};
use crate::provenance::Provenance;
use crate::refusal::Refusal;
use crate::slots::other_cores;
use crate::{bench, execution, latency, sleep, stacks, trace, wake};

/// What is run without `autorun`.
const USUAL_COMMANDS: &str = "info; latency -i 1000 -l 10000 -h 100";

/// The status of an image that could not do what its boot line says.
const REFUSED_STATUS: u8 = 2;

/// The body of the console task for the task table: `Task::background(console).priority(250)`, less urgent than every
/// other task, with 16 KiB of stack.
pub fn console() -> ! {
    serve(None)
}

/// The same for a table with slots and probers on every core: see [`other_cores`] and [`wake`].
pub fn console_of_all_cores() -> ! {
    other_cores::await_all();
    serve(Some(wake::run))
}

/// What the `wake` command runs, in an image that has tasks on every core.
type Wake = fn(&mut Console, &Provenance<'_>, u32) -> Result<(), Refusal<'static>>;

fn serve(wake: Option<Wake>) -> ! {
    if let Some(mut console) = Console::take() {
        run_boot_line(&mut console, wake);
    }
    sleep()
}

fn run_boot_line(console: &mut Console, wake: Option<Wake>) {
    let line = board::command_line();
    match BootLine::parse(line) {
        Ok(boot_line) => run_list(console, line, &boot_line, wake),
        Err(error) => refuse(console, line, &error),
    }
}

fn run_list(console: &mut Console, line: &str, boot_line: &BootLine<'_>, wake: Option<Wake>) {
    let list = boot_line.autorun.unwrap_or_else(|| {
        let _ = write_hint(console);
        USUAL_COMMANDS
    });
    for command in commands(list) {
        let outcome = command.map_err(Refusal::from).and_then(|command| run(console, boot_line, command, wake));
        if let Err(refusal) = outcome {
            return refuse(console, line, &refusal);
        }
    }
}

/// Says why, and ends the image if the line asks for an end.
fn refuse(console: &mut Console, line: &str, reason: &dyn fmt::Display) {
    let _ = writeln!(console, "# {reason}");
    if asks_for_exit(line) {
        exit(console, REFUSED_STATUS);
    }
}

fn run<'a>(
    console: &mut Console,
    boot_line: &BootLine<'_>,
    command: Command<'a>,
    wake: Option<Wake>,
) -> Result<(), Refusal<'a>> {
    // The facts stand before the first task runs.
    let facts = board::facts().ok_or(Refusal::NoFacts)?;
    let provenance = Provenance { facts, icount: boot_line.icount };
    match command {
        Command::Latency { arguments } => latency::run(console, &provenance, arguments),
        Command::Bench { cycles } => bench::run(console, &provenance, cycles),
        Command::Wake { rounds } => wake.ok_or(Refusal::OneCore)?(console, &provenance, rounds),
        Command::Trace => trace::run(console),
        Command::Info => {
            let _ = write_info(console, &provenance);
            let _ = execution::write(console);
            Ok(())
        }
        Command::Help => {
            let _ = write_help(console);
            Ok(())
        }
        Command::Exit { status } => exit(console, status),
    }
}

fn exit(console: &mut Console, status: u8) -> ! {
    let _ = writeln!(console, "# Exit: status {status}");
    console.flush();
    takt::exit(status)
}

fn write_hint(out: &mut dyn Write) -> fmt::Result {
    out.write_str("# The boot line has no autorun=\"command; command\", so this is run:\n")?;
    writeln!(out, "# autorun=\"{USUAL_COMMANDS}\"")
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

fn write_help(out: &mut dyn Write) -> fmt::Result {
    out.write_str(
        "# latency [OPTION]...  measure; the options are cyclictest's:\n\
         #   -i US -d US -l CYCLES -D SECONDS -p 1..99 -h ROWS -H ROWS -t THREADS -q -N\n\
         #   -S -a [CORES] -A [US]: one thread on each core\n\
         #   --stage handler, task or handler,task\n\
         #   --freeze-on-max: print the events before the maximum as well\n\
         # bench [-l CYCLES]    measure takt's own paths, in counter ticks\n\
         # wake [-l ROUNDS]     measure how one core wakes a task of another\n\
         # trace                print the events up to now\n\
         # info                 print board, clocks, image, tasks\n\
         # help                 print this\n\
         # exit [STATUS]        end QEMU with the status, stop a board\n",
    )
}
