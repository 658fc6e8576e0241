// SPDX-License-Identifier: MIT OR Apache-2.0
//! All commands.

use super::{Entry, control, help, info};
use crate::{bench, calibrate, hwlat, latency, load, sweep, trace, wake, xlatency};

/// In the order in which `help` lists them.
pub(super) static TABLE: [&Entry; 20] = [
    &latency::COMMAND,
    &xlatency::COMMAND,
    &latency::HIST,
    &latency::SPIKES,
    &calibrate::COMMAND,
    &sweep::COMMAND,
    &bench::COMMAND,
    &wake::COMMAND,
    &load::COMMAND,
    &hwlat::COMMAND,
    &trace::COMMAND,
    &info::INFO,
    &info::TASKS,
    &info::RESET,
    &info::TOP,
    &info::VERSION,
    &help::COMMAND,
    &control::REBOOT,
    &control::HALT,
    &control::EXIT,
];

/// The names, for Tab.
#[expect(clippy::indexing_slicing, reason = "in a constant: what is out of bounds is refused by the compiler")]
static NAMES: [&str; TABLE.len()] = {
    let mut names = [""; TABLE.len()];
    let mut index = 0;
    while index < TABLE.len() {
        names[index] = TABLE[index].name;
        index += 1;
    }
    names
};

/// The command of this name.
pub(super) fn find(name: &str) -> Option<&'static Entry> {
    TABLE.iter().copied().find(|entry| entry.name == name)
}

/// What may stand behind `command`, or at the beginning.
pub(super) fn words(command: Option<&str>) -> &'static [&'static str] {
    match command {
        None | Some("help") => &NAMES,
        Some(command) => find(command).map_or(&[], |entry| entry.words),
    }
}

/// All names.
pub(crate) fn names() -> &'static [&'static str] {
    &NAMES
}
