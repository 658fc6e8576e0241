// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long interrupts can stay masked, found by walking the instructions of the whole image.
//!
//! It is the upper bound beside [`crate::sweep`], which meets what is executed. [`flow`] knows where an instruction leads,
//! [`code`] what the program is as a whole, [`returns`] who never returns, [`saved`] who asked whether it was masked
//! already; [`start`] finds where sections begin, [`walk`] the longest way from there, [`budgets`] what it may be and what
//! is not counted; [`report`] prints.
//!
//! The length of a section is the number of instructions behind the one that masks, up to and with the one that unmasks:
//! what the sweep calls masked. Where an interrupt masks, it begins with the vector's first instruction; behind the idle
//! task's look for an interrupt, with the one behind that.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

pub mod budgets;
pub mod code;
pub mod flow;
pub mod report;
pub mod returns;
pub mod saved;
pub mod start;
pub mod walk;

#[cfg(test)]
mod tests;

use crate::bench::program::Program;
use crate::sweep::source::Source;
use budgets::Budgets;
use code::Code;
use flow::Flow;
use start::{Cause, Start};
use walk::{Unbounded, Walk};

/// Whom a section keeps waiting for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// A task.
    Task,
    /// An interrupt's vector, its handler, or the idle task's call of it.
    Interrupt,
}

impl Who {
    fn budget_name(self) -> &'static str {
        match self {
            Self::Task => "masked-static-task",
            Self::Interrupt => "masked-static-interrupt",
        }
    }
}

/// What the walk found of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Length {
    /// Its longest way.
    Counted {
        /// How many instructions it is at most.
        instructions: u64,
        /// All of them.
        addresses: Vec<u64>,
    },
    /// It has no longest way.
    Unbounded(Unbounded),
    /// It has no bound or is over its budget, and is excused.
    Uncounted {
        /// Why it is.
        reason: String,
        /// What the walk found all the same.
        found: String,
    },
    /// It leads to a fault or into a core's last sleep.
    Never,
}

/// A masked section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The instruction that masks or looks, or the vector's first.
    pub address: u64,
    /// Whose it is.
    pub who: Who,
    /// `file: function` of those inlined there, innermost first, and the full name of the one they stand in.
    pub functions: Vec<String>,
    /// How long it is.
    pub length: Length,
}

/// All masked sections of a program.
#[derive(Debug)]
pub struct Masked {
    /// By address.
    pub sections: Vec<Section>,
    /// What is called on their ways and never returns: not counted.
    pub never_returns: Vec<String>,
    /// Calls through pointers that were walked past, by address, with the reason.
    pub known_pointers: BTreeMap<u64, String>,
}

impl Masked {
    /// Walks all masked sections of a program.
    ///
    /// # Errors
    /// When an exception of the budgets matches nothing.
    pub fn of(program: &Program, source: &Source, budgets: &Budgets) -> Result<Self> {
        let functions = |address| {
            let mut functions = source.functions(address);
            functions.extend(program.place(address).map(|(name, _)| name.to_owned()));
            functions
        };
        Self::with_names(program, functions, budgets)
    }

