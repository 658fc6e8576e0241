// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much of a window is asked for, by whom.
//!
//! The compiler interprets this, and there a saturating addition is a call that takes more than ten times as long as a plain
//! one. So the sums are made of 128-bit numbers by plain operators, with bounds that make overflow impossible.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "a count is at most 2^48 and what is counted below 2^67, so a product is below 2^116, and at most 2^11 of them \
              are added; divisors are tested; what is cast was compared before"
)]

use super::{InterruptLoad, Job, Kind, Policy, Set};
use crate::executive::LOOKS_IN_A_SLICE;
use crate::table::Band;

/// The job at `index`.
pub(super) const fn job<'s, 'a>(jobs: &'s [Job<'a>], index: usize) -> Option<&'s Job<'a>> {
    match jobs.split_at_checked(index) {
        Some((_, [own, ..])) => Some(own),
        _ => None,
    }
}

/// The policy of a priority.
pub(super) const fn policy(set: &Set<'_>, priority: u8) -> Policy {
    let mut levels = set.levels;
    while let [first, rest @ ..] = levels {
        if first.priority == priority {
            return first.policy;
        }
        levels = rest;
    }
    Policy::Fifo
}

/// More of anything in a window than this is endless.
const MOST_ARRIVALS: u64 = 1 << 48;

/// A sum as a time; what does not fit is endless.
const fn time_ns(sum_ns: u128) -> u64 {
    if sum_ns > u64::MAX as u128 { u64::MAX } else { sum_ns as u64 }
}

/// How often something comes in a window at the most; `u64::MAX` where that is endless, as without a distance.
pub(super) const fn arrivals(window_ns: u64, jitter_ns: u64, period_ns: u64) -> u64 {
    if period_ns == 0 {
        return u64::MAX;
    }
    let count = (window_ns as u128 + jitter_ns as u128).div_ceil(period_ns as u128);
    if count > MOST_ARRIVALS as u128 { u64::MAX } else { count as u64 }
}

/// How often a job is released in a window.
pub(super) const fn releases(set: &Set<'_>, job: &Job<'_>, window_ns: u64) -> u64 {
    if matches!(job.kind, Kind::Background) && job.period_ns == 0 {
        return 0;
    }
    arrivals(window_ns, jitter_ns(set, job), job.period_ns)
}

/// How much a release of a job may be off.
pub(super) const fn jitter_ns(set: &Set<'_>, job: &Job<'_>) -> u64 {
    time_ns(job.jitter_ns as u128 + set.overheads.timer_jitter_ns as u128)
}

/// A job with its two switches and the wait at its end; nothing for one without a WCET, which is never asked.
const fn cost_ns(set: &Set<'_>, job: &Job<'_>) -> u128 {
    match job.wcet_ns {
        Some(wcet_ns) => wcet_ns as u128 + set.overheads.wait_ns as u128 + 2 * set.overheads.switch_ns as u128,
        None => 0,
    }
}

/// `count` jobs in a row. Where a job may find its next release passed, less urgent tasks may run between the two, for
/// `gap_ns` at the most.
pub(super) const fn jobs_ns(set: &Set<'_>, job: &Job<'_>, count: u64, gap_ns: u64) -> u64 {
    if count > MOST_ARRIVALS {
        return u64::MAX;
    }
    let gaps = if job.deadline_ns > job.period_ns && count > 0 { count - 1 } else { 0 };
    time_ns(count as u128 * cost_ns(set, job) + gaps as u128 * gap_ns as u128)
}

/// An interrupt in a window.
pub(super) const fn interrupt_ns(set: &Set<'_>, interrupt: &InterruptLoad<'_>, window_ns: u64) -> u64 {
    match interrupt.minimum_interarrival_ns {
        Some(distance_ns) => times(arrivals(window_ns, interrupt.jitter_ns, distance_ns), handling_ns(set, interrupt)),
        None => u64::MAX,
    }
}

/// So many of what takes `each_ns`; endless where the count is.
const fn times(count: u64, each_ns: u128) -> u64 {
    if count > MOST_ARRIVALS { u64::MAX } else { time_ns(count as u128 * each_ns) }
}

