// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an interrupt of the sweep may be kept waiting, out of `budgets.toml`.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;

/// The budgets of a sweep, in ticks; other tables of the file are for others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budgets {
    /// From the due tick to the direct handler's first statement.
    pub latency: Option<u64>,
    /// How many of these the handler is kept waiting.
    pub masked: Option<u64>,
    /// From the due tick to a kernel handler's first statement.
    pub kernel_handler: Option<u64>,
    /// From the due tick to the first statement of the task that it wakes.
    pub kernel_task: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct File {
    sweep_latency: Option<Budget>,
    sweep_masked: Option<Budget>,
    sweep_kernel_handler: Option<Budget>,
    sweep_kernel_task: Option<Budget>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    max: u64,
}

/// Reads the tables whose names begin with `sweep-` in a file.
///
/// # Errors
/// When it cannot be read, or one of them is something else than a table with `max`.
pub fn read(path: &Path) -> Result<Budgets> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("{} cannot be read; --budgets names the file with the budgets", path.display()))?;
    parse(&text).with_context(|| format!("{} is no file of budgets", path.display()))
}

fn parse(text: &str) -> Result<Budgets> {
    let file: File = toml::from_str(text)
        .context("sweep-latency, -masked, -kernel-handler and -kernel-task are tables with max, a whole number")?;
    let max = |budget: Option<Budget>| budget.map(|budget| budget.max);
    Ok(Budgets {
        latency: max(file.sweep_latency),
        masked: max(file.sweep_masked),
        kernel_handler: max(file.sweep_kernel_handler),
        kernel_task: max(file.sweep_kernel_task),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_own_are_read_and_others_left_alone() {
        let text = "[yield]\nmax = 32\nspread = 8\n[sweep-latency]\nmax = 80\n[sweep-kernel-task]\nmax = 400\n";
        let budgets = Budgets { latency: Some(80), kernel_task: Some(400), ..Budgets::default() };
        assert_eq!(parse(text).unwrap(), budgets);
        assert!(parse("[sweep-masked]\nspread = 1\n").is_err());
    }
}
