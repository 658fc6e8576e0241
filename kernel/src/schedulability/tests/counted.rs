// SPDX-License-Identifier: MIT OR Apache-2.0
//! One set for each thing that is counted, worked by hand: leaving it out changes the answer.

use super::super::{Asked, Hold, InterruptLoad, Job, Kind, Overheads, Policy, Reason, Set, Verdict, verdict};
use super::{bounds, ceiling, inherits, interrupt, job, level, miss, set};
use crate::table::Band;

#[test]
fn equals_interfere_in_full() {
    assert_eq!(bounds(&set(&[job("a", 5, 20, 3), job("b", 5, 30, 4), job("c", 6, 60, 1)])), [7, 7, 8]);
}

#[test]
fn jitter_lengthens_the_own_response_and_adds_arrivals_of_others() {
    let late = Job { jitter_ns: 5, ..job("a", 1, 10, 4) };
    // b: 3, then in 3 + 4 the second arrival of a, at 10 - 5: 3 + 2 * 4 = 11, and in 11 the third one: no, 11 + 5 <= 20.
    assert_eq!(bounds(&set(&[late, job("b", 2, 40, 3)])), [9, 11]);
    assert_eq!(bounds(&set(&[job("a", 1, 10, 4), job("b", 2, 40, 3)])), [4, 7]);
}

#[test]
fn the_timers_own_jitter_counts_for_all() {
    let jobs = [job("a", 1, 10, 4), job("b", 2, 40, 3)];
    let overheads = Overheads { timer_jitter_ns: 5, ..Overheads::NONE };
    assert_eq!(bounds(&Set { overheads, ..set(&jobs) }), [9, 16]);
}

#[test]
fn the_longest_hold_of_a_ceiling_at_or_above_blocks() {
    let jobs = [
        job("a", 1, 50, 2),
        Job { locks: &[ceiling("x", 2, 1)], ..job("b", 2, 50, 2) },
        Job { locks: &[ceiling("x", 2, 4), ceiling("y", 3, 6)], ..job("c", 3, 50, 7) },
        Job { locks: &[ceiling("y", 3, 9)], ..job("d", 4, 50, 9) },
    ];
    // a: no ceiling is as urgent. b: c's hold of x. c: d's hold of y, not its own. d: nobody is less urgent.
    assert_eq!(bounds(&set(&jobs)), [2, 8, 20, 20]);
}

#[test]
fn a_background_task_that_holds_a_lock_blocks_too() {
    let background = Job {
        kind: Kind::Background,
        period_ns: 0,
        wcet_ns: None,
        locks: &[ceiling("x", 1, 4)],
        ..job("idler", 9, 0, 0)
    };
    let jobs = [job("a", 1, 50, 2), background];
    assert_eq!(verdict(&set(&jobs), 0), Some(Verdict::Bounded { response_ns: 6 }));
    assert_eq!(verdict(&set(&jobs), 1), Some(Verdict::Unproven(Reason::Background("idler"))));
}

#[test]
fn inheritance_adds_up_over_the_tasks_that_can_be_waited_for() {
    let jobs = [
        Job { locks: &[inherits("x", 1)], ..job("a", 1, 100, 2) },
        Job { locks: &[inherits("x", 3), inherits("y", 2)], ..job("b", 2, 100, 5) },
        // Linked to a by b alone.
        Job { locks: &[inherits("y", 4)], ..job("c", 3, 100, 5) },
        // Shares nothing with those.
        Job { locks: &[inherits("z", 50)], ..job("d", 4, 300, 50) },
        Job { locks: &[inherits("z", 30)], ..job("e", 5, 300, 30) },
    ];
    // a: 2 + 3 + 4. b: 2 + 5 + 4. c: 2 + 5 + 5. d: + 50 + 30 of e. e: all.
    assert_eq!(bounds(&set(&jobs)), [9, 11, 12, 92, 92]);
    // Each of the two takes a kernel step and a switch there and back, and b and c two switches a job.
    let overheads = Overheads { switch_ns: 1, ..Overheads::NONE };
    assert_eq!(bounds(&Set { overheads, ..set(&jobs) }).first(), Some(&15));
    let overheads = Overheads { kernel_step_ns: 1, ..Overheads::NONE };
    assert_eq!(bounds(&Set { overheads, ..set(&jobs) }).first(), Some(&14));
}

#[test]
fn a_kernel_step_and_a_masked_section_block_once() {
    let jobs = [job("a", 1, 10, 2), job("b", 2, 50, 9)];
    let overheads = Overheads { kernel_step_ns: 3, masked_ns: 1, ..Overheads::NONE };
    // b: 9 + 4 + a at 0 and at 10.
    assert_eq!(bounds(&Set { overheads, ..set(&jobs) }), [6, 17]);
}

