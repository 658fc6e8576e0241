// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each task does at the moment, read off the queues: nothing is kept for it, so that no path takes longer.

use core::fmt;

use super::Executive;
use crate::TaskId;
use crate::time::Instant;

/// What a task does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskState {
    /// It runs.
    Running,
    /// It could run, and is behind a more urgent task or an equal.
    Ready,
    /// It waits until an instant: its next release, or what it sleeps until.
    WaitsInTime(Instant),
    /// It waits until it is woken: for an object, for its release if it is sporadic, and for time zero if it is periodic.
    Waits,
    /// It waits for an object, but until an instant at the most.
    WaitsAtMost(Instant),
}

impl fmt::Display for TaskState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "running",
            Self::Ready => "ready",
            Self::WaitsInTime(_) => "waits in time",
            Self::Waits => "waits",
            Self::WaitsAtMost(_) => "waits at most until an instant",
        })
    }
}

impl Executive {
    /// What `task` does. Takes a few instructions for each task that is ready among its equals or due before it.
    #[must_use]
    pub fn state(&self, task: TaskId) -> TaskState {
        if task == self.running {
            TaskState::Running
        } else if self.ready.is_ready(task) {
            TaskState::Ready
        } else {
            match self.delays.due(task) {
                None => TaskState::Waits,
                Some(at) if self.ready.waits_for_a_time(task) => TaskState::WaitsAtMost(at),
                Some(at) => TaskState::WaitsInTime(at),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TaskState;
    use crate::executive::Executive;
    use crate::objects::Wait;
    use crate::objects::event::Event;
    use crate::priority::{Priority, PrioritySet};
    use crate::time::Instant;
    use crate::{CAPACITY, PerTask, TaskId};

    fn task(rank: usize) -> TaskId {
        TaskId::new(rank).unwrap()
    }

    fn at(half_ticks: u64) -> Instant {
        Instant::from_half_ticks(half_ticks)
    }

    /// Tasks 0 and 1 at priority 10, 2 at 20, 3 at 30, all ready, the first of them running.
    fn executive() -> Executive {
        let mut all = [Priority::IDLE; CAPACITY];
        for (place, number) in all.iter_mut().zip([10, 10, 20, 30]) {
            *place = Priority::new(number).unwrap();
        }
        let mut executive = Executive::new(&PerTask::new(all), PrioritySet::EMPTY, false, at(0));
        for rank in 0..4 {
            executive.start(task(rank));
        }
        let _ = executive.choose();
        executive
    }

    fn states(executive: &Executive) -> [TaskState; 4] {
        [0, 1, 2, 3].map(|rank| executive.state(task(rank)))
    }

    #[test]
    fn each_way_to_wait_has_a_state_of_its_own() {
        use TaskState::{Ready, Running, Waits, WaitsAtMost, WaitsInTime};
        let mut executive = executive();
        assert_eq!(states(&executive), [Running, Ready, Ready, Ready]);
        let _ = executive.wait_until(at(100));
        let _ = executive.choose();
        let mut event = Event::new();
        assert_eq!(event.wait(&mut executive, Some(at(90))), Wait::BeginsAndArms(at(90)));
        let _ = executive.choose();
        executive.block();
        let _ = executive.choose();
        assert_eq!(states(&executive), [WaitsInTime(at(100)), WaitsAtMost(at(90)), Waits, Running]);
        assert_eq!(executive.release_first(), Ok(task(1)));
        assert_eq!(states(&executive), [WaitsInTime(at(100)), Ready, Waits, Running]);
        let _ = executive.choose();
        assert_eq!(states(&executive), [WaitsInTime(at(100)), Running, Waits, Ready]);
        assert!(event.has_given_up(&mut executive));
        assert_eq!(executive.state(TaskId::IDLE), Ready);
    }

    #[test]
    fn the_last_of_many_equals_is_ready() {
        let mut executive = executive();
        executive.set_priority(task(2), Priority::new(10).unwrap());
        executive.set_priority(task(3), Priority::new(10).unwrap());
        assert_eq!(states(&executive)[3], TaskState::Ready);
        executive.block();
        assert_eq!(states(&executive)[0], TaskState::Running, "until another is chosen");
        let _ = executive.choose();
        assert_eq!(states(&executive)[0], TaskState::Waits);
        assert_eq!(states(&executive)[1..], [TaskState::Running, TaskState::Ready, TaskState::Ready]);
    }
}
