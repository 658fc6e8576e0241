// SPDX-License-Identifier: MIT OR Apache-2.0
//! The check of a task's budget of execution time. Apart from the rest of the table, since a build that accounts no execution
//! time has no budgets.

use super::{Entry, Kind, MOST_PLACES, TaskEntry, any_inherits, ceilings, task_sentence};
use crate::budget::Budget;
use crate::sentence::Sentence;

/// Checks the budget of a task that was checked.
///
/// # Errors
/// A sentence that says what is wrong, and what is right.
pub const fn check_budget(task: &TaskEntry, budget: &Budget) -> Result<(), Sentence> {
    let deadline = match task.kind {
        Kind::Periodic { period: usual, deadline, .. } | Kind::Sporadic { min_interval: usual, deadline } => {
            match deadline {
                Some(deadline) => deadline,
                None => usual,
            }
        }
        Kind::Slot => {
            return Err(task_sentence(task)
                .text("has a budget, but is a slot, whose jobs are not known yet; make it periodic, or leave .budget(d, ..) out"));
        }
        Kind::Background => {
            return Err(task_sentence(task)
                .text("has a budget, but is a background task, which has no jobs; make it periodic or sporadic, or leave .budget(d, ..) out"));
        }
    };
    if budget.most.is_zero() {
        return Err(task_sentence(task)
            .text("has a budget of 0; give each job what it may execute, or leave .budget(d, ..) out"));
    }
    let sentence = task_sentence(task).text("has a budget of ").number(budget.most.as_nanos()).text(" ns");
    if budget.most.as_nanos() > deadline.as_nanos() {
        return Err(sentence
            .text(", which is longer than its deadline of ")
            .number(deadline.as_nanos())
            .text(" ns; a job that uses it up is late anyhow, so give a shorter one"));
    }
    if budget.most.as_nanos() < task.wcet.as_nanos() {
        return Err(sentence
            .text(", which is less than its worst-case execution time of ")
            .number(task.wcet.as_nanos())
            .text(" ns; a job that keeps the one would exceed the other, so give at least that"));
    }
    Ok(())
}

/// Checks that the tasks and ceilings leave a level to spare for tasks that are demoted.
///
/// # Errors
/// A sentence that says how many are too many.
pub const fn check_level_to_spare(entries: &[Entry]) -> Result<(), Sentence> {
    let (mut tasks, mut rest) = (0_usize, entries);
    while let [first, others @ ..] = rest {
        if let Entry::Task(_) = first {
            tasks = tasks.saturating_add(1);
        }
        rest = others;
    }
    let ceilings = ceilings(entries).len();
    let most = MOST_PLACES.saturating_sub(if any_inherits(entries) { 2 } else { 1 });
    if tasks.saturating_add(ceilings) <= most {
        return Ok(());
    }
    Err(Sentence::new("takt: the table has ")
        .number(tasks as u128)
        .text(" tasks and ")
        .number(ceilings as u128)
        .text(" different ceilings; with a task that can be demoted a core takes at most ")
        .number(most as u128)
        .text(" together"))
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::{check_budget, check_level_to_spare};
    use crate::budget::{Budget, OnBudgetOverrun};
    use crate::release::OverrunPolicy;
    use crate::table::{Entry, Hold, Holds, Inherit, Inherits, Kind, TaskEntry};

    const MS: Duration = Duration::from_millis(1);

    fn task(kind: Kind) -> TaskEntry {
        let (holds, inherits) = (Holds::NONE, Inherits::NONE);
        TaskEntry {
            name: "x",
            kind,
            priority: 10,
            core: 0,
            stack_bytes: 8_192,
            holds,
            inherits,
            wcet: Duration::ZERO,
            remote_sends: 0,
        }
    }

    fn periodic() -> TaskEntry {
        task(Kind::Periodic { period: MS, offset: Duration::ZERO, deadline: None, overrun: OverrunPolicy::Skip })
    }

    fn sentence(task: &TaskEntry, most: Duration) -> std::string::String {
        let budget = Budget { most, on_overrun: OnBudgetOverrun::Report };
        check_budget(task, &budget).err().map_or(std::string::String::new(), |sentence| sentence.as_str().into())
    }

    #[test]
    fn a_budget_is_for_jobs() {
        assert!(sentence(&task(Kind::Slot), MS).starts_with("takt: task 'x' has a budget, but is a slot"));
        assert!(sentence(&task(Kind::Background), MS).contains("is a background task, which has no jobs"));
    }

    #[test]
    fn a_budget_lies_between_the_wcet_and_the_deadline() {
        let own = TaskEntry { wcet: MS / 2, ..periodic() };
        assert_eq!(sentence(&own, MS / 2), "");
        assert_eq!(sentence(&own, MS), "");
        assert!(sentence(&own, Duration::ZERO).starts_with("takt: task 'x' has a budget of 0; give each job"));
        assert_eq!(
            sentence(&own, MS / 2 - Duration::from_nanos(1)),
            "takt: task 'x' has a budget of 499999 ns, which is less than its worst-case execution time of 500000 ns; a job \
             that keeps the one would exceed the other, so give at least that"
        );
        assert_eq!(
            sentence(&own, MS * 2),
            "takt: task 'x' has a budget of 2000000 ns, which is longer than its deadline of 1000000 ns; a job that uses it \
             up is late anyhow, so give a shorter one"
        );
        let sporadic = task(Kind::Sporadic { min_interval: MS, deadline: Some(MS / 4) });
        assert!(sentence(&sporadic, MS / 2).contains("longer than its deadline of 250000 ns"));
    }

    #[test]
    fn demotion_takes_a_level() {
        let entries = |tasks, own: TaskEntry| std::vec![Entry::Task(own); tasks];
        assert!(check_level_to_spare(&entries(62, periodic())).is_ok());
        let holds = TaskEntry { holds: Holds::NONE.with(Hold::new(10, MS)), ..periodic() };
        assert!(check_level_to_spare(&entries(61, holds)).is_ok());
        let inherits = TaskEntry { inherits: Inherits::NONE.with(Inherit::new("m", MS)), ..holds };
        assert!(check_level_to_spare(&entries(60, inherits)).is_ok());
        for (tasks, own, most) in [(63, periodic(), 62), (62, holds, 62), (61, inherits, 61)] {
            let sentence = check_level_to_spare(&entries(tasks, own)).unwrap_err();
            let end = std::format!("with a task that can be demoted a core takes at most {most} together");
            assert!(sentence.as_str().ends_with(&end), "{}", sentence.as_str());
        }
    }
}
