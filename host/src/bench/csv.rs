// SPDX-License-Identifier: MIT OR Apache-2.0
//! The figures for programs: `name,min,max,spread,max_budget,spread_budget,unit`, an empty field for no budget.

use std::fmt;

use super::budgets::Budgets;
use super::figures::{Figure, together};

/// Prints the lines.
#[derive(Debug)]
pub struct Csv<'a> {
    /// Which image, which compiler, how many cycles: a line with `#` each.
    pub heading: &'a [String],
    /// What was measured.
    pub figures: &'a [Figure],
    /// What it may take.
    pub budgets: &'a Budgets,
}

impl fmt::Display for Csv<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.heading.iter().try_for_each(|line| writeln!(f, "# {line}"))?;
        writeln!(f, "name,min,max,spread,max_budget,spread_budget,unit")?;
        let or_empty = |number: Option<i64>| number.map_or_else(String::new, |number| number.to_string());
        for figure in self.figures.iter().chain(&together(self.figures)) {
            let budget = self.budgets.of(figure);
            let most = or_empty(budget.map(|budget| budget.max));
            // The spread's budget is for idle and busy each by itself.
            let is_one = self.figures.contains(figure);
            let spread = or_empty(budget.and_then(|budget| budget.spread).filter(|_| is_one));
            let Figure { name, min, max, unit } = figure;
            writeln!(f, "{name},{min},{max},{},{most},{spread},{unit}", figure.spread())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_a_line_and_idle_and_busy_are_one_more() {
        let figure = |name: &str, min, max| Figure { name: name.into(), min, max, unit: "ticks" };
        let figures =
            [figure("counter-read", 1, 1), figure("timer-task-idle", 137, 138), figure("timer-task-busy", 160, 160)];
        let budgets = Budgets::parse("[timer-task]\nmax = 160\nspread = 40\n").unwrap();
        let printed = Csv { heading: &["compiler: rustc".into()], figures: &figures, budgets: &budgets }.to_string();
        assert_eq!(
            printed,
            "# compiler: rustc\n\
             name,min,max,spread,max_budget,spread_budget,unit\n\
             counter-read,1,1,0,,,ticks\n\
             timer-task-idle,137,138,1,160,40,ticks\n\
             timer-task-busy,160,160,0,160,40,ticks\n\
             timer-task,137,160,23,160,,ticks\n"
        );
    }
}
