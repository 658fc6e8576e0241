// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is said where a mutex with inheritance cannot be had.

use core::fmt;

use takt_kernel::TaskId;
use takt_kernel::executive::MOST_NESTED;
use takt_kernel::objects::inherit_mutex::Refused;

use super::die;
use crate::core_state::CoreState;

/// The running task must not lock the mutex of this name, or wait for it.
#[cold]
#[inline(never)]
pub(crate) fn refused(core: &CoreState, mutex: &'static str, owner: Option<TaskId>, why: Refused) -> ! {
    let running = core.executive.running();
    match why {
        Refused::NotAdmitted => die(format_args!(
            "a task locks mutex '{mutex}', which its line of the table does not name; add .locks_inherit(\"{mutex}\", \
             longest) to the line"
        )),
        Refused::TooDeep => die(format_args!(
            "a task locks mutex '{mutex}' and holds {MOST_NESTED} already, one inside the other; that is the most: leave one \
             first, or join some"
        )),
        Refused::InsideCeiling => die(format_args!(
            "a task locks mutex '{mutex}', which task '{}' holds, while it holds one with a ceiling, inside which nobody \
             waits; lock '{mutex}' first",
            name(core, owner)
        )),
        Refused::Deadlock if owner == Some(running) => {
            die(format_args!("a task locks mutex '{mutex}', which it holds already; lock none inside itself"))
        }
        Refused::Deadlock => die(format_args!("{}", Circle { core, mutex, owner })),
    }
}

fn name(core: &CoreState, task: Option<TaskId>) -> &'static str {
    task.and_then(|task| core.name_and_priority(task)).map_or("", |(name, _)| name)
}

/// Tasks that wait for one another.
struct Circle<'a> {
    core: &'a CoreState,
    /// What the running task wants.
    mutex: &'static str,
    /// Who holds that.
    owner: Option<TaskId>,
}

impl fmt::Display for Circle<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("deadlock")?;
        let running = self.core.executive.running();
        let (mut waiter, mut wanted, mut next) = (running, self.mutex, self.owner);
        while let Some(owner) = next {
            let lead = if waiter == running { ": " } else { "; " };
            let (who, holder) = (name(self.core, Some(waiter)), name(self.core, Some(owner)));
            write!(f, "{lead}task '{who}' waits for mutex '{wanted}', which task '{holder}' holds")?;
            if owner == running {
                break;
            }
            (waiter, wanted, next) = (owner, self.core.awaited(owner), self.core.executive.awaits(owner));
        }
        f.write_str("; lock mutexes that nest in one order everywhere")
    }
}