    fn with_names(program: &Program, functions: impl Fn(u64) -> Vec<String>, budgets: &Budgets) -> Result<Self> {
        let code = Code::of(program);
        let reason = |reasons: &BTreeMap<String, String>, functions: &[String]| {
            let is_named = |entry: &str, name: &String| {
                name.strip_suffix(entry).is_some_and(|before| before.is_empty() || before.ends_with('/'))
            };
            let mut entries = reasons.iter();
            let (entry, reason) = entries.find(|(entry, _)| functions.iter().any(|name| is_named(entry, name)))?;
            Some((entry.clone(), reason.clone()))
        };
        let calls = code.instructions().filter(|(at, word)| Flow::of(*at, *word) == Flow::CallThroughPointer);
        let known: BTreeMap<u64, (String, String)> = calls
            .filter_map(|(address, _)| Some((address, reason(&budgets.masked_static_pointers, &functions(address))?)))
            .collect();
        let mut walk = Walk::new(&code, known.keys().copied().collect());
        let mut sections = Vec::new();
        let mut matched = BTreeSet::new();
        for start in start::starts(&code, program.vectors) {
            let who = who(&code, &start);
            let mut length = length(&mut walk, &start);
            let excess = excess(&length, budgets.of(who));
            let functions = functions(start.address);
            let excuse = excess.and_then(|found| Some((found, reason(&budgets.masked_static_uncounted, &functions)?)));
            if let Some((found, (name, reason))) = excuse {
                matched.insert(name);
                length = Length::Uncounted { reason, found };
            }
            sections.push(Section { address: start.address, who, functions, length });
        }
        let passed: Vec<u64> = walk.passed_pointers().iter().copied().collect();
        let passed_names = passed.iter().filter_map(|address| Some(known.get(address)?.0.clone())).collect();
        all_matched("masked-static-uncounted", &budgets.masked_static_uncounted, &matched)?;
        all_matched("masked-static-pointers", &budgets.masked_static_pointers, &passed_names)?;
        let known_pointers =
            passed.into_iter().filter_map(|address| Some((address, known.get(&address)?.1.clone()))).collect();
        let never_returns: BTreeSet<&str> = walk.never_returns().iter().map(|address| code.name(*address)).collect();
        let never_returns = never_returns.into_iter().map(ToOwned::to_owned).collect();
        Ok(Self { sections, never_returns, known_pointers })
    }

    /// The longest section that counts, of whom it is asked for.
    #[must_use]
    pub fn longest(&self, who: impl Fn(Who) -> bool) -> Option<(&Section, u64)> {
        let counted = self.sections.iter().filter(|section| who(section.who));
        let lengths = counted.filter_map(|section| match section.length {
            Length::Counted { instructions, .. } => Some((section, instructions)),
            _ => None,
        });
        // The first of equals.
        lengths.rev().max_by_key(|(_, instructions)| *instructions)
    }

    /// What is over its budget or has no bound, a sentence each.
    #[must_use]
    pub fn excesses(&self, budgets: &Budgets) -> Vec<String> {
        let mut sentences = Vec::new();
        for section in &self.sections {
            let (name, address) = (section.who.budget_name(), section.address);
            if let Some(excess) = excess(&section.length, budgets.of(section.who)) {
                sentences.push(format!("{name}: the masked section from {address:#x} {excess}"));
            }
        }
        sentences
    }
}

/// A section belongs to the interrupt path where assembly calls what begins it.
fn who(code: &Code<'_>, start: &Start) -> Who {
    let sites = code.return_sites(code.function(start.address));
    let is_called_by_assembly = sites.iter().any(|site| code.is_assembly(*site));
    match start.cause {
        Cause::Instruction if !is_called_by_assembly => Who::Task,
        _ => Who::Interrupt,
    }
}

fn length(walk: &mut Walk<'_>, start: &Start) -> Length {
    match walk.longest(start.first) {
        Ok(Some(found)) => Length::Counted { instructions: found.instructions, addresses: walk.addresses(&found) },
        Ok(None) => Length::Never,
        Err(why) => Length::Unbounded(why),
    }
}

/// What is wrong with a length, if something is.
fn excess(length: &Length, budget: Option<u64>) -> Option<String> {
    match (length, budget) {
        (Length::Unbounded(why), _) => Some(format!("has no bound: it {why}")),
        (Length::Counted { instructions, .. }, Some(budget)) if *instructions > budget => {
            let over = instructions - budget;
            Some(format!("is up to {instructions} instructions, budget {budget}, over by {over}"))
        }
        _ => None,
    }
}

/// An exception that nothing needs would hide what comes later.
fn all_matched(table: &str, reasons: &BTreeMap<String, String>, matched: &BTreeSet<String>) -> Result<()> {
    let idle: Vec<&str> = reasons.keys().filter(|name| !matched.contains(*name)).map(String::as_str).collect();
    if !idle.is_empty() {
        bail!(
            "{table} excuses {}, where nothing needs it; remove the entry, or correct the name: 'takt masked --listing' shows \
             what a section's functions are called",
            idle.join(", ")
        );
    }
    Ok(())
}
