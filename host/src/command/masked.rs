// SPDX-License-Identifier: MIT OR Apache-2.0
//! `takt masked`: how long interrupts can stay masked.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};

use crate::bench::program::Program;
use crate::masked::report::{Csv, Listing, Report, Table};
use crate::masked::{Masked, budgets};
use crate::sweep::source::Source;

/// Walks the instructions of an image from each that masks interrupts to those that unmask them, and says how many there
/// are at most.
///
/// Nothing is run: every way is taken that the instructions allow, so the figures are upper bounds for what takt sweep meets.
///
/// Ends with status 0; with 1 and a line for each section that has no bound or is over its budget; with 1 and a sentence
/// when an exception of the budgets matches nothing.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The program, as the build for the device made it (ELF)
    elf: PathBuf,
    /// How to print the sections
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Compare with the budgets masked-static-… in this file, with its exceptions
    #[arg(long, value_name = "FILE")]
    budgets: Option<PathBuf>,
    /// Print each instruction of the section that begins here as well, by its longest way; or of the longest section
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, value_parser = address)]
    listing: Option<Option<u64>>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// One table for people
    Table,
    /// A line for each section, and a last one for the longest
    Csv,
}

fn address(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u64::from_str_radix(digits, 16)
        .map_err(|_| format!("'{text}' is no address; give one as the table shows it, such as 0x81314"))
}

pub(super) fn masked(arguments: &Arguments) -> Result<ExitCode> {
    let budgets = arguments.budgets.as_deref().map(budgets::read).transpose()?.unwrap_or_default();
    let name = arguments.elf.display();
    let elf = std::fs::read(&arguments.elf)
        .with_context(|| format!("{name} cannot be read; build the program for the device first"))?;
    let program = Program::parse(&elf).with_context(|| name.to_string())?;
    let source = Source::parse(&elf).with_context(|| name.to_string())?;
    let masked = Masked::of(&program, &source, &budgets)?;
    let report = Report { masked: &masked, program: &program, source: &source };
    match arguments.format {
        Format::Table => print!("{}", Table(report)),
        Format::Csv => print!("{}", Csv(report)),
    }
    if let Some(wanted) = arguments.listing {
        let found = match wanted {
            Some(address) => masked.sections.iter().find(|section| section.address == address),
            None => masked.longest(|_| true).map(|(section, _)| section),
        };
        let Some(section) = found else {
            bail!("no masked section begins there; --listing takes an address of the table");
        };
        print!("\n{}", Listing { report, section });
    }
    let excesses = masked.excesses(&budgets);
    excesses.iter().for_each(|excess| eprintln!("takt masked: {excess}"));
    Ok(ExitCode::from(u8::from(!excesses.is_empty())))
}
