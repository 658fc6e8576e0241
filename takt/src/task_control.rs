// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one task can find out about another, and change.

use core::fmt;
use core::marker::PhantomData;

use takt_kernel::executive::TaskState;
use takt_kernel::priority::Priority;
use takt_kernel::table::TaskEntry;
use takt_kernel::{CAPACITY, TaskId};

use crate::core_state::{TaskReport, masked, report};
use crate::{budget, turn};

/// A task of the table.
///
/// ```no_run
/// use takt::kernel::priority::Priority;
/// use takt::{AboveCeiling, TaskHandle};
///
/// fn let_the_pump_go_first() -> Result<(), AboveCeiling> {
///     if let (Some(pump), Some(urgent)) = (TaskHandle::named("pump"), Priority::new(5)) {
///         let before = pump.set_priority(urgent)?;
///         fill();
///         pump.set_priority(before)?;
///     }
///     Ok(())
/// }
/// # fn fill() {}
/// ```
///
/// RTEMS: a task identifier, by `rtems_task_ident`; POSIX: `pthread_t`; FreeRTOS: `TaskHandle_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskHandle(TaskId, PhantomData<*const ()>);

/// A task locks a mutex whose ceiling is less urgent than the priority that it was to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AboveCeiling {
    /// The ceiling, as the task's line of the table says.
    pub ceiling: u8,
    /// The priority.
    pub priority: u8,
}

impl fmt::Display for AboveCeiling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the task locks a mutex of ceiling {}, which is less urgent than priority {}; give the mutex the ceiling of its \
             most urgent user, whatever priority that has at a time",
            self.ceiling, self.priority
        )
    }
}

impl core::error::Error for AboveCeiling {}

impl TaskHandle {
    /// The task of this name in the table, if there is one. Anyone may call this, handlers included; it compares the name
    /// with each.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        (0..CAPACITY)
            .filter_map(TaskId::new)
            .map(Self::new)
            .find(|handle| handle.entry().is_some_and(|it| it.name == name))
    }

    /// The task that calls this; `None` where no task does.
    #[must_use]
    pub fn running() -> Option<Self> {
        let handle = Self::new(masked(|core| core.executive.running()));
        handle.entry().map(|_| handle)
    }

    /// Of this core: on another its number is another task's.
    const fn new(task: TaskId) -> Self {
        Self(task, PhantomData)
    }

    pub(crate) const fn id(self) -> TaskId {
        self.0
    }

    fn entry(self) -> Option<&'static TaskEntry> {
        masked(|core| core.table)?.task(self.0)
    }

    /// Its name in the table. Anyone may call this.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().map_or("", |entry| entry.name)
    }

    /// Its priority at the moment, without the ceiling of a mutex that it holds. Anyone may call this.
    #[must_use]
    pub fn priority(self) -> Priority {
        masked(|core| core.executive.priority(self.0))
    }

    /// What it does at the moment. Called by tasks: the task that asks is the one that is running.
    #[must_use]
    pub fn state(self) -> TaskState {
        let mut state = TaskState::Running;
        turn::step(|core| state = core.executive.state(self.0));
        state
    }

    /// What is known of it. Called by tasks.
    #[must_use]
    pub fn report(self) -> Option<TaskReport> {
        report(self.0)
    }

    /// Gives the task another priority, whatever it does, and answers with the one it had. It counts at once: who is the
    /// more urgent now runs; among its new equals that are ready it comes by its former urgency, or by its deadline where they
    /// run so; and a task that waits for an object is served by its new one. A background task has no deadline, and comes behind
    /// those that have one.
    ///
    /// Called by tasks. Takes 1,500 to 2,700 instructions, the more the more tasks and ceilings there are, and keeps kernel
    /// handlers waiting for as long: for a change of mode, not for every job. Build-time schedulability and the table speak
    /// of the declared priority.
    ///
    /// RTEMS: `rtems_task_set_priority`; POSIX: `pthread_setschedprio`; FreeRTOS: `vTaskPrioritySet`.
    ///
    /// # Errors
    /// [`AboveCeiling`], and nothing happens, where the task's line of the table names a mutex that it could not lock then.
    pub fn set_priority(self, priority: Priority) -> Result<Priority, AboveCeiling> {
        let holds = self.entry().map_or(&[][..], |entry| entry.holds.as_slice());
        let below = holds
            .iter()
            .find(|hold| Priority::ceiling(hold.ceiling).is_some_and(|ceiling| priority.is_more_urgent_than(ceiling)));
        if let Some(hold) = below {
            return Err(AboveCeiling { ceiling: hold.ceiling, priority: priority.number() });
        }
        let mut former = priority;
        turn::step(|core| {
            former = core.executive.priority(self.0);
            budget::set_priority(core, self.0, priority);
            core.has_changed_priority = true;
        });
        Ok(former)
    }
}
