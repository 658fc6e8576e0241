// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sections as a table for people and as lines for programs, and one of them instruction by instruction.

use std::fmt;

use super::{Length, Masked, Section, Who};
use crate::bench::program::Program;
use crate::sweep::source::Source;

/// What is printed, and where names and lines come from.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// What the walk found.
    pub masked: &'a Masked,
    /// The program.
    pub program: &'a Program,
    /// Its lines.
    pub source: &'a Source,
}

impl Report<'_> {
    /// Name and offset; of a path only the last name.
    fn place(&self, address: u64) -> String {
        let (name, offset) = self.program.place(address).unwrap_or(("?", 0));
        format!("{}+{offset:#x}", last(name))
    }

    fn line(&self, address: u64) -> String {
        Some(self.source.line(address)).filter(|line| line != "?").unwrap_or_else(|| "assembly".to_owned())
    }

    /// Where a section ends, or why it has no length.
    fn end(&self, section: &Section) -> String {
        match &section.length {
            Length::Counted { addresses, .. } => {
                addresses.last().map_or_else(String::new, |end| format!("{end:#x} {}", self.place(*end)))
            }
            Length::Unbounded(why) => format!("unbounded: {why}, {}", self.line(why.address())),
            Length::Uncounted { reason, found } => format!("not counted, {found}: {reason}"),
            Length::Never => "never unmasks".to_owned(),
        }
    }
}

fn last(name: &str) -> &str {
    name.rsplit_once("::").map_or(name, |(_, last)| last)
}

fn name(who: Who) -> &'static str {
    match who {
        Who::Task => "task",
        Who::Interrupt => "interrupt",
    }
}

fn instructions(section: &Section) -> Option<u64> {
    match section.length {
        Length::Counted { instructions, .. } => Some(instructions),
        _ => None,
    }
}

/// Prints a table.
#[derive(Debug)]
pub struct Table<'a>(pub Report<'a>);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(report) = self;
        let masked = report.masked;
        writeln!(
            f,
            "takt masked: {} sections, longest first, by all ways that the instructions allow\n",
            masked.sections.len()
        )?;
        writeln!(f, "{:>6}  {:<9}  masked from, to", "instr", "who")?;
        let mut sections: Vec<&Section> = masked.sections.iter().collect();
        sections.sort_by_key(|section| (order(&section.length), std::cmp::Reverse(instructions(section))));
        for section in sections {
            let length = instructions(section).map_or_else(|| "-".to_owned(), |number| number.to_string());
            let (address, place) = (section.address, report.place(section.address));
            let (line, end) = (report.line(address), report.end(section));
            writeln!(f, "{length:>6}  {:<9}  {line} {address:#x} {place}, {end}", name(section.who))?;
        }
        writeln!(f, "\ninstr: instructions behind the one that masks, up to and with the one that unmasks")?;
        for (address, reason) in &masked.known_pointers {
            writeln!(f, "walked past the call through a pointer at {address:#x}, {}: {reason}", report.line(*address))?;
        }
        if !masked.never_returns.is_empty() {
            writeln!(f, "not walked, since it never returns: {}", masked.never_returns.join(", "))?;
        }
        for who in [Who::Task, Who::Interrupt] {
            if let Some((section, instructions)) = masked.longest(|other| other == who) {
                let (name, line) = (name(who), report.line(section.address));
                writeln!(f, "longest masked section, {name}: {instructions}, {line} {:#x}", section.address)?;
            }
        }
        Ok(())
    }
}

fn order(length: &Length) -> u8 {
    match length {
        Length::Unbounded(_) => 0,
        Length::Counted { .. } => 1,
        Length::Uncounted { .. } => 2,
        Length::Never => 3,
    }
}

/// Prints `address,who,instructions,function,source line,end`, and a last line `longest,N,address,source line`. A section
/// without a length has an empty field and its reason in place of the end.
#[derive(Debug)]
pub struct Csv<'a>(pub Report<'a>);

impl fmt::Display for Csv<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(report) = self;
        writeln!(f, "# address,who,instructions,function,source line,end")?;
        for section in &report.masked.sections {
            let length = instructions(section).map_or_else(String::new, |number| number.to_string());
            let function = last(report.program.place(section.address).map_or("?", |(name, _)| name));
            let (address, who, line) = (section.address, name(section.who), report.line(section.address));
            writeln!(f, "{address:#x},{who},{length},{function},{line},{}", field(&report.end(section)))?;
        }
        if let Some((section, instructions)) = report.masked.longest(|_| true) {
            writeln!(f, "longest,{instructions},{:#x},{}", section.address, report.line(section.address))?;
        }
        Ok(())
    }
}

/// A text that may have commas.
fn field(text: &str) -> String {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Prints every instruction of a section's longest way. The words are there to be disassembled with any tool.
#[derive(Debug)]
pub struct Listing<'a> {
    /// Where names and lines come from.
    pub report: Report<'a>,
    /// What to print.
    pub section: &'a Section,
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { report, section } = self;
        writeln!(f, "masked from {:#x}, {}", section.address, report.line(section.address))?;
        writeln!(f, "in {}", section.functions.join(", in "))?;
        let Length::Counted { addresses, .. } = &section.length else {
            return writeln!(f, "{}", report.end(section));
        };
        let mut name_before = "";
        for (number, &address) in (1..).zip(addresses) {
            let (name, offset) = report.program.place(address).unwrap_or(("?", 0));
            if name != name_before {
                writeln!(f, "{name}")?;
                name_before = name;
            }
            let word = report.program.word(address).unwrap_or_default();
            writeln!(f, "{number:>5}  {address:#x}  +{offset:#05x}  {word:08x}  {}", report.source.innermost(address))?;
        }
        Ok(())
    }
}
