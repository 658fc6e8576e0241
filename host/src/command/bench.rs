// SPDX-License-Identifier: MIT OR Apache-2.0
//! `takt bench`: what the paths of the shipped image take, against budgets and peers.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};

use crate::bench::budgets::Budgets;
use crate::bench::csv::Csv;
use crate::bench::figures::{Figure, figures, longest};
use crate::bench::footprint::Stack;
use crate::bench::listing::Listing;
use crate::bench::release::Interrupted;
use crate::bench::table::Table;
use crate::bench::{Bench, Measured, TRACED_CYCLES};
use crate::run::Stop;

/// Measures the paths of the shipped image in QEMU, on one core with one instruction per counter tick.
///
/// One run takes the image's own stamps, a second, short one traces each release from the interrupt to the task's first
/// statement: instructions, device accesses, barriers.
///
/// Ends with status 0; with 1 and a line for each figure over its budget; with 1 and a sentence when it cannot be measured.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The shipped image, as the build for the device made it (ELF)
    elf: PathBuf,
    /// How to print the figures
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Compare with the budgets in this file
    #[arg(long, value_name = "FILE")]
    budgets: Option<PathBuf>,
    /// How many cycles each benchmark runs, instead of what the image takes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    loops: Option<u32>,
    /// Which compiler made the image: the figures depend on it
    #[arg(long, value_name = "TEXT")]
    compiler: Option<String>,
    /// Print each instruction of the longest traced releases as well
    #[arg(long)]
    listing: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// One table for people, with peers' figures
    Table,
    /// A line for each figure
    Csv,
}

pub(super) fn bench(arguments: Arguments) -> Result<ExitCode> {
    let budgets = arguments.budgets.as_ref().map_or_else(|| Ok(Budgets::default()), budgets)?;
    let stop = Stop::on_signals().context("the handlers for Ctrl-C cannot be set")?;
    let measured = Bench { elf: arguments.elf.clone(), cycles: arguments.loops, stop }.measure()?;
    let figures = figures(&measured);
    let heading = heading(&arguments, &measured)?;
    match arguments.format {
        Format::Table => {
            let (footprint, stacks) = (&measured.program.footprint, measured.stacks.as_slice());
            print!("{}", Table { heading: &heading, figures: &figures, budgets: &budgets, footprint, stacks });
        }
        Format::Csv => {
            let further = measured.program.footprint.figures().into_iter();
            let further: Vec<Figure> = further.chain(measured.stacks.iter().flat_map(Stack::figures)).collect();
            print!(
                "{}",
                Csv { heading: &heading, figures: &[figures.as_slice(), &further].concat(), budgets: &budgets }
            );
        }
    }
    if arguments.listing {
        print_listings(&measured, matches!(arguments.format, Format::Csv));
    }
    judge(&budgets, &figures)
}

fn budgets(path: &PathBuf) -> Result<Budgets> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("{} cannot be read; --budgets names the file with the budgets", path.display()))?;
    Budgets::parse(&text).with_context(|| format!("{} is no file of budgets", path.display()))
}

/// The lines over the figures. Both ways into a release have to be among the traced ones.
fn heading(arguments: &Arguments, measured: &Measured) -> Result<Vec<String>> {
    let traced = |interrupted| measured.releases.iter().filter(|release| release.interrupted == interrupted).count();
    let (idle, busy) = (traced(Interrupted::Idle), traced(Interrupted::Task));
    if idle == 0 || busy == 0 {
        bail!(
            "among {TRACED_CYCLES} traced cycles each, {idle} releases out of idle and {busy} out of a task were found; see \
             with takt run that bench releases a task both ways, and that this QEMU can trace memory_region_ops"
        );
    }
    let name = arguments.elf.file_name().unwrap_or_default().to_string_lossy();
    let cycles = measured.timings.iter().map(|timing| timing.count).min().unwrap_or_default();
    let compiler = arguments.compiler.as_deref().unwrap_or("not told (--compiler)");
    Ok(vec![
        format!("takt bench: {name} in QEMU, -icount shift=4 (one instruction per counter tick), one core"),
        format!("compiler: {compiler}"),
        measured.cross_check.to_string(),
        format!("cycles: {cycles} by the image's stamps; {idle} idle and {busy} busy releases traced"),
    ])
}

/// Prints the longest release of each kind; as comments where the other lines are for programs.
fn print_listings(measured: &Measured, as_comments: bool) {
    let mark = if as_comments { "# " } else { "" };
    for interrupted in [Interrupted::Idle, Interrupted::Task] {
        let Some(release) = longest(&measured.releases, interrupted) else { continue };
        println!("{}", mark.trim_end());
        let listing = Listing { release, program: &measured.program }.to_string();
        listing.lines().for_each(|line| println!("{mark}{line}"));
    }
}

fn judge(budgets: &Budgets, figures: &[Figure]) -> Result<ExitCode> {
    let excesses = budgets.excesses(figures)?;
    excesses.iter().for_each(|excess| eprintln!("takt bench: over budget: {excess}"));
    Ok(if excesses.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
