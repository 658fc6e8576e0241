// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the executive's own paths take, counted in QEMU and held against budgets.
//!
//! Two runs of the shipped image, each on one core with one instruction per counter tick (`-icount shift=4`), and two
//! more that [`cross_check`] compares:
//!
//! * The first runs the image's `bench` command, whose stamps are the figures ([`lines`]).
//! * The second runs it again, shorter and with every instruction and device access logged ([`trace`]), and [`release`]
//!   cuts each release of a task out of the log: what was executed, which devices were touched, which barriers passed,
//!   from the interrupt to the task's first statement.
//!
//! [`program`] looks instructions and names up in the ELF file, [`footprint`] adds its bytes up, [`instruction`] knows the
//! few that matter, [`figures`] puts all numbers into one form, [`budgets`] holds them against `budgets.toml`, [`peers`]
//! knows what others need, [`estimate`] says what a board may take, and [`table`], [`csv`] and [`listing`] print.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

pub mod budgets;
pub mod cross_check;
pub mod csv;
pub mod estimate;
pub mod figures;
pub mod footprint;
pub mod instruction;
pub mod lines;
pub mod listing;
pub mod peers;
pub mod program;
pub mod release;
pub mod table;
pub mod trace;

use crate::run::{End, Outcome, Run, Stop};
use cross_check::CrossCheck;
use footprint::Stack;
use lines::Timing;
use program::Program;
use release::{Release, Tracer};

/// Real time after which a run is ended.
pub const TIME_LIMIT: Duration = Duration::from_secs(300);
/// How many cycles are traced; all are alike, up to the phase against the timer.
pub const TRACED_CYCLES: u32 = 20;
/// How many cycles are run for the cross-check, which is about one number for each path.
const CROSS_CHECKED_CYCLES: u32 = 1_000;

/// What to measure and how often.
#[derive(Debug, Clone)]
pub struct Bench {
    /// The shipped image, as ELF file.
    pub elf: PathBuf,
    /// How many cycles each benchmark runs; `None` leaves it to the image.
    pub cycles: Option<u32>,
    /// Ends the runs from outside.
    pub stop: Stop,
}

/// What the two runs came to.
#[derive(Debug)]
pub struct Measured {
    /// The image's own figures.
    pub timings: Vec<Timing>,
    /// The traced releases, in order.
    pub releases: Vec<Release>,
    /// The same paths by another clock.
    pub cross_check: CrossCheck,
    /// How far each stack was used in the first run.
    pub stacks: Vec<Stack>,
    /// The program, for its sizes and names.
    pub program: Program,
}

impl Bench {
    /// Makes both runs.
    ///
    /// # Errors
    /// When a run cannot be made or ends otherwise than with status 0, or what it leaves is not complete.
    pub fn measure(&self) -> Result<Measured> {
        let name = self.elf.display();
        let elf = std::fs::read(&self.elf)
            .with_context(|| format!("{name} cannot be read; build the shipped image for the device first"))?;
        let program = Program::parse(&elf).with_context(|| name.to_string())?;
        let mut printed = Vec::new();
        let outcome = self.run(self.cycles).execute(&mut printed)?;
        let printed = checked(&outcome, &printed)?;
        let timings = lines::parse(&printed)?;
        let stacks = printed.lines().filter_map(Stack::parse).collect();
        let mut printed = Vec::new();
        let (outcome, log) = self.run(Some(TRACED_CYCLES)).trace(&mut printed)?;
        checked(&outcome, &printed).context("the traced run failed, though the plain one did not")?;
        let releases = releases(log, &program)?;
        let with_shift = |shift| {
            let mut printed = Vec::new();
            let run = self.run(Some(CROSS_CHECKED_CYCLES));
            let append = format!("autorun=\"bench -l {CROSS_CHECKED_CYCLES}; exit\" icount={shift} timebase=generic");
            let outcome = Run { icount: Some(shift), append, ..run }.execute(&mut printed)?;
            checked(&outcome, &printed)
                .with_context(|| format!("the run for the cross-check with shift {shift} failed"))
        };
        let cross_check = CrossCheck::of(&with_shift(4)?, &with_shift(0)?)?;
        Ok(Measured { timings, releases, cross_check, stacks, program })
    }

    fn run(&self, cycles: Option<u32>) -> Run {
        let cycles = cycles.map_or_else(String::new, |cycles| format!(" -l {cycles}"));
        Run {
            icount: Some(4),
            cores: Some(1),
            append: format!("autorun=\"bench{cycles}; exit\" icount=4"),
            timeout: Some(TIME_LIMIT),
            stop: self.stop.clone(),
            ..Run::new(&self.elf)
        }
    }
}

/// What the guest printed, if it ran to its end without a fault.
fn checked(outcome: &Outcome, printed: &[u8]) -> Result<String> {
    let printed = String::from_utf8_lossy(printed).into_owned();
    if outcome.end != End::Exit(0) {
        let last: Vec<&str> = printed.lines().rev().take(5).collect();
        let last = last.into_iter().rev().collect::<Vec<_>>().join("\n  ");
        bail!("{}; the last it printed:\n  {last}", outcome.end);
    }
    if let Some(first) = outcome.guest_errors.first() {
        bail!("QEMU logged errors of the guest, which takt run shows in full; the first is: {first}");
    }
    Ok(printed)
}

/// The releases in QEMU's log, which is read as a stream since it is some hundred megabytes.
fn releases(log: File, program: &Program) -> Result<Vec<Release>> {
    let mut tracer = Tracer::new(program);
    let mut log = BufReader::with_capacity(1 << 20, log);
    let mut line = Vec::new();
    while log.read_until(b'\n', &mut line).context("QEMU's log cannot be read")? != 0 {
        tracer.line(&String::from_utf8_lossy(&line))?;
        line.clear();
    }
    tracer.finish()
}
