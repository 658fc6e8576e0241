// SPDX-License-Identifier: MIT OR Apache-2.0
//! The figures as one table for people.

use std::fmt;

use super::budgets::Budgets;
use super::estimate::Estimate;
use super::figures::{Figure, together};
use super::footprint::{Footprint, Stack};
use super::peers::{self, CONDITIONS};

/// Prints a table.
#[derive(Debug)]
pub struct Table<'a> {
    /// Which image, which compiler, how many cycles: a line each.
    pub heading: &'a [String],
    /// What was measured.
    pub figures: &'a [Figure],
    /// What it may take.
    pub budgets: &'a Budgets,
    /// Where the bytes of the image are.
    pub footprint: &'a Footprint,
    /// How far the stacks were used.
    pub stacks: &'a [Stack],
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.heading.iter().try_for_each(|line| writeln!(f, "{line}"))?;
        writeln!(
            f,
            "\n{:<36} {:>6} {:>6} {:>6} {:>7} {:>7}  {:>5} {:>8} {:>7} {:>5}",
            "path", "min", "max", "budget", "spread", "budget", "floor", "FreeRTOS", "ThreadX", "NuttX"
        )?;
        // What somebody interrupted has no part in stands with the worst.
        let is_whole = |figure: &&Figure| figure.unit == "ticks" && figure.path() == figure.name;
        writeln!(f, "-- worst of idle and busy: ticks{}", explanation("ticks"))?;
        let worst = together(self.figures).into_iter().filter(|figure| figure.unit == "ticks");
        worst.chain(self.figures.iter().filter(is_whole).cloned()).try_for_each(|figure| self.write_row(f, &figure))?;
        let mut unit = "";
        for figure in self.figures.iter().filter(|figure| !is_whole(figure)) {
            if figure.unit != unit {
                unit = figure.unit;
                writeln!(f, "-- {unit}{}", explanation(unit))?;
            }
            self.write_row(f, figure)?;
        }
        write!(f, "\n{}\n{:<36} {:>8}\n", self.footprint, "stacks, bytes", "used")?;
        self.stacks.iter().try_for_each(|stack| writeln!(f, "{stack}"))?;
        write!(f, "\n{}", Estimate::of(self.figures))?;
        writeln!(f, "\n{CONDITIONS}")
    }
}

/// What a unit means, and from where to where it was counted.
fn explanation(unit: &str) -> &'static str {
    match unit {
        "ticks" => " (one instruction each), by the image's own stamps; timer: from the due instant",
        "instructions" => ", traced, from the vector or idle's call of the handler to the task's first statement",
        _ => "",
    }
}

impl Table<'_> {
    fn write_row(&self, f: &mut fmt::Formatter<'_>, figure: &Figure) -> fmt::Result {
        let budget = self.budgets.of(figure);
        let most = budget.map_or_else(String::new, |budget| budget.max.to_string());
        // The spread's budget is for idle and busy each by itself.
        let is_one = self.figures.contains(figure);
        let spread = budget.and_then(|budget| budget.spread).filter(|_| is_one);
        let spread = spread.map_or_else(String::new, |spread| spread.to_string());
        let row = format!(
            "{:<36} {:>6} {:>6} {most:>6} {:>7} {spread:>7}",
            figure.name,
            figure.min,
            figure.max,
            figure.spread()
        );
        match peers::of(&figure.name) {
            Some(peers) => {
                let (floor, freertos, threadx, nuttx) = (peers.floor, peers.freertos, peers.threadx, peers.nuttx);
                let row = format!("{row}  {floor:>5} {freertos:>8} {threadx:>7} {nuttx:>5}");
                writeln!(f, "{}", row.trim_end())
            }
            None => writeln!(f, "{}", row.trim_end()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_figure_budget_and_peers() {
        let figures = [
            Figure { name: "yield".into(), min: 50, max: 51, unit: "ticks" },
            Figure { name: "timer-task-idle".into(), min: 82, max: 83, unit: "ticks" },
            Figure { name: "timer-task-busy".into(), min: 104, max: 105, unit: "ticks" },
            Figure { name: "image-text".into(), min: 73_728, max: 73_728, unit: "bytes" },
        ];
        let budgets = Budgets::parse("[yield]\nmax = 55\nspread = 40\n").unwrap();
        let printed = Table {
            heading: &["heading".into()],
            figures: &figures,
            budgets: &budgets,
            footprint: &Footprint::default(),
            stacks: &[Stack { name: "slot_0".into(), used: 1536, size: 4096 }],
        }
        .to_string();
        let words = |name: &str| {
            let line = printed.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
            line.split_whitespace().collect::<Vec<_>>()
        };
        assert!(printed.starts_with("heading\n"));
        assert_eq!(words("yield"), ["yield", "50", "51", "55", "1", "40", "21", "110", "87/80", "267"]);
        assert_eq!(words("timer-task"), ["timer-task", "82", "105", "23", "285", "281"]);
        assert_eq!(words("timer-task-busy"), ["timer-task-busy", "104", "105", "1"]);
        assert_eq!(words("image-text"), ["image-text", "73728", "73728", "0"]);
        assert_eq!(words("slot_0"), ["slot_0", "1536", "of", "4096"]);
        assert!(printed.contains("FreeRTOS   4269c69a16f9"));
    }
}
