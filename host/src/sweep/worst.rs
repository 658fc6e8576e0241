// SPDX-License-Identifier: MIT OR Apache-2.0
//! The worst of each path, and of all.

use super::source::Source;
use super::trials::{Figure, Section, Trials};

/// The worst of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worst {
    /// The path's name.
    pub path: String,
    /// The section in which an interrupt, or whom its handler wakes, was kept waiting longest.
    pub section: Section,
    /// Where in the source the instruction stands that masks, or since which a kernel handler is kept waiting.
    pub line: String,
}

/// The paths whose latencies of kernel interrupts are no part of the worst of all: `Slot::set_priority` is called before
/// a slot's first release.
const BEFORE_THE_FIRST_RELEASE: [&str; 2] = ["set-priority", "release-held-off"];
/// The paths whose latencies of the woken task are none, too: QEMU's PL011 sends a byte in no time, so that one of its
/// interrupts comes directly behind another.
const INTERRUPTS_IN_A_ROW: [&str; 3] = ["console-interrupt", "console-full", "console-room"];

/// The worst of each path by `figure`, in their order.
#[must_use]
pub fn of(trials: &Trials, figure: Figure, source: &Source) -> Vec<Worst> {
    let mut all = Vec::new();
    for (path, sections) in trials.sections(figure) {
        // The first of equals: its trial says most about what precedes it.
        let longest = sections.into_iter().rev().max_by_key(|section| section.latency);
        all.extend(longest.map(|section| Worst { path: path.to_owned(), section, line: source.line(section.masking) }));
    }
    all
}

/// The worst of all paths by latency.
#[must_use]
pub fn by_latency(all: &[Worst]) -> Option<&Worst> {
    all.iter().rev().max_by_key(|worst| worst.section.latency)
}

/// The worst of all paths by instructions masked.
#[must_use]
pub fn by_masked(all: &[Worst]) -> Option<&Worst> {
    all.iter().rev().max_by_key(|worst| worst.section.masked)
}

/// The worst of the paths of a kernel interrupt by latency, without those that stand apart.
#[must_use]
pub fn of_a_kernel_interrupt(all: &[Worst], figure: Figure) -> Option<&Worst> {
    all.iter().rev().filter(|worst| !stands_apart(&worst.path, figure)).max_by_key(|worst| worst.section.latency)
}

/// Whether `path` is left out there.
#[must_use]
pub fn stands_apart(path: &str, figure: Figure) -> bool {
    let path = path.rsplit(':').next().unwrap_or(path);
    BEFORE_THE_FIRST_RELEASE.contains(&path) || (figure == Figure::Task && INTERRUPTS_IN_A_ROW.contains(&path))
}
