// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long a direct handler can be kept waiting, and a kernel handler with the task that it wakes, found by firing each
//! at every instruction of the executive's paths.
//!
//! The programs `sweep` and `sweep-kernel` (`tests/sweep/`) do the firing and print a line for each trial. [`trials`] reads
//! them and finds the sections in which nobody let the handler in, [`source`] knows where in the source an instruction
//! comes from, [`worst`] makes a line of each path, [`budgets`] knows what it may be and [`verdict`] whether it is,
//! [`report`] prints, and [`listing`] shows every instruction of a worst trial.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};

pub mod budgets;
pub mod listing;
pub mod report;
pub mod source;
pub mod trials;
pub mod verdict;
pub mod worst;

use crate::bench::program::Program;
use crate::run::{End, Outcome, Run, Stop};
use source::Source;
use trials::{Figure, Trials};
use worst::Worst;

/// Real time after which a run is ended: an interrupt that is lost leaves somebody waiting for ever.
const TIME_LIMIT: Duration = Duration::from_secs(1_800);
/// The same for a short sweep.
const SHORT_TIME_LIMIT: Duration = Duration::from_secs(180);
/// A short sweep tries each third offset: a section that counts is still met, and measured to within two instructions.
const SHORT_STEP: u32 = 3;
/// What stands before the name of a path on which the generic timer releases the tasks.
const GENERIC: &str = "generic:";
/// The boot word by which it does.
const BY_THE_GENERIC_TIMER: &str = "timebase=generic";

/// What to sweep and how.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// The program with a direct handler, as ELF file.
    pub direct: PathBuf,
    /// The program with a kernel handler.
    pub kernel: PathBuf,
    /// Whether some offsets are left out.
    pub is_short: bool,
    /// Ends the runs from outside.
    pub stop: Stop,
}

/// What the sweep came to.
#[derive(Debug)]
pub struct Swept {
    /// With a direct handler, which wakes nobody.
    pub direct: Walked,
    /// With a kernel handler.
    pub kernel: Walked,
    /// Whether some offsets were left out.
    pub is_short: bool,
}

/// What one of the programs came to.
#[derive(Debug)]
pub struct Walked {
    /// Where it lies.
    pub elf: PathBuf,
    /// The handler's worst latency on each path, in the order in which they were walked.
    pub handler: Vec<Worst>,
    /// The woken task's.
    pub task: Vec<Worst>,
    /// How many trials there were.
    pub trials: usize,
    /// The program, for its instructions and names.
    pub program: Program,
    /// Where its instructions come from.
    pub source: Source,
}

impl Sweep {
    /// Makes the runs: each program by the system timer and by the generic one, all at once.
    ///
    /// # Errors
    /// When a run cannot be made, or a path does not end as it does undisturbed, or what is printed is not complete.
    pub fn sweep(&self) -> Result<Swept> {
        let [direct, direct_generic, kernel, kernel_generic] = thread::scope(|scope| {
            [
                (&self.direct, ""),
                (&self.direct, BY_THE_GENERIC_TIMER),
                (&self.kernel, ""),
                (&self.kernel, BY_THE_GENERIC_TIMER),
            ]
            .map(|(elf, words)| scope.spawn(move || self.trials(elf, words)))
            .map(|run| run.join().unwrap_or_else(|_| Err(anyhow!("a run of the sweep panicked"))))
        });
        Ok(Swept {
            direct: Walked::new(&self.direct, direct?, direct_generic?)?,
            kernel: Walked::new(&self.kernel, kernel?, kernel_generic?)?,
            is_short: self.is_short,
        })
    }

    fn trials(&self, elf: &Path, words: &str) -> Result<Trials> {
        let step = if self.is_short { SHORT_STEP } else { 1 };
        let mut printed = Vec::new();
        let outcome = self.run(elf, format!("{words} step={step}")).execute(&mut printed)?;
        Trials::parse(&checked(&outcome, &printed).with_context(|| format!("{} {words}", elf.display()))?)
    }

    fn run(&self, elf: &Path, append: String) -> Run {
        Run {
            icount: Some(4),
            cores: Some(1),
            append,
            timeout: Some(if self.is_short { SHORT_TIME_LIMIT } else { TIME_LIMIT }),
            stop: self.stop.clone(),
            ..Run::new(elf)
        }
    }
}

impl Walked {
    fn new(elf: &Path, mut trials: Trials, generic: Trials) -> Result<Self> {
        let name = elf.display();
        let bytes = std::fs::read(elf)
            .with_context(|| format!("{name} cannot be read; build the programs of the tests for the device first"))?;
        let program = Program::parse(&bytes).with_context(|| name.to_string())?;
        let source = Source::parse(&bytes).with_context(|| name.to_string())?;
        trials.append(generic, GENERIC);
        let [handler, task] = [Figure::Handler, Figure::Task].map(|figure| worst::of(&trials, figure, &source));
        Ok(Self { elf: elf.to_owned(), handler, task, trials: trials.count(), program, source })
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
