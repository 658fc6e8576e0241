// SPDX-License-Identifier: MIT OR Apache-2.0
//! The commands that end: `exit`, `reboot`, `halt`.

use core::fmt::Write;

use takt::board;

use super::{Entry, Session};
use crate::boot_line::{exit_status, no_arguments};
use crate::refusal::Refusal;

pub(super) static EXIT: Entry = Entry {
    name: "exit",
    usage: "[STATUS]",
    summary: "end QEMU with the status, stop a board",
    help: "STATUS is 0 to 255, 0 without one. `takt run` ends with it. A board stops for good: it answers nothing until it is\n\
           powered anew.\n\
           exit 3",
    words: &[],
    run: exit,
};

pub(super) static REBOOT: Entry = Entry {
    name: "reboot",
    usage: "",
    summary: "reset the whole chip; the firmware loads the image anew",
    help: "The watchdog resets the chip, and the boot line is run again. `takt run` ends with status 125.\n\
           reboot",
    words: &[],
    run: reboot,
};

pub(super) static HALT: Entry = Entry {
    name: "halt",
    usage: "",
    summary: "turn the board off until it is powered anew",
    help: "The chip is reset and the firmware stays down. `takt run` ends with status 0.\n\
           halt",
    words: &[],
    run: halt,
};

/// Ends with this status.
pub(super) fn end(session: &mut Session, status: u8) -> ! {
    let _ = writeln!(session.console, "# Exit: status {status}");
    session.console.flush();
    takt::exit(status)
}

fn exit<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let status = exit_status(arguments)?;
    end(session, status)
}

fn reboot<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    no_arguments("reboot", arguments)?;
    let _ = session.console.write_str("# Reboot\n");
    session.console.flush();
    board::reboot()
}

fn halt<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    no_arguments("halt", arguments)?;
    let _ = session.console.write_str("# Halt\n");
    session.console.flush();
    board::halt()
}