#[test]
fn a_job_takes_two_switches_and_a_wait() {
    let jobs = [job("a", 1, 20, 2), job("b", 2, 50, 9)];
    let overheads = Overheads { switch_ns: 1, ..Overheads::NONE };
    assert_eq!(bounds(&Set { overheads, ..set(&jobs) }), [4, 15]);
    let overheads = Overheads { wait_ns: 1, ..Overheads::NONE };
    assert_eq!(bounds(&Set { overheads, ..set(&jobs) }), [3, 13]);
}

#[test]
fn the_releases_of_all_tasks_count_for_each() {
    let idler = Job { kind: Kind::Background, wcet_ns: None, ..job("idler", 9, 7, 0) };
    let jobs = [job("a", 1, 20, 2), job("b", 2, 50, 3), idler];
    let overheads = Overheads { release_ns: 1, ..Overheads::NONE };
    // a: 2, three releases, and no second of the idler's wait in 5. b: 2 + 3 + 3, and the idler's second at 7.
    let set = Set { overheads, ..set(&jobs) };
    assert_eq!(verdict(&set, 0), Some(Verdict::Bounded { response_ns: 5 }));
    assert_eq!(verdict(&set, 1), Some(Verdict::Bounded { response_ns: 9 }));
}

#[test]
fn interrupts_count_at_their_least_distance_with_their_way_in_and_out() {
    let jobs = [job("a", 1, 50, 6)];
    let interrupts = [interrupt("k", 1, 8), InterruptLoad { band: Band::Direct, ..interrupt("d", 2, 100) }];
    // 6 + 2 + 1, and the second k at 8.
    assert_eq!(bounds(&Set { interrupts: &interrupts, ..set(&jobs) }), [10]);
    let overheads = Overheads { kernel_interrupt_ns: 1, ..Overheads::NONE };
    assert_eq!(bounds(&Set { interrupts: &interrupts, overheads, ..set(&jobs) }), [12]);
    let overheads = Overheads { direct_interrupt_ns: 1, ..Overheads::NONE };
    assert_eq!(bounds(&Set { interrupts: &interrupts, overheads, ..set(&jobs) }), [11]);
}

#[test]
fn what_is_sent_comes_at_any_time_up_to_the_senders_deadline() {
    let jobs = [job("a", 1, 50, 6)];
    // Three letters of 1 for each job of the sender, whose period is 20.
    let sent = |jitter_ns| [InterruptLoad { is_sent: true, jitter_ns, ..interrupt("sender", 3, 20) }];
    let bound = |jitter_ns| bounds(&Set { interrupts: &sent(jitter_ns), ..set(&jobs) });
    assert_eq!(bound(0), [9]);
    // One job sends at its deadline, and the next at once: 6 + 3 + 3 within 20.
    assert_eq!([bound(11), bound(12), bound(20)], [[9], [12], [12]]);
    // A deadline beyond the period: 6 + 3 * 3 within 20.
    assert_eq!(bound(40), [15]);
}

#[test]
fn looks_at_a_round_robin_level_take_an_interrupt_and_a_switch_each() {
    let jobs = [job("a", 5, 100, 10), job("b", 5, 100, 10), job("c", 6, 100, 1)];
    let levels = [level(5, Policy::RoundRobin { slice_ns: 64 })];
    let overheads = Overheads { switch_ns: 1, ..Overheads::NONE };
    // a and b: 2 * (10 + 2), and looks at 8, 16, 24 and one at 0: 24 + 4 = 28, in which there are 4.
    assert_eq!(bounds(&Set { levels: &levels, overheads, ..set(&jobs) }), [28, 28, 31]);
}

