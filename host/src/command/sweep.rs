// SPDX-License-Identifier: MIT OR Apache-2.0
//! `takt sweep`: how long a direct handler, a kernel handler and the task that it wakes can be kept waiting.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};

use crate::run::Stop;
use crate::sweep::report::{Csv, Table};
use crate::sweep::trials::Figure;
use crate::sweep::worst::{by_masked, of_a_kernel_interrupt};
use crate::sweep::{Sweep, budgets, verdict};

/// Fires a direct handler, and a kernel handler that wakes a task, at every instruction of the executive's paths, in QEMU,
/// and says where they waited longest.
///
/// Each path is run once for each instruction, on one core with one instruction per counter tick, and has to end in the
/// same state each time. Paths with releases are walked by the system timer and by the generic one.
///
/// Ends with status 0; with 1 and a line for each figure over its budget; with 1 and a sentence when a path ends otherwise
/// than undisturbed or cannot be walked.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The program 'sweep' of the tests, as the build for the device made it (ELF)
    direct: PathBuf,
    /// The program 'sweep-kernel' of the tests
    kernel: PathBuf,
    /// How to print the worst of each path
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Try each third instruction only
    #[arg(long)]
    short: bool,
    /// Compare with the budgets in this file whose names begin with sweep-
    #[arg(long, value_name = "FILE")]
    budgets: Option<PathBuf>,
    /// Print each instruction that ran while the direct handler and the woken task waited longest as well; of this path,
    /// or of the worst
    #[arg(long, value_name = "PATH", num_args = 0..=1, default_missing_value = "")]
    listing: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// One table for people
    Table,
    /// A line for each path, and last ones for the worst
    Csv,
}

pub(super) fn sweep(arguments: Arguments) -> Result<ExitCode> {
    let budgets = arguments.budgets.as_deref().map(budgets::read).transpose()?.unwrap_or_default();
    let stop = Stop::on_signals().context("the handlers for Ctrl-C cannot be set")?;
    let sweep = Sweep { direct: arguments.direct, kernel: arguments.kernel, is_short: arguments.short, stop };
    let swept = sweep.sweep()?;
    match arguments.format {
        Format::Table => print!("{}", Table(&swept)),
        Format::Csv => print!("{}", Csv(&swept)),
    }
    if let Some(path) = arguments.listing {
        let (direct, kernel) = (&swept.direct, &swept.kernel);
        let masked = direct.handler.iter().find(|worst| worst.path == path).or(by_masked(&direct.handler));
        if let Some(worst) = masked {
            print!("\n{}", sweep.listing(direct, worst, Figure::Handler)?);
        }
        let of_all = of_a_kernel_interrupt(&kernel.task, Figure::Task);
        if let Some(worst) = kernel.task.iter().find(|worst| worst.path == path).or(of_all) {
            print!("\n{}", sweep.listing(kernel, worst, Figure::Task)?);
        }
    }
    let over = verdict::over(&swept, &budgets);
    for sentence in &over {
        eprintln!("takt sweep: {sentence}");
    }
    Ok(ExitCode::from(u8::from(!over.is_empty())))
}
