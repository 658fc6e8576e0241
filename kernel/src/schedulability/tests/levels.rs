// SPDX-License-Identifier: MIT OR Apache-2.0
//! Levels whose first deadline runs first.

use super::super::{Asked, Hold, Job, Level, Overheads, Policy, Reason, Set, Verdict, verdict};
use super::{ceiling, job, miss, set};

const EDF: [Level; 1] = [Level { priority: 5, policy: Policy::EarliestDeadlineFirst }];

fn verdict_at_5<'a>(jobs: &'a [Job<'a>]) -> Verdict<'a> {
    verdict(&Set { levels: &EDF, ..set(jobs) }, 0).unwrap()
}

/// Liu and Layland, 1973: with deadlines at the periods, all that fits the core is in time.
#[test]
fn a_full_core_is_in_time() {
    let jobs = [job("a", 5, 20, 10), job("b", 5, 30, 10), job("c", 5, 60, 10)];
    assert_eq!(verdict_at_5(&jobs), Verdict::InTimeByDemand);
    // By fixed priorities the last one is not: 10 + 3 * 10 + 2 * 10 = 60 is, but with one more it would not be.
    let jobs = [job("a", 5, 20, 10), job("b", 5, 30, 11), job("c", 5, 60, 10)];
    assert_eq!(miss(&Set { levels: &EDF, ..set(&jobs) }, 2).asked, Asked::Endless { permille: 1_034 });
}

/// A set that fixed priorities cannot do: 2 of 5 and 4 of 7.
#[test]
fn the_first_deadline_does_what_fixed_priorities_cannot() {
    let jobs = [job("a", 5, 5, 2), job("b", 5, 7, 4)];
    assert_eq!(verdict_at_5(&jobs), Verdict::InTimeByDemand);
    let fixed = [job("a", 4, 5, 2), job("b", 5, 7, 4)];
    assert_eq!(miss(&set(&fixed), 1).asked, Asked::Response { ns: 8, is_least: false, job: 1, window_ns: 8 });
}

#[test]
fn deadlines_before_the_period_are_tested_one_by_one() {
    let jobs = |deadline_ns| [Job { deadline_ns: 4, ..job("a", 5, 10, 3) }, Job { deadline_ns, ..job("b", 5, 12, 5) }];
    assert_eq!(verdict_at_5(&jobs(8)), Verdict::InTimeByDemand);
    let misses = jobs(7);
    assert_eq!(miss(&Set { levels: &EDF, ..set(&misses) }, 1).asked, Asked::Demand { ns: 8, within_ns: 7 });
}

#[test]
fn an_early_deadline_is_tested_behind_later_ones_that_are_met() {
    let jobs = |deadline_ns| {
        let early = |name, period_ns, deadline_ns| Job { deadline_ns, ..job(name, 5, period_ns, 2) };
        [early("a", 10, 2), early("b", 20, deadline_ns), job("c", 5, 20, 7)]
    };
    // All ends at 13. Until 12, the last deadline before, two jobs of a and one of b: 6.
    assert_eq!(verdict_at_5(&jobs(4)), Verdict::InTimeByDemand);
    let misses = jobs(3);
    assert_eq!(miss(&Set { levels: &EDF, ..set(&misses) }, 0).asked, Asked::Demand { ns: 4, within_ns: 3 });
}

#[test]
fn what_is_more_urgent_than_the_level_counts_in_full() {
    let jobs = |wcet_ns| [Job { deadline_ns: 6, ..job("a", 5, 10, 3) }, job("b", 4, 5, wcet_ns)];
    // With 2 all ends at 5. With 3 b comes at 0 and at 5, before 3 of a have ended.
    assert_eq!(verdict_at_5(&jobs(2)), Verdict::InTimeByDemand);
    let misses = jobs(3);
    assert_eq!(miss(&Set { levels: &EDF, ..set(&misses) }, 0).asked, Asked::Demand { ns: 9, within_ns: 6 });
}

#[test]
fn a_lock_of_a_less_urgent_task_or_of_a_later_deadline_blocks() {
    const FITS: &[Hold<'static>] = &[ceiling("x", 5, 2)];
    const TOO_LONG: &[Hold<'static>] = &[ceiling("x", 5, 3)];
    let lower =
        |priority, locks| [Job { deadline_ns: 5, ..job("a", 5, 20, 3) }, Job { locks, ..job("b", priority, 20, 3) }];
    for priority in [5, 6] {
        assert_eq!(verdict_at_5(&lower(priority, FITS)), Verdict::InTimeByDemand, "{priority}");
        let misses = lower(priority, TOO_LONG);
        let asked = miss(&Set { levels: &EDF, ..set(&misses) }, 0).asked;
        assert_eq!(asked, Asked::Demand { ns: 6, within_ns: 5 }, "{priority}");
    }
    // Its own lock does not block it.
    let own = [Job { deadline_ns: 5, locks: &[ceiling("x", 5, 3)], ..job("a", 5, 20, 3) }];
    assert_eq!(verdict_at_5(&own), Verdict::InTimeByDemand);
}

#[test]
fn jitter_brings_a_deadline_nearer() {
    let late = |jitter_ns| [Job { deadline_ns: 6, jitter_ns, ..job("a", 5, 20, 3) }, job("b", 4, 20, 1)];
    assert_eq!(verdict_at_5(&late(2)), Verdict::InTimeByDemand);
    let misses = late(3);
    assert_eq!(miss(&Set { levels: &EDF, ..set(&misses) }, 0).asked, Asked::Demand { ns: 4, within_ns: 3 });
}

#[test]
fn the_kernel_takes_its_share_here_too() {
    let jobs = [Job { deadline_ns: 7, ..job("a", 5, 20, 3) }, job("b", 6, 20, 3)];
    let with = |overheads| verdict(&Set { levels: &EDF, overheads, ..set(&jobs) }, 0).unwrap();
    // Two switches; two releases; the wait; a kernel step and a masked section: each as much as fits, and one more.
    assert_eq!(with(Overheads { switch_ns: 2, ..Overheads::NONE }), Verdict::InTimeByDemand);
    assert!(matches!(with(Overheads { switch_ns: 3, ..Overheads::NONE }), Verdict::CanMiss(_)));
    assert_eq!(with(Overheads { release_ns: 2, ..Overheads::NONE }), Verdict::InTimeByDemand);
    assert!(matches!(with(Overheads { release_ns: 3, ..Overheads::NONE }), Verdict::CanMiss(_)));
    assert_eq!(with(Overheads { wait_ns: 4, ..Overheads::NONE }), Verdict::InTimeByDemand);
    assert!(matches!(with(Overheads { wait_ns: 5, ..Overheads::NONE }), Verdict::CanMiss(_)));
    assert_eq!(with(Overheads { kernel_step_ns: 3, masked_ns: 1, ..Overheads::NONE }), Verdict::InTimeByDemand);
    assert!(matches!(with(Overheads { kernel_step_ns: 3, masked_ns: 2, ..Overheads::NONE }), Verdict::CanMiss(_)));
}

#[test]
fn those_below_an_edf_level_are_kept_waiting_by_all_of_it() {
    let jobs = [job("a", 5, 5, 2), job("b", 5, 7, 2), job("c", 6, 40, 3)];
    // 3 + 2 + 2 = 7, then a at 5: 9, b at 7: 11, a at 10: 13; in 13 a comes three times and b twice.
    let set = Set { levels: &EDF, ..set(&jobs) };
    assert_eq!(verdict(&set, 2), Some(Verdict::Bounded { response_ns: 13 }));
}

#[test]
fn a_level_too_near_to_full_is_unproven() {
    let jobs = [job("a", 5, 1_000_003, 500_001), job("b", 5, 1_000_033, 500_016)];
    assert_eq!(verdict_at_5(&jobs), Verdict::Unproven(Reason::NotSettled { rounds: 2_000 }));
    let jobs = [job("a", 5, u64::MAX, u64::MAX / 2), job("b", 5, u64::MAX, u64::MAX / 2 + 1)];
    assert!(matches!(verdict_at_5(&jobs), Verdict::CanMiss(_) | Verdict::InTimeByDemand));
}