#[test]
fn between_jobs_that_find_their_release_passed_less_urgent_ones_run() {
    let with_deadline = |deadline_ns| {
        const LOCKS: &[Hold<'static>] = &[ceiling("x", 1, 2)];
        [Job { deadline_ns, ..job("a", 1, 10, 3) }, job("b", 2, 100, 9), Job { locks: LOCKS, ..job("c", 3, 100, 2) }]
    };
    // 9 + 2 and two of a; once more 2 between the two, where the second may be late.
    assert_eq!(bounds(&set(&with_deadline(10))), [5, 17, 17]);
    assert_eq!(bounds(&set(&with_deadline(11))), [5, 19, 17]);
    // What is pended comes a little later, and until then less urgent tasks run.
    let overheads = Overheads { pend_ns: 1, ..Overheads::NONE };
    let jobs = with_deadline(11);
    assert_eq!(bounds(&Set { overheads, ..set(&jobs) }), [5, 20, 18]);
    // The same between its own: 15 and a lock of 6 do not fit into 20, and with each job the task is later by 1.
    let with_hold = |locks| {
        let late = Job { deadline_ns: 34, ..job("b", 2, 20, 15) };
        [job("a", 1, 80, 12), late, Job { locks, ..job("c", 3, 1_000, 6) }]
    };
    assert_eq!(verdict(&set(&with_hold(&[])), 1), Some(Verdict::Bounded { response_ns: 27 }));
    let jobs = with_hold(&[Hold { object: "x", ceiling: Some(1), hold_ns: 6 }]);
    assert_eq!(miss(&set(&jobs), 1).asked, Asked::Response { ns: 35, is_least: false, job: 3, window_ns: 75 });
}

#[test]
fn sporadic_tasks_count_like_periodic_ones() {
    let sporadic = Job { kind: Kind::Sporadic, ..job("a", 1, 10, 4) };
    assert_eq!(bounds(&set(&[sporadic, job("b", 2, 40, 7)])), [4, 15]);
}

fn of<'a>(jobs: &'a [Job<'a>], interrupts: &'a [InterruptLoad<'a>], index: usize) -> Verdict<'a> {
    verdict(&Set { interrupts, ..set(jobs) }, index).unwrap()
}

#[test]
fn what_is_unknown_is_named() {
    let known = job("a", 2, 10, 1);
    let unknown = Job { wcet_ns: None, ..job("b", 3, 10, 1) };
    assert_eq!(of(&[known, unknown], &[], 0), Verdict::Bounded { response_ns: 1 });
    assert_eq!(of(&[known, unknown], &[], 1), Verdict::Unproven(Reason::NoWcet("b")));
    assert_eq!(of(&[known, Job { priority: 2, ..unknown }], &[], 0), Verdict::Unproven(Reason::NoWcet("b")));
    let background = Job { kind: Kind::Background, ..job("b", 2, 10, 1) };
    assert_eq!(of(&[known, background], &[], 0), Verdict::Unproven(Reason::Background("b")));
    // Less urgent, but its releases are not.
    let slot = Job { period_ns: 0, ..job("b", 3, 10, 1) };
    assert_eq!(of(&[known, slot], &[], 0), Verdict::Unproven(Reason::NoPeriod("b")));
    let often = InterruptLoad { minimum_interarrival_ns: None, ..interrupt("i", 1, 1) };
    assert_eq!(of(&[known], &[often], 0), Verdict::Unproven(Reason::InterruptNoInterarrival("i")));
    assert_eq!(of(&[known], &[interrupt("i", 1, 0)], 0), Verdict::Unproven(Reason::InterruptNoInterarrival("i")));
    let long = InterruptLoad { wcet_ns: None, ..interrupt("i", 1, 1) };
    assert_eq!(of(&[known], &[long], 0), Verdict::Unproven(Reason::InterruptNoWcet("i")));
    let sent = InterruptLoad { is_sent: true, ..often };
    assert_eq!(of(&[known], &[sent], 0), Verdict::Unproven(Reason::Sender("i")));
    assert_eq!(verdict(&set(&[known]), 1), None);
}

#[test]
fn too_much_ends_at_once() {
    let jobs = [job("a", 1, 10, 6), job("b", 2, 10_000_000, 5_000_000)];
    assert_eq!(miss(&set(&jobs), 1).asked, Asked::Endless { permille: 1_100 });
    // What does not fit into 64 bits is refused, not wrapped.
    let jobs = [job("a", 1, u64::MAX, u64::MAX), job("b", 2, u64::MAX, u64::MAX)];
    assert!(matches!(miss(&set(&jobs), 1).asked, Asked::Endless { .. }));
    let jobs = [Job { jitter_ns: u64::MAX, ..job("a", 1, 10, 1) }, job("b", 2, 100, 1)];
    assert!(matches!(miss(&set(&jobs), 0).asked, Asked::Endless { .. }));
    assert!(matches!(miss(&set(&jobs), 1).asked, Asked::Endless { .. }));
    let overheads = Overheads { release_ns: u64::MAX, ..Overheads::NONE };
    assert!(matches!(miss(&Set { overheads, ..set(&[job("a", 1, 10, 1)]) }, 0).asked, Asked::Endless { .. }));
}

#[test]
fn a_core_that_is_nearly_full_settles_or_is_left_unproven() {
    // 1 part in 10^9 is left: the sums start where the share that others take puts them.
    let jobs = [job("a", 1, 10_000, 9_000), job("b", 2, 1_000_000_000, 99_999_999)];
    assert_eq!(bounds(&set(&jobs)), [9_000, 999_999_999]);
    // Full, with periods that have no small common multiple: a busy period of many jobs.
    let jobs = [job("a", 1, 1_000_003, 500_001), Job { deadline_ns: u64::MAX / 4, ..job("b", 2, 1_000_033, 500_016) }];
    assert_eq!(verdict(&set(&jobs), 1), Some(Verdict::Unproven(Reason::NotSettled { rounds: 2_000 })));
}

#[test]
fn jobs_beyond_the_first_count_where_jitter_lets_them_come_at_once() {
    // Jitter above the period: two jobs at the beginning.
    let burst = Job { jitter_ns: 12, deadline_ns: 40, ..job("a", 1, 10, 3) };
    // The second ends at 6 and was due at -2: 6 + 12 - 10; the first at 3, due at -12: 15.
    assert_eq!(bounds(&set(&[burst, job("b", 2, 100, 4)])), [15, 13]);
}
