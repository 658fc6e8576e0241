// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every instruction from the due tick of a worst trial to the handler's first statement, or the woken task's.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};

use anyhow::{Context as _, Result, bail};

use super::trials::Figure;
use super::worst::Worst;
use super::{BY_THE_GENERIC_TIMER, GENERIC, Sweep, Walked, checked};
use crate::bench::instruction::reads_the_counter;
use crate::bench::trace::{Record, record};

/// How many instructions are kept at most; no trial waits half as long.
const KEPT: usize = 1 << 20;

/// What the name of a function contains whose first read of the counter is the statement.
const fn name_of(figure: Figure) -> &'static str {
    match figure {
        Figure::Handler => "::fired",
        Figure::Task => "probe::woken",
    }
}

impl Sweep {
    /// Makes the trial once more with every instruction logged, and lists what ran until the handler came, or the task.
    ///
    /// # Errors
    /// When the run cannot be made, or does not show the trial.
    pub fn listing(&self, walked: &Walked, worst: &Worst, figure: Figure) -> Result<String> {
        let (path, words) = match worst.path.strip_prefix(GENERIC) {
            Some(path) => (path, BY_THE_GENERIC_TIMER),
            None => (worst.path.as_str(), ""),
        };
        let words = format!("{words} path={path} offset={}", worst.section.offset);
        let mut printed = Vec::new();
        let (outcome, log) = self.run(&walked.elf, words).trace(&mut printed)?;
        checked(&outcome, &printed).context("the traced run failed, though the plain one did not")?;
        let wanted = usize::try_from(worst.section.latency).unwrap_or(usize::MAX);
        let mut executed: Vec<u64> = Vec::new();
        let mut found = None;
        let mut log = BufReader::with_capacity(1 << 20, log);
        let mut line = Vec::new();
        while log.read_until(b'\n', &mut line).context("QEMU's log cannot be read")? != 0 {
            match record(&String::from_utf8_lossy(&line)) {
                Some(Record::Instruction(address)) => executed.push(address),
                Some(Record::NotExecuted(_)) => drop(executed.pop()),
                _ => {}
            }
            line.clear();
            let is_stamp = executed.last().is_some_and(|&address| {
                let name = walked.program.place(address).map_or("", |(name, _)| name);
                walked.program.word(address).is_some_and(reads_the_counter) && name.contains(name_of(figure))
            });
            if is_stamp {
                // The last one counts: a task's switch reads the counter as well, just before.
                found = executed.len().checked_sub(wanted).and_then(|from| executed.get(from..)).map(<[u64]>::to_vec);
            }
            if executed.len() > KEPT {
                drop(executed.drain(..KEPT / 2));
            }
        }
        match found {
            Some(steps) => Ok(write(walked, worst, figure, &steps)),
            None => bail!("the traced run of {} shows no statement of {}", worst.path, name_of(figure)),
        }
    }
}

fn write(walked: &Walked, worst: &Worst, figure: Figure, steps: &[u64]) -> String {
    let whom = name_of(figure).trim_start_matches("::");
    let mut text = format!("{}: due before the first of these, which all came before {whom}\n", worst.path);
    let mut name_before = "";
    for (number, &address) in (1..).zip(steps) {
        let (name, offset) = walked.program.place(address).unwrap_or(("?", 0));
        if name != name_before {
            let _ = writeln!(text, "{name}");
            name_before = name;
        }
        let word = walked.program.word(address).map_or_else(|| "????????".to_owned(), |word| format!("{word:08x}"));
        let _ =
            writeln!(text, "{number:>5}  {address:#x}  +{offset:#05x}  {word}  {}", walked.source.innermost(address));
    }
    text
}
