// SPDX-License-Identifier: MIT OR Apache-2.0
//! The console task: runs the boot line's commands, then those that are typed.
//!
//! A boot word or a command that cannot be used prints one sentence, and nothing behind it in its list is run. If the boot line
//! asks for an `exit` anywhere, the image then ends with status 2, since somebody waits for an end. Without `autorun` a short
//! measurement is run, so that a board with a plain card shows something.
//!
//! Ctrl-C ends the command that runs, and what stands behind it in its list is not run either. What is typed while a command runs
//! is taken when it has ended.

mod control;
mod entry;
mod help;
mod info;
mod session;
mod table;

use core::fmt::{self, Write};

use takt::board;
use takt::console::Console;

use crate::boot_line::{BootLine, asks_for_exit, commands};
use crate::editor::{LineEditor, Outcome};
use crate::refusal::Refusal;
use crate::slots::other_cores;
use crate::{sweep, wake};

pub(crate) use entry::{Entry, Run};
pub(crate) use session::Session;
pub(crate) use table::names;

use session::Extras;

/// What is run without `autorun`.
const USUAL_COMMANDS: &str = "info; latency -i 1000 -l 10000 -h 100 -q";

/// The status of an image that could not do what its boot line says, and of one whose run has failed by the limit given to it.
const REFUSED_STATUS: u8 = 2;
const FAILED_STATUS: u8 = 1;

/// The body of the console task for the task table: `Task::background(console).priority(250)`, less urgent than every
/// other task but loads, with 32 KiB of stack.
pub fn console() -> ! {
    serve(Extras { wake: None, sweep: None })
}

/// The same for a table with slots and probers on every core: see [`other_cores`] and [`wake`].
pub fn console_of_all_cores() -> ! {
    serve(Extras { wake: Some(wake::run), sweep: None })
}

/// The same for a table with a level of each policy and a task for timers: see [`sweep`].
pub fn console_with_sweep() -> ! {
    serve(Extras { wake: None, sweep: Some(sweep::run) })
}

fn serve(extras: Extras) -> ! {
    if let Some(mut console) = Console::take() {
        if extras.wake.is_some() {
            other_cores::await_all(&mut console);
        }
        // The facts stand before the first task runs.
        match board::facts() {
            Some(facts) => run_boot_line(Session::new(console, facts, extras)),
            None => drop(writeln!(console, "# {}", Refusal::NoFacts)),
        }
    }
    crate::sleep()
}

fn run_boot_line(mut session: Session) -> ! {
    let line = board::command_line();
    let outcome = match BootLine::parse(line) {
        Ok(boot_line) => {
            session.provenance.icount = boot_line.icount;
            let list = boot_line.autorun.unwrap_or_else(|| {
                let _ = write_hint(&mut session.console);
                USUAL_COMMANDS
            });
            run_list(&mut session, list)
        }
        Err(error) => {
            let _ = writeln!(session.console, "# {error}");
            Err(REFUSED_STATUS)
        }
    };
    if let Err(status) = outcome
        && asks_for_exit(line)
    {
        control::end(&mut session, status);
    }
    interact(session)
}

fn write_hint(out: &mut dyn Write) -> fmt::Result {
    out.write_str("# The boot line has no autorun=\"command; command\", so this is run:\n")?;
    writeln!(out, "# autorun=\"{USUAL_COMMANDS}\"")
}

/// Runs what is typed.
fn interact(mut session: Session) -> ! {
    let mut editor = LineEditor::new(table::words);
    loop {
        let _ = editor.begin(&mut session.console);
        loop {
            let byte = session.read_byte();
            match editor.take(byte, &mut session.console) {
                Ok(Outcome::Typing) => {}
                Ok(Outcome::Entered) => {
                    let _ = run_list(&mut session, editor.line());
                    break;
                }
                Ok(Outcome::Interrupted) | Err(fmt::Error) => break,
            }
        }
        session.tell_lost_bytes();
    }
}

/// Runs the commands of a list; the status with which the image would end where not all of them were.
fn run_list(session: &mut Session, list: &str) -> Result<(), u8> {
    for command in commands(list) {
        session.begin_command();
        let entry = table::find(command.name).ok_or(Refusal::UnknownCommand { word: command.name });
        let outcome = entry.and_then(|entry| (entry.run)(session, command.arguments));
        if let Err(refusal) = outcome {
            let _ = writeln!(session.console, "# {refusal}");
            return Err(if let Refusal::Failed { .. } = refusal { FAILED_STATUS } else { REFUSED_STATUS });
        }
        if session.was_interrupted() {
            let _ = session.console.write_str("# Ctrl-C: what stands behind this command is not run\n");
            return Err(REFUSED_STATUS);
        }
    }
    Ok(())
}
