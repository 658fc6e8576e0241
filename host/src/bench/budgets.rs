// SPDX-License-Identifier: MIT OR Apache-2.0
//! `budgets.toml`: how much each path may take.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::figures::Figure;

/// The bounds of one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// The most it may take.
    pub max: i64,
    /// How far its least and its most may be apart, idle and busy each by itself.
    pub spread: Option<i64>,
}

/// The budgets of a file, by path: a figure's name, without `-idle` or `-busy`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Budgets(BTreeMap<String, Budget>);

/// How the names begin of what others measure: see `crate::sweep::budgets`, `crate::masked::budgets`,
/// `host/tests/event_ring.rs`, `host/tests/execution_time.rs`, `host/tests/device_paths.rs` and `host/tests/uninvolved.rs`.
const ELSEWHERE: [&str; 10] = [
    "sweep-",
    "masked-static",
    "event-",
    "execution-time-",
    "serial-",
    "pin-",
    "service-",
    "remote-",
    "uninvolved-",
    "console-flood-",
];

/// A figure over its budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excess {
    name: String,
    what: &'static str,
    measured: i64,
    budget: i64,
    unit: &'static str,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, what, measured, budget, unit } = self;
        let over = measured - budget;
        write!(f, "{name}: {what} measured {measured} {unit}, budget {budget}, over by {over}")
    }
}

impl Budgets {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// When it is not TOML, or has something else than tables with `max` and perhaps `spread`.
    pub fn parse(text: &str) -> Result<Self> {
        let mut tables: toml::Table = toml::from_str(text).context("this is not TOML")?;
        tables.retain(|name, _| !ELSEWHERE.iter().any(|prefix| name.starts_with(prefix)));
        let budgets =
            tables.try_into().context("each path is a table with max and, if wanted, spread, both whole numbers")?;
        Ok(Self(budgets))
    }

    /// The budget of a figure, if it has one.
    #[must_use]
    pub fn of(&self, figure: &Figure) -> Option<&Budget> {
        self.0.get(figure.path())
    }

    /// The figures over budget, in order.
    ///
    /// # Errors
    /// When a budget is for a path that was not measured: it would never be exceeded.
    pub fn excesses(&self, figures: &[Figure]) -> Result<Vec<Excess>> {
        if let Some(name) = self.0.keys().find(|name| figures.iter().all(|figure| figure.path() != *name)) {
            let mut paths: Vec<&str> = figures.iter().map(Figure::path).collect();
            paths.sort_unstable();
            paths.dedup();
            bail!("there is a budget for {name}, which was not measured; measured were {}", paths.join(", "));
        }
        let mut found = Vec::new();
        for figure in figures {
            let Some(budget) = self.of(figure) else { continue };
            let excess = |what, measured, budget| Excess {
                name: figure.name.clone(),
                what,
                measured,
                budget,
                unit: figure.unit,
            };
            found.extend((figure.max > budget.max).then(|| excess("max", figure.max, budget.max)));
            let spread = budget.spread.filter(|spread| figure.spread() > *spread);
            found.extend(spread.map(|spread| excess("spread", figure.spread(), spread)));
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "[timer-handler]\nmax = 28 # aim\nspread = 2\n[release-isb]\nmax = 0\n";

    fn figure(name: &str, min: i64, max: i64) -> Figure {
        Figure { name: name.into(), min, max, unit: "ticks" }
    }

    fn excesses(figures: &[Figure]) -> Vec<String> {
        Budgets::parse(FILE).unwrap().excesses(figures).unwrap().iter().map(Excess::to_string).collect()
    }

    #[test]
    fn a_figure_at_its_budget_is_within() {
        let figures =
            [figure("timer-handler-idle", 3, 5), figure("timer-handler-busy", 26, 28), figure("release-isb", 0, 0)];
        assert_eq!(excesses(&figures), [""; 0]);
    }

    #[test]
    fn a_figure_over_its_budget_is_named_with_both_numbers() {
        let figures =
            [figure("timer-handler-idle", 2, 5), figure("timer-handler-busy", 29, 29), figure("release-isb", 0, 1)];
        assert_eq!(
            excesses(&figures),
            [
                "timer-handler-idle: spread measured 3 ticks, budget 2, over by 1",
                "timer-handler-busy: max measured 29 ticks, budget 28, over by 1",
                "release-isb: max measured 1 ticks, budget 0, over by 1",
            ]
        );
    }

    #[test]
    fn figures_without_a_budget_are_free_and_budgets_without_a_figure_are_errors() {
        let budgets = Budgets::parse(FILE).unwrap();
        assert_eq!(budgets.of(&figure("yield", 0, 9)), None);
        let error = budgets.excesses(&[figure("timer-handler-idle", 0, 0)]).unwrap_err().to_string();
        assert!(error.contains("release-isb") && error.contains("measured were timer-handler"), "{error}");
    }

    #[test]
    fn a_file_with_anything_else_is_refused() {
        for text in ["max = 1", "[a]\nspread = 1", "[a]\nmax = 1\nmin = 0", "[a]\nmax = \"1\"", "[a"] {
            assert!(Budgets::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_budgets_of_the_repository_can_be_read() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../budgets.toml");
        let budgets = Budgets::parse(&std::fs::read_to_string(file).unwrap()).unwrap();
        assert!(budgets.of(&figure("timer-task-busy", 0, 0)).is_some());
    }
}
