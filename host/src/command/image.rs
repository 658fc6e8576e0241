// SPDX-License-Identifier: MIT OR Apache-2.0
//! `takt image`: ELF file to `kernel8.img`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;

use crate::image::{LOAD_ADDRESS, raw_image};

/// Makes the raw image that the firmware loads from a program built for the device.
///
/// Ends with status 0, or 1 and a sentence when no image can be made.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The program, as the build for the device made it
    elf: PathBuf,
    /// Where to write the image
    #[arg(short, long, value_name = "FILE", default_value = "kernel8.img")]
    output: PathBuf,
}

pub(super) fn image(arguments: &Arguments) -> Result<ExitCode> {
    let elf = std::fs::read(&arguments.elf).with_context(|| {
        format!("{} cannot be read; build the program for the device first", arguments.elf.display())
    })?;
    let image = raw_image(&elf).with_context(|| arguments.elf.display().to_string())?;
    std::fs::write(&arguments.output, &image)
        .with_context(|| format!("{} cannot be written", arguments.output.display()))?;
    println!("{}: {} bytes, loaded at {LOAD_ADDRESS:#x}", arguments.output.display(), image.len());
    Ok(ExitCode::SUCCESS)
}
