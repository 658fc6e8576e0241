// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much of each stack was used, a comment line each: for people, and `takt bench` reads them.

use core::fmt::{self, Write};

use takt::StackUse;

/// Writes the line of every task's stack and of the one that interrupt handlers use.
pub(crate) fn write(out: &mut dyn Write) -> fmt::Result {
    for task in takt::task_reports() {
        write_line(out, task.name, task.stack)?;
    }
    write_line(out, "(exceptions)", takt::exception_stack_use())
}

fn write_line(out: &mut dyn Write, name: &str, stack: StackUse) -> fmt::Result {
    writeln!(out, "# Stack: {name} {} of {} bytes", stack.used_bytes, stack.bytes)
}
