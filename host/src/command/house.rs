// SPDX-License-Identifier: MIT OR Apache-2.0
//! `takt house`: the rules of the house, for `make lint`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::house::inspect;

/// Checks the rules of the house on the workspace: which crate may depend on which, where device addresses, interrupt
/// numbers, unsafe and assembly may stand, and how long a file may be.
///
/// Ends with status 0, or 1 and a sentence for each place where a rule is not kept.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A directory of the workspace
    #[arg(default_value = ".")]
    directory: PathBuf,
}

pub(super) fn house(arguments: &Arguments) -> Result<ExitCode> {
    let inspection = inspect(&arguments.directory)?;
    inspection.findings.iter().for_each(|finding| println!("{finding}"));
    match inspection.findings.len() {
        0 => {
            println!("the rules of the house are kept in {} files", inspection.files);
            Ok(ExitCode::SUCCESS)
        }
        count => {
            eprintln!("takt house: places where a rule of the house is not kept: {count}");
            Ok(ExitCode::FAILURE)
        }
    }
}
