// SPDX-License-Identifier: MIT OR Apache-2.0
//! A level whose first deadline runs first: for each deadline in the longest busy period, all that must have ended by then
//! must fit before it.
//!
//! Only the deadlines that matter are looked at, from the last one down (Zhang and Burns, 2009): where `asked` is what is
//! asked for until a deadline, all deadlines from `asked` up to that one are met as well, since less is asked for until then.

use super::blocking::{Below, blocking};
use super::load::{WHOLE, jitter_ns, jobs_ns, others_ns, shares};
use super::miss::{self, Asked};
use super::settle::{Asker, MOST_ROUNDS, Settled, at_least, settle};
use super::{Job, Reason, Set, Verdict};

/// No task of the set.
const NOBODY: usize = usize::MAX;

/// What is known of the level of `own`, and so of each task of it.
pub(super) const fn verdict<'a>(set: &Set<'a>, own: &Job<'a>) -> Verdict<'a> {
    let below = Below { priority: own.priority, deadline_ns: Some(shortest_ns(set, own.priority)) };
    let blocking_ns = blocking(set, below).ns();
    let asker =
        Asker { own: NOBODY, priority: own.priority, gap_ns: blocking_ns.saturating_add(set.overheads.pend_ns) };
    let (asked, _) = shares(set, NOBODY, own.priority);
    if asked > WHOLE {
        return Verdict::CanMiss(miss::of_demand(set, asker, below, own, own.deadline_ns, Asked::endless(asked)));
    }
    let mut rounds = MOST_ROUNDS;
    let from_ns = at_least(blocking_ns, asked);
    let busy_ns = match settle(set, asker, blocking_ns, from_ns, &mut rounds) {
        Settled::At(busy_ns) => busy_ns,
        Settled::NotBefore(_) => return Verdict::Unproven(Reason::NotSettled { rounds: MOST_ROUNDS }),
        Settled::Never => {
            let asked = Asked::endless(asked);
            return Verdict::CanMiss(miss::of_demand(set, asker, below, own, own.deadline_ns, asked));
        }
    };
    let mut until_ns = busy_ns;
    while let Some(deadline_ns) = last_deadline_before(set, own.priority, until_ns) {
        let asked_ns = blocking_ns
            .saturating_add(demand_ns(set, own.priority, deadline_ns, asker.gap_ns))
            .saturating_add(others_ns(set, NOBODY, own.priority.saturating_sub(1), deadline_ns, asker.gap_ns));
        if asked_ns > deadline_ns {
            let asked = Asked::Demand { ns: asked_ns, within_ns: deadline_ns };
            return Verdict::CanMiss(miss::of_demand(set, asker, below, own, deadline_ns, asked));
        }
        if rounds == 0 {
            return Verdict::Unproven(Reason::NotSettled { rounds: MOST_ROUNDS });
        }
        rounds = rounds.saturating_sub(1);
        until_ns = asked_ns;
    }
    Verdict::InTimeByDemand
}

/// From a job's release, at its latest, to its deadline.
const fn from_release_ns(set: &Set<'_>, job: &Job<'_>) -> u64 {
    job.deadline_ns.saturating_sub(jitter_ns(set, job))
}

/// The shortest of those at a level.
const fn shortest_ns(set: &Set<'_>, priority: u8) -> u64 {
    let mut shortest_ns = u64::MAX;
    let mut jobs = set.jobs;
    while let [first, rest @ ..] = jobs {
        let own_ns = from_release_ns(set, first);
        if first.priority == priority && own_ns < shortest_ns {
            shortest_ns = own_ns;
        }
        jobs = rest;
    }
    shortest_ns
}

/// How many jobs of `job` have their deadline within a window.
pub(super) const fn deadlines(set: &Set<'_>, job: &Job<'_>, window_ns: u64) -> u64 {
    match window_ns.checked_sub(from_release_ns(set, job)) {
        Some(behind_ns) => match behind_ns.checked_div(job.period_ns) {
            Some(further) => further.saturating_add(1),
            None => u64::MAX,
        },
        None => 0,
    }
}

/// What the jobs of a level take whose deadlines are within a window.
const fn demand_ns(set: &Set<'_>, priority: u8, window_ns: u64, gap_ns: u64) -> u64 {
    let mut sum_ns = 0_u64;
    let mut jobs = set.jobs;
    while let [first, rest @ ..] = jobs {
        if first.priority == priority {
            sum_ns = sum_ns.saturating_add(jobs_ns(set, first, deadlines(set, first, window_ns), gap_ns));
        }
        jobs = rest;
    }
    sum_ns
}

/// The last deadline of a level before `until_ns`.
const fn last_deadline_before(set: &Set<'_>, priority: u8, until_ns: u64) -> Option<u64> {
    let mut last_ns = None;
    let mut jobs = set.jobs;
    while let [first, rest @ ..] = jobs {
        let first_ns = from_release_ns(set, first);
        if first.priority == priority && first_ns < until_ns {
            let further = deadlines(set, first, until_ns.saturating_sub(1)).saturating_sub(1);
            let own_ns = first_ns.saturating_add(further.saturating_mul(first.period_ns));
            last_ns = match last_ns {
                Some(before_ns) if before_ns >= own_ns => Some(before_ns),
                _ => Some(own_ns),
            };
        }
        jobs = rest;
    }
    last_ns
}
