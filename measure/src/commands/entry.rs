// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the console knows of a command.

use super::Session;
use crate::refusal::Refusal;

/// A command: a static beside the function that runs it, and a line in the table.
pub(crate) struct Entry {
    /// Its first word.
    pub(crate) name: &'static str,
    /// What stands behind the name, in short.
    pub(crate) usage: &'static str,
    /// What it does, in a few words.
    pub(crate) summary: &'static str,
    /// What `help` and the name print: lines, the last of which are examples.
    pub(crate) help: &'static str,
    /// The words that Tab completes.
    pub(crate) words: &'static [&'static str],
    /// Runs it with what stands behind its name.
    pub(crate) run: Run,
}

/// Runs a command: what it has to say it has said when this returns.
pub(crate) type Run = for<'a> fn(&mut Session, &'a str) -> Result<(), Refusal<'a>>;
