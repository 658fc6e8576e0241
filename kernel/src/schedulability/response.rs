// SPDX-License-Identifier: MIT OR Apache-2.0
//! The worst response of a task among fixed priorities: that of the worst of all jobs in its busy period.

use super::blocking::{Below, blocking};
use super::load::{WHOLE, jitter_ns, jobs_ns, shares};
use super::miss::{self, Asked};
use super::settle::{Asker, MOST_ROUNDS, Settled, at_least, settle};
use super::{Job, Reason, Set, Verdict};

/// What is known of `own`, the task `index`, all of whose figures are known.
pub(super) const fn verdict<'a>(set: &Set<'a>, index: usize, own: &Job<'a>) -> Verdict<'a> {
    let blocking = blocking(set, Below { priority: own.priority, deadline_ns: None });
    let asker =
        Asker { own: index, priority: own.priority, gap_ns: blocking.ns().saturating_add(set.overheads.pend_ns) };
    let (others, mine) = shares(set, index, own.priority);
    let asked = others.saturating_add(mine);
    if asked > WHOLE {
        return Verdict::CanMiss(miss::of_response(set, asker, own, 1, own.deadline_ns, Asked::endless(asked)));
    }
    let mut rounds = MOST_ROUNDS;
    let (mut jobs, mut window_ns, mut worst_ns) = (1_u64, 1_u64, 0_u64);
    loop {
        let base_ns = blocking.ns().saturating_add(jobs_ns(set, own, jobs, asker.gap_ns));
        let from_ns = longer(window_ns, at_least(base_ns, others));
        let (settled_ns, is_least) = match settle(set, asker, base_ns, from_ns, &mut rounds) {
            Settled::At(settled_ns) => (settled_ns, false),
            Settled::NotBefore(settled_ns) => (settled_ns, true),
            Settled::Never => {
                let asked = Asked::endless(asked);
                return Verdict::CanMiss(miss::of_response(set, asker, own, 1, own.deadline_ns, asked));
            }
        };
        window_ns = settled_ns;
        let before_ns = jobs.saturating_sub(1).saturating_mul(own.period_ns);
        let response_ns = window_ns.saturating_add(jitter_ns(set, own)).saturating_sub(before_ns);
        if response_ns > own.deadline_ns {
            let asked = Asked::Response { ns: response_ns, is_least, job: jobs, window_ns };
            return Verdict::CanMiss(miss::of_response(set, asker, own, jobs, window_ns, asked));
        }
        if is_least || rounds == 0 {
            return Verdict::Unproven(Reason::NotSettled { rounds: MOST_ROUNDS });
        }
        worst_ns = longer(worst_ns, response_ns);
        // The next job is released at the earliest one jitter before it is due. If that is not before the end of this one,
        // nothing is pending any more.
        if window_ns <= jobs.saturating_mul(own.period_ns).saturating_sub(jitter_ns(set, own)) {
            return Verdict::Bounded { response_ns: worst_ns };
        }
        jobs = jobs.saturating_add(1);
        rounds = rounds.saturating_sub(1);
    }
}

const fn longer(left_ns: u64, right_ns: u64) -> u64 {
    if left_ns > right_ns { left_ns } else { right_ns }
}
