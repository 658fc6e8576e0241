// SPDX-License-Identifier: MIT OR Apache-2.0
//! The worst of all paths against the budgets.

use super::Swept;
use super::budgets::Budgets;
use super::trials::Figure;
use super::worst::{Worst, by_latency, by_masked, of_a_kernel_interrupt};

/// A sentence for each figure that is over its budget.
#[must_use]
pub fn over(swept: &Swept, budgets: &Budgets) -> Vec<String> {
    let latency = |worst: Option<&Worst>| worst.map(|worst| (worst.clone(), worst.section.latency));
    let masked = by_masked(&swept.direct.handler).map(|worst| (worst.clone(), worst.section.masked));
    let handler = of_a_kernel_interrupt(&swept.kernel.handler, Figure::Handler);
    let task = of_a_kernel_interrupt(&swept.kernel.task, Figure::Task);
    let all = [
        ("sweep-latency", budgets.latency, latency(by_latency(&swept.direct.handler))),
        ("sweep-masked", budgets.masked, masked),
        ("sweep-kernel-handler", budgets.kernel_handler, latency(handler)),
        ("sweep-kernel-task", budgets.kernel_task, latency(task)),
    ];
    let mut sentences = Vec::new();
    for (name, budget, worst) in all {
        let (Some(budget), Some((worst, measured))) = (budget, worst) else { continue };
        if let Some(over) = measured.checked_sub(budget).filter(|over| *over > 0) {
            let Worst { path, line, .. } = worst;
            sentences
                .push(format!("{name}: {path} measured {measured} ticks, budget {budget}, over by {over}; {line}"));
        }
    }
    sentences
}
