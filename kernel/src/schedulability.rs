// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether every task of a core ends its jobs in time, reckoned while the compiler runs.
//!
//! The input is plain data: a [`Set`] of jobs, interrupts, policies and what the kernel itself takes. [`verdict`] says of
//! one task how late its jobs can end at the worst; [`check`] says whether the table may stand. What is counted, and why
//! that is enough:
//!
//! * The window begins where nothing of the task's level or above is pending. Within it each task as urgent or more comes
//!   as often as its period and jitter allow, with two switches and a wait a job; equals interfere in full, so their order
//!   does not matter.
//! * The timer's interrupts run above all tasks, so those of the less urgent are counted too. So are all declared
//!   interrupts, at their least distance.
//! * Before the window began, a less urgent task may have taken a lock, closed the gate to the kernel's handlers, or masked:
//!   each once, the longest.
//! * A job may find its predecessor unfinished: all jobs up to the end of the busy period are looked at.
//! * A release that comes in the past goes through the timer: for that moment a less urgent task may run, and take a lock.
//!
//! All times are nanoseconds. A sum that does not fit into 64 bits, and more than 2^48 of anything, counts as endless: it is
//! refused, never wrapped.
//! A job is taken to wait nowhere but for its next release and for the locks it declares.

mod blocking;
mod check;
mod edf;
mod load;
mod miss;
mod overheads;
mod response;
mod settle;

use crate::table::Band;

pub use check::{check, claim, stop_if_can_miss, unproven};
pub use miss::{Asked, Miss, Share, Source};
pub use overheads::{Cost, KernelCosts, Overheads, Platform};

/// How a task comes to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Released by the timer every `period_ns`.
    Periodic,
    /// Released by something else, at least `period_ns` apart.
    Sporadic,
    /// Runs whenever nothing more urgent does. `period_ns` is the least distance of its waits for an instant; 0 if it has none.
    Background,
}

/// A task, as far as time is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The name in sentences.
    pub name: &'a str,
    /// 1 is the most urgent.
    pub priority: u8,
    /// From release to release, or the least distance of two.
    pub period_ns: u64,
    /// From the due instant to the latest end of the job.
    pub deadline_ns: u64,
    /// The longest the job runs by itself, its locks included; `None` if nobody said.
    pub wcet_ns: Option<u64>,
    /// How wide the span is in which a release may come: how late at the most, and by anticipation how early, together.
    pub jitter_ns: u64,
    /// How it comes to run.
    pub kind: Kind,
    /// What it locks, each from the outermost lock to its release.
    pub locks: &'a [Hold<'a>],
}

/// A lock that a job takes.
#[derive(Clone, Copy, Debug)]
pub struct Hold<'a> {
    /// What is locked; a name that two jobs share is one object.
    pub object: &'a str,
    /// The priority at which the holder runs; `None` if it inherits that of who waits.
    pub ceiling: Option<u8>,
    /// The longest it is held.
    pub hold_ns: u64,
}

/// An interrupt of the table.
#[derive(Clone, Copy, Debug)]
pub struct InterruptLoad<'a> {
    /// The name in sentences.
    pub name: &'a str,
    /// The longest its handler runs; `None` if nobody said.
    pub wcet_ns: Option<u64>,
    /// The least distance of two; `None` if nobody said.
    pub minimum_interarrival_ns: Option<u64>,
    /// What it may do.
    pub band: Band,
    /// How wide the span is in which one may come, besides: 0 where it is told by the distance alone.
    pub jitter_ns: u64,
    /// Whether it is what the task of this name sends to the core, and not a line of the interrupt controller.
    pub is_sent: bool,
}

/// Who is first among tasks of one priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Who became ready first.
    Fifo,
    /// All in turn.
    RoundRobin {
        /// How long a turn is.
        slice_ns: u64,
    },
    /// Whose deadline is first. Who holds a lock whose ceiling is this level is not preempted by its equals.
    EarliestDeadlineFirst,
}

