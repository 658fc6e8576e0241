// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who had which part of the core between two looks.

use core::fmt;

use takt_kernel::execution_time::{self as kernel, Window};
use takt_kernel::{CAPACITY, TaskId};

use super::{IS_ON, NotAccounted, with_accounts};
use crate::core_state::{CoreState, masked};
use crate::exclusive::exclusively;
use crate::{clock, turn};

/// The use of the core between two looks at it: whoever looks once a second has that of the last second, at no cost between
/// the looks and without an interrupt of its own. Each who looks has one, for windows of its own; it takes a kilobyte, so
/// better as a static than on a small stack.
///
/// ```no_run
/// use core::fmt::Write;
///
/// use takt::console::Console;
/// use takt::execution_time::{CpuUse, NotAccounted};
/// use takt::prelude::*;
///
/// /// Prints each period who had the core since the last one.
/// fn top(period: &mut Periodic, console: &mut Console) -> Result<(), NotAccounted> {
///     let mut cpu_use = CpuUse::since_start();
///     loop {
///         let _ = period.wait();
///         for share in cpu_use.look()? {
///             let _ = writeln!(console, "{share}");
///         }
///     }
/// }
/// ```
///
/// RTEMS: `rtems_cpu_usage_report` and `rtems_cpu_usage_reset`; FreeRTOS: `vTaskGetRunTimeStats`; Linux: `top`.
#[derive(Debug)]
pub struct CpuUse(Window);

/// Who can have the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum User {
    /// The task of this name.
    Task(&'static str),
    /// Nobody: the idle task.
    Idle,
    /// All interrupt handlers.
    Interrupts,
}

/// Somebody's part of the time between two looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Whose.
    pub user: User,
    /// For how long, in half ticks.
    pub half_ticks: u64,
    /// Tenths of a percent of the whole.
    pub per_mille: u16,
}

impl CpuUse {
    /// The first look is at everything from the start on.
    #[must_use]
    pub const fn since_start() -> Self {
        Self(Window::new())
    }

    /// The shares since the last look, or since the start: of every task by urgency, then of the idle task and of interrupts.
    ///
    /// In half ticks they are exactly the time between the two looks. In tenths of a percent they are a thousand: each has what
    /// the sum of all up to it, rounded down, gains by it. So a line may be off by less than a tenth, and lines can be added.
    ///
    /// Called by tasks. Takes some 35 instructions for each task and 250 besides, for which kernel handlers wait.
    ///
    /// # Errors
    /// [`NotAccounted`] in an image without the feature `execution-time`.
    pub fn look(&mut self) -> Result<impl Iterator<Item = Share>, NotAccounted> {
        if !IS_ON {
            return Err(NotAccounted);
        }
        turn::step(|core| note_all(core, &mut self.0));
        let table = masked(|core| core.table);
        let user = move |user| {
            Some(match user {
                kernel::User::Task(TaskId::IDLE) => User::Idle,
                kernel::User::Task(task) => User::Task(table?.task(task)?.name),
                kernel::User::Interrupts => User::Interrupts,
            })
        };
        let name = move |share: kernel::Share| {
            Some(Share { user: user(share.user)?, half_ticks: share.half_ticks, per_mille: share.per_mille })
        };
        Ok(self.0.shares().filter_map(name))
    }

    /// How long the time between the last two looks was, in half ticks.
    #[must_use]
    pub fn length_half_ticks(&self) -> u64 {
        self.0.length_half_ticks()
    }
}

/// In a kernel step, so that no task but the running one gains meanwhile; and that and the interrupts are read at once.
fn note_all(core: &CoreState, window: &mut Window) {
    let running = core.executive.running();
    // SAFETY: masked.
    let at_once = exclusively(|| unsafe {
        with_accounts(|accounts| {
            let now = clock::now();
            (accounts.executed(running, now), accounts.interrupts(now))
        })
    });
    let Some((own, interrupts)) = at_once else { return };
    window.note(kernel::User::Task(running), own);
    window.note(kernel::User::Interrupts, interrupts);
    let tasks = core.table.map_or(0, |table| table.order().tasks);
    let idle = TaskId::IDLE.index()..CAPACITY;
    for task in (0..tasks).chain(idle).filter_map(TaskId::new).filter(|&task| task != running) {
        if let Some(executed) = super::executed(task) {
            window.note(kernel::User::Task(task), executed);
        }
    }
}

/// The name as far as there is one, and the share in percent: `control 12.3%`.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.user {
            User::Task(name) => name,
            User::Idle => "(idle)",
            User::Interrupts => "(interrupts)",
        };
        write!(f, "{name} {}.{}%", self.per_mille / 10, self.per_mille % 10)
    }
}
