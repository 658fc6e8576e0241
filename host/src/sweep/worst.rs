// SPDX-License-Identifier: MIT OR Apache-2.0
//! The worst of each path.

use super::source::Source;
use super::trials::{Section, Trials};

/// The worst of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worst {
    /// The path's name.
    pub path: String,
    /// The section in which a direct handler was kept waiting longest.
    pub section: Section,
    /// Where in the source the instruction stands that masks.
    pub line: String,
}

/// The worst of each path, in their order.
#[must_use]
pub fn of(trials: &Trials, source: &Source) -> Vec<Worst> {
    let mut all = Vec::new();
    for (path, sections) in trials.sections() {
        // The first of equals: its trial says most about what precedes it.
        let longest = sections.into_iter().rev().max_by_key(|section| section.first.latency);
        all.extend(longest.map(|section| Worst { path: path.to_owned(), section, line: source.line(section.masking) }));
    }
    all
}

/// The worst of all paths by latency.
#[must_use]
pub fn by_latency(all: &[Worst]) -> Option<&Worst> {
    all.iter().rev().max_by_key(|worst| worst.section.first.latency)
}

/// The worst of all paths by instructions masked.
#[must_use]
pub fn by_masked(all: &[Worst]) -> Option<&Worst> {
    all.iter().rev().max_by_key(|worst| worst.section.masked)
}
