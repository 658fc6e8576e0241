// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sets from the literature. Where the answer is printed there it is that one; else it is worked out by hand from the set.

use super::super::{Asked, Job, Verdict, verdict};
use super::{bounds, job, miss, set};

/// Burns and Wellings, Real-Time Systems and Programming Languages, "process set A": its last task misses.
#[test]
fn burns_and_wellings_a() {
    let jobs = [job("c", 1, 30, 10), job("b", 2, 40, 10), job("a", 3, 50, 12)];
    let set = set(&jobs);
    assert_eq!(verdict(&set, 0), Some(Verdict::Bounded { response_ns: 10 }));
    assert_eq!(verdict(&set, 1), Some(Verdict::Bounded { response_ns: 20 }));
    // 12 of its own, two jobs of 10 from each of the others: 52 > 50.
    assert_eq!(miss(&set, 2).asked, Asked::Response { ns: 52, is_least: false, job: 1, window_ns: 52 });
}

/// The same, "process set B": utilisation 0.775, which passes the test of Liu and Layland.
#[test]
fn burns_and_wellings_b() {
    assert_eq!(bounds(&set(&[job("c", 1, 16, 4), job("b", 2, 40, 5), job("a", 3, 80, 32)])), [4, 9, 58]);
}

/// The same, "process set C": the core is full, and nobody misses.
#[test]
fn burns_and_wellings_c() {
    assert_eq!(bounds(&set(&[job("c", 1, 20, 5), job("b", 2, 40, 10), job("a", 3, 80, 40)])), [5, 15, 80]);
}

/// The same, "process set D", the worked example of response times.
#[test]
fn burns_and_wellings_d() {
    assert_eq!(bounds(&set(&[job("a", 1, 7, 3), job("b", 2, 12, 3), job("c", 3, 20, 5)])), [3, 6, 20]);
}

/// Lehoczky, Sha and Ding, 1989: utilisation 0.953, above the bound of Liu and Layland, and nobody misses.
#[test]
fn lehoczky_sha_and_ding() {
    assert_eq!(bounds(&set(&[job("1", 1, 100, 40), job("2", 2, 150, 40), job("3", 3, 350, 100)])), [40, 80, 300]);
}

/// Liu and Layland, 1973: with two tasks the bound is 0.83; this pair is at 1 and passes, being harmonic, and one a little
/// above the bound, which is not, misses.
#[test]
fn liu_and_layland() {
    assert_eq!(bounds(&set(&[job("1", 1, 4, 2), job("2", 2, 8, 4)])), [2, 8]);
    let jobs = [job("1", 1, 1_000, 415), job("2", 2, 1_414, 587)];
    assert_eq!(miss(&set(&jobs), 1).asked, Asked::Response { ns: 1_417, is_least: false, job: 1, window_ns: 1_417 });
}

/// Lehoczky, 1990: deadlines beyond the period. The jobs of the second task respond after 114, 102, 116, 104, 118, 106 and
/// 94: the fifth is the worst, and the first is not.
#[test]
fn lehoczky_with_arbitrary_deadlines() {
    let with_deadline = |deadline_ns| [job("1", 1, 70, 26), Job { deadline_ns, ..job("2", 2, 100, 62) }];
    assert_eq!(bounds(&set(&with_deadline(118))), [26, 118]);
    let jobs = with_deadline(117);
    assert_eq!(miss(&set(&jobs), 1).asked, Asked::Response { ns: 118, is_least: false, job: 5, window_ns: 518 });
    let jobs = with_deadline(115);
    assert_eq!(miss(&set(&jobs), 1).asked, Asked::Response { ns: 116, is_least: false, job: 3, window_ns: 316 });
}
