// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long tasks that are less urgent can keep a level waiting.

use super::{Hold, Job, Set};
use crate::table::equal;

/// What keeps a level waiting, at the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blocking<'a> {
    /// The longest hold of a lock with a ceiling, and who holds it.
    pub(super) ceiling_ns: u64,
    /// Who holds that; empty if nobody does.
    pub(super) holder: &'a str,
    /// Holds of locks that are inherited through, one after the other.
    pub(super) chain_ns: u64,
    /// A kernel step and a masked section.
    pub(super) kernel_ns: u64,
}

impl Blocking<'_> {
    /// All of it.
    pub(super) const fn ns(&self) -> u64 {
        self.ceiling_ns.saturating_add(self.chain_ns).saturating_add(self.kernel_ns)
    }
}

/// Which tasks a level has below it.
#[derive(Clone, Copy)]
pub(super) struct Below {
    /// The level.
    pub(super) priority: u8,
    /// Where the first deadline of the level runs first: tasks of the level with a longer one than this are below too.
    pub(super) deadline_ns: Option<u64>,
}

impl Below {
    const fn holds(self, job: &Job<'_>) -> bool {
        let is_later = match self.deadline_ns {
            Some(deadline_ns) => job.priority == self.priority && job.deadline_ns > deadline_ns,
            None => false,
        };
        job.priority > self.priority || is_later
    }
}

/// What can keep the level of `below` waiting.
pub(super) const fn blocking<'a>(set: &Set<'a>, below: Below) -> Blocking<'a> {
    let kernel_ns = set.overheads.kernel_step_ns.saturating_add(set.overheads.masked_ns);
    let mut blocking = Blocking { ceiling_ns: 0, holder: "", chain_ns: chain_ns(set, below), kernel_ns };
    let mut jobs = set.jobs;
    while let [first, rest @ ..] = jobs {
        if below.holds(first) {
            let hold_ns = longest(first.locks, below.priority);
            if hold_ns > blocking.ceiling_ns {
                blocking.ceiling_ns = hold_ns;
                blocking.holder = first.name;
            }
        }
        jobs = rest;
    }
    blocking
}

/// The longest hold of a lock whose ceiling is `priority` or above.
const fn longest(mut locks: &[Hold<'_>], priority: u8) -> u64 {
    let mut longest_ns = 0;
    while let [first, rest @ ..] = locks {
        if let Some(ceiling) = first.ceiling
            && ceiling <= priority
            && first.hold_ns > longest_ns
        {
            longest_ns = first.hold_ns;
        }
        locks = rest;
    }
    longest_ns
}

/// The longest hold of a lock that is inherited through; `None` if there is no such lock.
const fn longest_inherited(mut locks: &[Hold<'_>]) -> Option<u64> {
    let mut longest_ns = None;
    while let [first, rest @ ..] = locks {
        if first.ceiling.is_none() {
            longest_ns = match longest_ns {
                Some(before_ns) if before_ns >= first.hold_ns => Some(before_ns),
                _ => Some(first.hold_ns),
            };
        }
        locks = rest;
    }
    longest_ns
}

/// With inheritance each task below may be in one of its sections, and all of them may have to end, one after the other:
/// those that share a lock with the level or above, and those that share one with these. Each takes a switch there and back.
const fn chain_ns(set: &Set<'_>, below: Below) -> u64 {
    let mut linked = 0_u64;
    loop {
        let before = linked;
        let mut index = 0_u32;
        let mut jobs = set.jobs;
        while let [first, rest @ ..] = jobs {
            // Most tasks have no such lock, and the compiler is slow.
            if longest_inherited(first.locks).is_some()
                && below.holds(first)
                && is_linked(set, below, first, index, linked)
            {
                linked |= bit(index);
            }
            index = index.saturating_add(1);
            jobs = rest;
        }
        if linked == before {
            break;
        }
    }
    let there_and_back_ns = set.overheads.kernel_step_ns.saturating_add(set.overheads.switch_ns).saturating_mul(2);
    let mut sum_ns = 0_u64;
    let mut index = 0_u32;
    let mut jobs = set.jobs;
    while let [first, rest @ ..] = jobs {
        if linked & bit(index) != 0
            && let Some(hold_ns) = longest_inherited(first.locks)
        {
            sum_ns = sum_ns.saturating_add(hold_ns).saturating_add(there_and_back_ns);
        }
        index = index.saturating_add(1);
        jobs = rest;
    }
    sum_ns
}

/// A task's place. A table has at most 63 tasks; those beyond would share the last place, and be counted if one of them is.
const fn bit(index: u32) -> u64 {
    1_u64 << if index < 64 { index } else { 63 }
}

/// Whether the task `own` shares a lock that is inherited through with one at the level or above, or with one of `linked`.
const fn is_linked(set: &Set<'_>, below: Below, own: &Job<'_>, place: u32, linked: u64) -> bool {
    let mut index = 0_u32;
    let mut jobs = set.jobs;
    while let [first, rest @ ..] = jobs {
        let counts = first.priority <= below.priority || linked & bit(index) != 0;
        if index != place && counts && share_an_inherited(own.locks, first.locks) {
            return true;
        }
        index = index.saturating_add(1);
        jobs = rest;
    }
    false
}

const fn share_an_inherited(mut left: &[Hold<'_>], right: &[Hold<'_>]) -> bool {
    while let [first, left_rest @ ..] = left {
        let mut others = right;
        while let [other, right_rest @ ..] = others {
            if first.ceiling.is_none()
                && other.ceiling.is_none()
                && equal(first.object.as_bytes(), other.object.as_bytes())
            {
                return true;
            }
            others = right_rest;
        }
        left = left_rest;
    }
    false
}
