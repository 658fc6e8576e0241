// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every instruction from the due tick of a worst trial to the direct handler's first statement.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};

use anyhow::{Context as _, Result, bail};

use super::worst::Worst;
use super::{Sweep, Swept, checked};
use crate::bench::instruction::reads_the_counter;
use crate::bench::trace::{Record, record};

/// What the name of the direct handler contains.
const HANDLER: &str = "probe::fired";

impl Sweep {
    /// Makes the trial once more with every instruction logged, and lists what ran while the handler waited.
    ///
    /// # Errors
    /// When the run cannot be made, or does not show the trial.
    pub fn listing(&self, swept: &Swept, worst: &Worst) -> Result<String> {
        let trial = worst.section.first;
        let mut printed = Vec::new();
        let (outcome, log) = self.run(format!("path={} offset={}", worst.path, trial.offset)).trace(&mut printed)?;
        checked(&outcome, &printed).context("the traced run failed, though the plain one did not")?;
        let wanted = usize::try_from(trial.latency).unwrap_or(usize::MAX);
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
                let name = swept.program.place(address).map_or("", |(name, _)| name);
                swept.program.word(address).is_some_and(reads_the_counter) && name.contains(HANDLER)
            });
            if is_stamp {
                found = Some(executed.split_off(executed.len().saturating_sub(wanted)));
                executed.clear();
            }
        }
        match found {
            Some(steps) => Ok(write(swept, worst, &steps)),
            None => bail!("the traced run of {} shows no call of the direct handler, {HANDLER}", worst.path),
        }
    }
}

fn write(swept: &Swept, worst: &Worst, steps: &[u64]) -> String {
    let mut text = format!("{}: due before the first of these, which all came before the direct handler\n", worst.path);
    let mut name_before = "";
    for (number, &address) in (1..).zip(steps) {
        let (name, offset) = swept.program.place(address).unwrap_or(("?", 0));
        if name != name_before {
            let _ = writeln!(text, "{name}");
            name_before = name;
        }
        let word = swept.program.word(address).map_or_else(|| "????????".to_owned(), |word| format!("{word:08x}"));
        let _ =
            writeln!(text, "{number:>5}  {address:#x}  +{offset:#05x}  {word}  {}", swept.source.innermost(address));
    }
    text
}
