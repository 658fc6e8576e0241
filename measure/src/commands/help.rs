// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `help` command.

use core::fmt::{self, Write};

use super::table::{TABLE, find};
use super::{Entry, Session};
use crate::refusal::Refusal;

pub(super) static COMMAND: Entry = Entry {
    name: "help",
    usage: "[COMMAND]",
    summary: "print this, or all about one command",
    help: "Commands are separated by semicolons, in the boot word autorun=\"...\" as here. Tab completes words, the arrows bring\n\
           earlier lines back, Ctrl-C ends what runs.\n\
           help latency",
    words: &[],
    run,
};

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let out = &mut session.console;
    let _ = match arguments {
        "" => write_all(out),
        name => write_one(out, find(name).ok_or(Refusal::UnknownCommand { word: name })?),
    };
    Ok(())
}

fn write_all(out: &mut dyn Write) -> fmt::Result {
    for Entry { name, usage, summary, .. } in TABLE {
        writeln!(out, "# {name:<11} {usage:<20} {summary}")?;
    }
    Ok(())
}

fn write_one(out: &mut dyn Write, entry: &Entry) -> fmt::Result {
    let Entry { name, usage, summary, help, .. } = entry;
    let blank = if usage.is_empty() { "" } else { " " };
    writeln!(out, "# {name}{blank}{usage}: {summary}")?;
    help.lines().try_for_each(|line| writeln!(out, "#   {line}"))
}
