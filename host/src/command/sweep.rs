// SPDX-License-Identifier: MIT OR Apache-2.0
//! `takt sweep`: how long a direct handler can be kept waiting.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};

use crate::run::Stop;
use crate::sweep::report::{Csv, Table};
use crate::sweep::worst::{by_latency, by_masked};
use crate::sweep::{Sweep, budgets};

/// Fires a direct handler at every instruction of the executive's paths, in QEMU, and says where it waited longest.
///
/// Each path is run once for each instruction, on one core with one instruction per counter tick, and has to end in the
/// same state each time.
///
/// Ends with status 0; with 1 and a line for each figure over its budget; with 1 and a sentence when a path ends otherwise
/// than undisturbed or cannot be walked.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The program 'sweep' of the tests, as the build for the device made it (ELF)
    elf: PathBuf,
    /// How to print the worst of each path
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Try each third instruction only
    #[arg(long)]
    short: bool,
    /// Compare with the budgets sweep-latency and sweep-masked in this file
    #[arg(long, value_name = "FILE")]
    budgets: Option<PathBuf>,
    /// Print each instruction that ran while the handler waited longest as well; of this path, or of the worst
    #[arg(long, value_name = "PATH", num_args = 0..=1, default_missing_value = "")]
    listing: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// One table for people
    Table,
    /// A line for each path, and a last one for the worst
    Csv,
}

pub(super) fn sweep(arguments: Arguments) -> Result<ExitCode> {
    let budgets = arguments.budgets.as_deref().map(budgets::read).transpose()?.unwrap_or_default();
    let stop = Stop::on_signals().context("the handlers for Ctrl-C cannot be set")?;
    let sweep = Sweep { elf: arguments.elf, is_short: arguments.short, stop };
    let swept = sweep.sweep()?;
    match arguments.format {
        Format::Table => print!("{}", Table(&swept)),
        Format::Csv => print!("{}", Csv(&swept)),
    }
    let (latest, longest) = (by_latency(&swept.worst), by_masked(&swept.worst));
    if let Some(path) = arguments.listing {
        let wanted = swept.worst.iter().find(|worst| worst.path == path).or(longest);
        if let Some(worst) = wanted {
            print!("\n{}", sweep.listing(&swept, worst)?);
        }
    }
    let mut is_within = true;
    for (name, budget, worst) in [("sweep-latency", budgets.latency, latest), ("sweep-masked", budgets.masked, longest)]
    {
        let (Some(budget), Some(worst)) = (budget, worst) else { continue };
        let section = worst.section;
        let measured = if name == "sweep-latency" { section.first.latency } else { section.masked };
        if measured > budget {
            is_within = false;
            let over = measured - budget;
            eprintln!("takt sweep: {name}: {} measured {measured} ticks, budget {budget}, over by {over}", worst.path);
        }
    }
    Ok(ExitCode::from(u8::from(!is_within)))
}
