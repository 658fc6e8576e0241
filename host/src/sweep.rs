// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long a direct handler can be kept waiting, found by firing it at every instruction of the executive's paths.
//!
//! The program `sweep` (`tests/sweep/`) does the firing and prints a line for each trial. [`trials`] reads them and finds
//! the sections in which nobody let the handler in, [`source`] knows where in the source an instruction comes from,
//! [`worst`] makes a line of each path, [`budgets`] knows what it may be, [`report`] prints, and [`listing`] shows every instruction of a worst trial.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

pub mod budgets;
pub mod listing;
pub mod report;
pub mod source;
pub mod trials;
pub mod worst;

use crate::bench::program::Program;
use crate::run::{End, Outcome, Run, Stop};
use source::Source;
use trials::Trials;
use worst::Worst;

/// Real time after which a run is ended.
const TIME_LIMIT: Duration = Duration::from_secs(1_800);
/// A short sweep tries each third offset: a section that counts is still met, and measured to within two instructions.
const SHORT_STEP: u32 = 3;

/// What to sweep and how.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// The program, as ELF file.
    pub elf: PathBuf,
    /// Whether some offsets are left out.
    pub is_short: bool,
    /// Ends the run from outside.
    pub stop: Stop,
}

/// What the sweep came to.
#[derive(Debug)]
pub struct Swept {
    /// A line for each path, in the order in which they were walked.
    pub worst: Vec<Worst>,
    /// How many trials there were.
    pub trials: usize,
    /// Whether some offsets were left out.
    pub is_short: bool,
    /// The program, for its instructions and names.
    pub program: Program,
    /// Where its instructions come from.
    pub source: Source,
}

impl Sweep {
    /// Makes the run.
    ///
    /// # Errors
    /// When the run cannot be made, or a path does not end as it does undisturbed, or what is printed is not complete.
    pub fn sweep(&self) -> Result<Swept> {
        let name = self.elf.display();
        let elf = std::fs::read(&self.elf)
            .with_context(|| format!("{name} cannot be read; build the programs of the tests for the device first"))?;
        let program = Program::parse(&elf).with_context(|| name.to_string())?;
        let source = Source::parse(&elf).with_context(|| name.to_string())?;
        let step = if self.is_short { SHORT_STEP } else { 1 };
        let mut printed = Vec::new();
        let outcome = self.run(format!("step={step}")).execute(&mut printed)?;
        let trials = Trials::parse(&checked(&outcome, &printed)?)?;
        let worst = worst::of(&trials, &source);
        Ok(Swept { worst, trials: trials.count(), is_short: self.is_short, program, source })
    }

    fn run(&self, append: String) -> Run {
        Run {
            icount: Some(4),
            cores: Some(1),
            append,
            timeout: Some(TIME_LIMIT),
            stop: self.stop.clone(),
            ..Run::new(&self.elf)
        }
    }
}

/// What the guest printed, if it ran to its end and found every state as it should be.
fn checked(outcome: &Outcome, printed: &[u8]) -> Result<String> {
    let printed = String::from_utf8_lossy(printed).into_owned();
    let wrong: Vec<&str> = printed.lines().filter(|line| line.ends_with(": NO")).collect();
    if !wrong.is_empty() {
        bail!("a path that was interrupted did not end as it does undisturbed:\n  {}", wrong.join("\n  "));
    }
    if outcome.end != End::Exit(0) {
        let last = printed.lines().next_back().unwrap_or_default();
        bail!("{}; the last it printed: {last}", outcome.end);
    }
    if let Some(first) = outcome.guest_errors.first() {
        bail!("QEMU logged errors of the guest, which takt run shows in full; the first is: {first}");
    }
    Ok(printed)
}
