// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a masked section may take, and which are not held against it, out of `budgets.toml`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::Who;

/// The budgets of the walk; other tables of the file are for others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Budgets {
    /// Instructions in a section that a task begins.
    masked_static_task: Option<Budget>,
    /// Instructions in a section that an interrupt or its handler begins, or that follows the idle task.
    masked_static_interrupt: Option<Budget>,
    /// Functions whose sections are not counted, each with the reason in a sentence.
    #[serde(default)]
    pub masked_static_uncounted: BTreeMap<String, String>,
    /// Functions whose calls through a pointer are walked past, each with the reason in a sentence.
    #[serde(default)]
    pub masked_static_pointers: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    max: u64,
}

impl Budgets {
    /// The most that a section may take.
    #[must_use]
    pub fn of(&self, who: Who) -> Option<u64> {
        let budget = match who {
            Who::Task => self.masked_static_task,
            Who::Interrupt => self.masked_static_interrupt,
        };
        budget.map(|budget| budget.max)
    }
}

/// Reads the tables `masked-static-…` of a file.
///
/// # Errors
/// When it cannot be read, or one of them is something else, or an exception has no reason.
pub fn read(path: &Path) -> Result<Budgets> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("{} cannot be read; --budgets names the file with the budgets", path.display()))?;
    parse(&text).with_context(|| format!("{} is no file of budgets", path.display()))
}

fn parse(text: &str) -> Result<Budgets> {
    let budgets: Budgets = toml::from_str(text).context(
        "masked-static-task and masked-static-interrupt are tables with max, a whole number; masked-static-uncounted and \
         masked-static-pointers have a reason for each function",
    )?;
    let exceptions = budgets.masked_static_uncounted.iter().chain(&budgets.masked_static_pointers);
    for (function, reason) in exceptions {
        if !reason.ends_with('.') || !reason.contains(' ') {
            bail!("the reason for {function}, '{reason}', is no sentence; say why its sections do not count");
        }
    }
    Ok(budgets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_and_exceptions_are_read_and_others_left_alone() {
        let budgets = parse(
            "[yield]\nmax = 32\nspread = 8\n[masked-static-task]\nmax = 60\n\
             [masked-static-uncounted]\n\"takt::start\" = \"Once, at boot.\"\n",
        )
        .unwrap();
        assert_eq!((budgets.of(Who::Task), budgets.of(Who::Interrupt)), (Some(60), None));
        assert_eq!(budgets.masked_static_uncounted.len(), 1);
        assert!(parse("[masked-static-task]\nspread = 1\n").is_err());
    }

    #[test]
    fn an_exception_without_a_reason_is_refused() {
        for reason in ["", "boot", "once at boot"] {
            assert!(parse(&format!("[masked-static-pointers]\nirq = \"{reason}\"\n")).is_err(), "{reason}");
        }
    }

    #[test]
    fn the_budgets_of_the_repository_can_be_read() {
        let budgets = read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../budgets.toml"))).unwrap();
        assert!(budgets.of(Who::Task).is_some() && budgets.of(Who::Interrupt).is_some());
    }
}
