// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sets whose response times are known, one for each thing that is counted.

mod counted;
mod levels;
mod published;
mod sentences;

use std::vec::Vec;

use super::{Hold, InterruptLoad, Job, Kind, Level, Miss, Overheads, Set, Verdict, check, verdict};
use crate::table::Band;

/// A periodic task without locks or jitter, whose deadline is its period.
const fn job(name: &'static str, priority: u8, period_ns: u64, wcet_ns: u64) -> Job<'static> {
    Job {
        name,
        priority,
        period_ns,
        deadline_ns: period_ns,
        wcet_ns: Some(wcet_ns),
        jitter_ns: 0,
        kind: Kind::Periodic,
        locks: &[],
    }
}

const fn ceiling(object: &'static str, ceiling: u8, hold_ns: u64) -> Hold<'static> {
    Hold { object, ceiling: Some(ceiling), hold_ns }
}

const fn inherits(object: &'static str, hold_ns: u64) -> Hold<'static> {
    Hold { object, ceiling: None, hold_ns }
}

const fn interrupt(name: &'static str, wcet_ns: u64, minimum_interarrival_ns: u64) -> InterruptLoad<'static> {
    InterruptLoad {
        name,
        wcet_ns: Some(wcet_ns),
        minimum_interarrival_ns: Some(minimum_interarrival_ns),
        band: Band::Kernel,
        jitter_ns: 0,
        is_sent: false,
    }
}

/// A textbook's set: no interrupts, and a kernel that takes no time.
const fn set<'a>(jobs: &'a [Job<'a>]) -> Set<'a> {
    Set { jobs, interrupts: &[], levels: &[], overheads: Overheads::NONE }
}

/// The bound of each task.
fn bounds(set: &Set<'_>) -> Vec<u64> {
    let bound = |index| match verdict(set, index).unwrap() {
        Verdict::Bounded { response_ns } => response_ns,
        other => panic!("task {index} has no bound but is {other:?}"),
    };
    (0..set.jobs.len()).map(bound).collect()
}

/// The miss of the task `index`.
fn miss<'a>(set: &Set<'a>, index: usize) -> Miss<'a> {
    match verdict(set, index).unwrap() {
        Verdict::CanMiss(miss) => miss,
        other => panic!("task {index} does not miss but is {other:?}"),
    }
}

fn level(priority: u8, policy: super::Policy) -> Level {
    Level { priority, policy }
}

fn sentence(set: &Set<'_>) -> std::string::String {
    check(set).unwrap_err().as_str().into()
}
