// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bench;
mod house;
mod image;
mod masked;
mod run;
mod sweep;

/// takt on the PC: makes an image for the Raspberry Pi 4, and runs it in QEMU.
#[derive(Debug, Parser)]
#[command(name = "takt", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Bench(bench::Arguments),
    House(house::Arguments),
    Image(image::Arguments),
    Masked(masked::Arguments),
    Run(run::Arguments),
    Sweep(sweep::Arguments),
}

/// Reads the arguments, does what they say, and gives the exit status.
#[must_use]
pub fn main() -> ExitCode {
    let (name, done) = match Arguments::parse().command {
        Command::Bench(arguments) => ("bench", bench::bench(arguments)),
        Command::House(arguments) => ("house", house::house(&arguments)),
        Command::Image(arguments) => ("image", image::image(&arguments)),
        Command::Masked(arguments) => ("masked", masked::masked(&arguments)),
        Command::Run(arguments) => ("run", run::run(arguments)),
        Command::Sweep(arguments) => ("sweep", sweep::sweep(arguments)),
    };
    match done {
        Ok(status) => status,
        Err(error) => {
            eprintln!("takt {name}: {error:#}");
            ExitCode::from(if name == "run" { run::FAILED } else { 1 })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_of_the_arguments_are_sound() {
        use clap::CommandFactory as _;
        Arguments::command().debug_assert();
    }
}
