// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table as one core sees it.

use core::ops::Deref;

use takt_kernel::TaskId;
use takt_kernel::budget::Budget;
use takt_kernel::table::{Entry, Order, TaskEntry};

use super::timing::Claim;
use super::{Run, StackSpan, Table};

/// The tasks of a core.
#[derive(Clone, Copy)]
pub(crate) struct OfCore {
    table: &'static Table,
    core: usize,
}

/// What is the same on all cores.
impl Deref for OfCore {
    type Target = Table;

    fn deref(&self) -> &Table {
        self.table
    }
}

impl OfCore {
    /// The tasks of core `core`, 0 to 3.
    pub(crate) const fn new(table: &'static Table, core: usize) -> Self {
        Self { table, core }
    }

    /// The tasks by urgency.
    pub(crate) fn order(&self) -> &'static Order {
        self.table.orders.get(self.core).unwrap_or(&Order::NONE)
    }

    /// The line of `task`; `None` where the core has no such task.
    fn line(&self, task: TaskId) -> Option<usize> {
        let order = self.order();
        (task.index() < order.tasks).then(|| usize::from(order.entry[task]))
    }

    /// The name of the most urgent task.
    pub(crate) fn first_name(&self) -> &'static str {
        TaskId::new(0).and_then(|task| self.task(task)).map_or("", |entry| entry.name)
    }

    /// What `task` was declared as.
    pub(crate) fn task(&self, task: TaskId) -> Option<&'static TaskEntry> {
        match &self.table.lines.get(self.line(task)?)?.entry {
            Entry::Task(entry) => Some(entry),
            _ => None,
        }
    }

    /// The budget of the jobs of `task`, if it has one.
    pub(crate) fn budget(&self, task: TaskId) -> Option<Budget> {
        self.table.lines.get(self.line(task)?)?.budget.get()
    }

    /// What is claimed of `task`.
    pub(crate) fn claim(&self, task: TaskId) -> Option<Claim> {
        self.table.claims.get(self.place(task)?).copied()
    }

    /// The place of `task` among the tasks of the table, as it is written.
    pub(crate) fn place(&self, task: TaskId) -> Option<usize> {
        let line = self.line(task)?;
        Some(self.table.lines.get(..line)?.iter().filter(|line| matches!(line.entry, Entry::Task(_))).count())
    }

    /// What `task` runs.
    pub(crate) fn run(&self, task: TaskId) -> Option<Run> {
        Some(self.table.lines.get(self.line(task)?)?.run)
    }

    /// The stack of `task`.
    pub(crate) fn stack(&self, task: TaskId) -> Option<StackSpan> {
        self.table.stacks.get(self.line(task)?).copied()
    }
}