/// The policy of one priority.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// The priority.
    pub priority: u8,
    /// Its policy.
    pub policy: Policy,
}

/// All that competes for one core.
#[derive(Clone, Copy, Debug)]
pub struct Set<'a> {
    /// The tasks, at most 63 of them, in any order.
    pub jobs: &'a [Job<'a>],
    /// The interrupts with a handler of the application's or of a driver's.
    pub interrupts: &'a [InterruptLoad<'a>],
    /// The priorities whose policy is not first come, first served.
    pub levels: &'a [Level],
    /// What the kernel takes.
    pub overheads: Overheads,
}

/// What is known of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<'a> {
    /// Its jobs end at most `response_ns` after they are due, which is in time.
    Bounded {
        /// From the due instant to the end of the job.
        response_ns: u64,
    },
    /// Its jobs end in time by the demand of its level, whose first deadline runs first; there is no bound but the deadline.
    InTimeByDemand,
    /// Nothing can be said, and why.
    Unproven(Reason<'a>),
    /// A job may end late, as far as the declared figures go.
    CanMiss(Miss<'a>),
}

/// Why nothing can be said of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason<'a> {
    /// This task, which may be the one in question or is as urgent or more, has no worst-case execution time.
    NoWcet(&'a str),
    /// This task is a background one: it has no deadline itself, and no end for those that it keeps waiting.
    Background(&'a str),
    /// Nobody said how often this task is released.
    NoPeriod(&'a str),
    /// This interrupt has no worst-case execution time.
    InterruptNoWcet(&'a str),
    /// Nobody said how often this interrupt comes.
    InterruptNoInterarrival(&'a str),
    /// This task sends to the core, and is unproven itself, so nobody knows when.
    Sender(&'a str),
    /// The sums had not settled after so many rounds: the core is too near to full.
    NotSettled {
        /// How many.
        rounds: u32,
    },
}

/// What is known of the task `index` of the set; `None` where there is none.
#[must_use]
pub const fn verdict<'a>(set: &Set<'a>, index: usize) -> Option<Verdict<'a>> {
    let Some(job) = load::job(set.jobs, index) else { return None };
    if let Some(reason) = unknown(set, job) {
        return Some(Verdict::Unproven(reason));
    }
    Some(match load::policy(set, job.priority) {
        Policy::EarliestDeadlineFirst => edf::verdict(set, job),
        Policy::Fifo | Policy::RoundRobin { .. } => response::verdict(set, index, job),
    })
}

/// What would have to be known to say anything of `own`.
const fn unknown<'a>(set: &Set<'a>, own: &Job<'a>) -> Option<Reason<'a>> {
    if matches!(own.kind, Kind::Background) {
        return Some(Reason::Background(own.name));
    }
    if own.wcet_ns.is_none() {
        return Some(Reason::NoWcet(own.name));
    }
    let mut interrupts = set.interrupts;
    while let [first, rest @ ..] = interrupts {
        match (first.minimum_interarrival_ns, first.wcet_ns) {
            (None | Some(0), _) | (_, None) if first.is_sent => return Some(Reason::Sender(first.name)),
            (None | Some(0), _) => return Some(Reason::InterruptNoInterarrival(first.name)),
            (_, None) => return Some(Reason::InterruptNoWcet(first.name)),
            _ => interrupts = rest,
        }
    }
    let mut jobs = set.jobs;
    while let [first, rest @ ..] = jobs {
        let is_background = matches!(first.kind, Kind::Background);
        // Its releases run above all tasks, so this counts for the less urgent too.
        if first.period_ns == 0 && !is_background {
            return Some(Reason::NoPeriod(first.name));
        }
        if first.priority <= own.priority && is_background {
            return Some(Reason::Background(first.name));
        }
        if first.priority <= own.priority && first.wcet_ns.is_none() {
            return Some(Reason::NoWcet(first.name));
        }
        jobs = rest;
    }
    None
}

#[cfg(test)]
mod tests;
