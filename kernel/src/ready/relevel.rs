// SPDX-License-Identifier: MIT OR Apache-2.0
//! Other levels for everybody, where a priority has changed.

use super::{OVERDUE, ReadySet};
use crate::{CAPACITY, TaskId};

impl ReadySet {
    /// Gives the tasks and the ceilings other levels: each task's own is the one that `own_of` says, which is given the task
    /// and its former one; `awaits` says for whom a task waits, who inherits its urgency: so many do as `waiting` says. There are as many ceilings as
    /// before, whose levels' bits `ceilings` has. Who is ready stays ready, the formerly more urgent first among those that
    /// share a level now but where that runs the earliest deadline first, and who holds a mutex goes on holding it. Takes time in proportion to the number of tasks, and
    /// to the length of the longest chain of tasks that wait for one another.
    pub fn relevel(
        &mut self,
        ceilings: u64,
        own_of: impl Fn(TaskId, TaskId) -> TaskId,
        waiting: usize,
        awaits: impl Fn(TaskId) -> Option<TaskId>,
    ) {
        let mut holders = [None; CAPACITY];
        let former = bits(core::mem::replace(&mut self.ceilings, ceilings));
        for (holder, ceiling) in holders.iter_mut().zip(former) {
            if self.levels & ceiling.bit() != 0 {
                let task = self.first_of(ceiling);
                self.levels &= !ceiling.bit();
                *holder = Some(task);
            }
        }
        let mut ready = [TaskId::IDLE; CAPACITY];
        for place in &mut ready {
            let task = self.most_urgent();
            if task == TaskId::IDLE {
                break;
            }
            self.remove_first(task);
            *place = task;
        }
        for task in TaskId::all() {
            let own = own_of(task, self.nodes[task].own);
            let node = &mut self.nodes[task];
            (node.own, node.urgency, node.level) = (own, own, own);
            node.special.set_mark(0, 0);
        }
        self.by_deadline = bits(self.tasks_by_deadline).fold(0, |all, task| all | self.own(task).bit());
        if waiting > 0 {
            self.raise_all(&awaits);
        }
        if self.by_deadline != 0 {
            TaskId::all().for_each(|task| self.set_level(task, self.level(task)));
        }
        for task in ready.into_iter().take_while(|&task| task != TaskId::IDLE) {
            self.append(task);
        }
        // The ceilings have kept their order.
        for (holder, ceiling) in holders.into_iter().zip(bits(ceilings)) {
            self.nodes[ceiling].last = TaskId::holder_at(ceiling);
            if let Some(holder) = holder {
                let _ = self.hold(ceiling.bit(), holder);
            }
        }
    }

    /// Lets all tasks, none of which is in a queue, be as urgent as those that wait for them.
    fn raise_all(&mut self, awaits: &impl Fn(TaskId) -> Option<TaskId>) {
        while self.raise_the_awaited(awaits) {}
        for task in TaskId::all() {
            let is_to_give_up = self.nodes[task].link.is_timed() && awaits(task).is_some();
            self.nodes[task].level = if is_to_give_up { OVERDUE } else { self.nodes[task].urgency };
        }
    }

    /// Lets each task be as urgent as those that wait for it; whether that changed anything.
    fn raise_the_awaited(&mut self, awaits: &impl Fn(TaskId) -> Option<TaskId>) -> bool {
        let mut has_changed = false;
        for task in TaskId::all() {
            if let Some(owner) = awaits(task)
                && self.comes_before(task, owner)
            {
                self.lend(task, owner);
                has_changed = true;
            }
        }
        has_changed
    }
}

/// The levels whose bits are set, the most urgent first.
fn bits(mut set: u64) -> impl Iterator<Item = TaskId> {
    core::iter::from_fn(move || {
        let first = TaskId::first_of(set);
        let is_one = set != 0;
        set &= !first.bit();
        is_one.then_some(first)
    })
}