/// One interrupt with its way in and out.
const fn handling_ns(set: &Set<'_>, interrupt: &InterruptLoad<'_>) -> u128 {
    let around_ns = match interrupt.band {
        Band::Direct => set.overheads.direct_interrupt_ns,
        Band::Kernel => set.overheads.kernel_interrupt_ns,
    };
    match interrupt.wcet_ns {
        Some(wcet_ns) => wcet_ns as u128 + around_ns as u128,
        None => u64::MAX as u128,
    }
}

/// The timer's interrupts in a window: the releases of all tasks, and the looks whether turns have ended.
pub(super) const fn timer_ns(set: &Set<'_>, window_ns: u64) -> u64 {
    let mut sum_ns = turns_ns(set, window_ns);
    let mut jobs = set.jobs;
    while let [first, rest @ ..] = jobs {
        sum_ns += times(releases(set, first, window_ns), set.overheads.release_ns as u128) as u128;
        jobs = rest;
    }
    time_ns(sum_ns)
}

/// The looks whether a turn has ended in a window.
const fn turns_ns(set: &Set<'_>, window_ns: u64) -> u128 {
    let mut sum_ns = 0;
    let mut levels = set.levels;
    while let [first, rest @ ..] = levels {
        if let Policy::RoundRobin { slice_ns } = first.policy {
            sum_ns += times(arrivals(window_ns, 0, slice_ns / LOOKS_IN_A_SLICE), turn_ns(set)) as u128;
        }
        levels = rest;
    }
    sum_ns
}

/// A look that ends a turn: an interrupt and a switch.
const fn turn_ns(set: &Set<'_>) -> u128 {
    set.overheads.release_ns as u128 + set.overheads.switch_ns as u128
}

/// What runs above the task `own` of this priority in a window: everything above all tasks, and the jobs of the others
/// that are as urgent or more.
pub(super) const fn others_ns(set: &Set<'_>, own: usize, priority: u8, window_ns: u64, gap_ns: u64) -> u64 {
    let mut sum_ns = turns_ns(set, window_ns);
    let mut index = 0;
    let mut jobs = set.jobs;
    while let [first, rest @ ..] = jobs {
        let count = releases(set, first, window_ns);
        if count > MOST_ARRIVALS {
            return u64::MAX;
        }
        sum_ns += count as u128 * set.overheads.release_ns as u128;
        if index != own && first.priority <= priority {
            sum_ns += jobs_ns(set, first, count, gap_ns) as u128;
        }
        index += 1;
        jobs = rest;
    }
    let mut interrupts = set.interrupts;
    while let [first, rest @ ..] = interrupts {
        sum_ns += interrupt_ns(set, first, window_ns) as u128;
        interrupts = rest;
    }
    time_ns(sum_ns)
}

/// The whole of a core, as a share.
pub(super) const WHOLE: u128 = 1 << 40;

/// `cost_ns` each `period_ns` as a share of the core, rounded down; twice the whole where it comes without distance.
const fn share(cost_ns: u128, period_ns: u64) -> u128 {
    match (cost_ns, period_ns) {
        (0, 0) => 0,
        (_, 0) => 2 * WHOLE,
        _ => cost_ns * WHOLE / period_ns as u128,
    }
}

/// The share of the core that runs above the task `own`, and its own, both rounded down.
pub(super) const fn shares(set: &Set<'_>, own: usize, priority: u8) -> (u128, u128) {
    let (mut others, mut mine) = (0, 0);
    let mut index = 0;
    let mut jobs = set.jobs;
    while let [first, rest @ ..] = jobs {
        if first.period_ns > 0 {
            others += share(set.overheads.release_ns as u128, first.period_ns);
        }
        if index == own {
            mine = share(cost_ns(set, first), first.period_ns);
        } else if first.priority <= priority {
            others += share(cost_ns(set, first), first.period_ns);
        }
        index += 1;
        jobs = rest;
    }
    let mut levels = set.levels;
    while let [first, rest @ ..] = levels {
        if let Policy::RoundRobin { slice_ns } = first.policy {
            others += share(turn_ns(set), slice_ns / LOOKS_IN_A_SLICE);
        }
        levels = rest;
    }
    let mut interrupts = set.interrupts;
    while let [first, rest @ ..] = interrupts {
        if let Some(distance_ns) = first.minimum_interarrival_ns {
            others += share(handling_ns(set, first), distance_ns);
        }
        interrupts = rest;
    }
    (others, mine)
}
