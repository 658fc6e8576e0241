// SPDX-License-Identifier: MIT OR Apache-2.0
//! Single facts; `tests/execution_time_model.rs` has random scripts.

use std::string::ToString;
use std::vec::Vec;

use super::{ExecutionTime, JobTimes, Jobs, User, Window};
use crate::TaskId;
use crate::time::Instant;

fn task(rank: usize) -> TaskId {
    TaskId::new(rank).unwrap()
}

fn at(half_ticks: u64) -> Instant {
    Instant::from_half_ticks(half_ticks)
}

fn begun() -> ExecutionTime {
    let mut time = ExecutionTime::new();
    time.begin(task(0), at(1_000));
    time
}

#[test]
fn a_running_task_has_what_passed() {
    let time = begun();
    assert_eq!(time.executed(task(0), at(1_007)), 7);
    assert_eq!(time.executed(task(1), at(1_007)), 0);
    assert_eq!(time.interrupts(at(1_007)), 0);
}

#[test]
fn a_switch_charges_who_leaves() {
    let mut time = begun();
    time.switch(task(1), at(1_010));
    assert_eq!(time.executed(task(0), at(1_030)), 10);
    assert_eq!(time.executed(task(1), at(1_030)), 20);
}

#[test]
fn a_handler_is_not_the_interrupted_tasks() {
    let mut time = begun();
    time.begin_handler(at(1_010));
    assert_eq!((time.executed(task(0), at(1_015)), time.interrupts(at(1_015))), (10, 5));
    time.end_handler(at(1_020));
    assert_eq!((time.executed(task(0), at(1_023)), time.interrupts(at(1_023))), (13, 10));
}

#[test]
fn a_handler_can_let_another_task_run() {
    let mut time = begun();
    time.begin_handler(at(1_010));
    time.end_handlers(task(1), at(1_020));
    assert_eq!(time.executed(task(0), at(1_023)), 10);
    assert_eq!(time.executed(task(1), at(1_023)), 3);
    assert_eq!(time.interrupts(at(1_023)), 10);
}

#[test]
fn a_handler_within_another_counts_once() {
    let mut time = begun();
    time.begin_handler(at(1_010));
    time.begin_handler(at(1_012));
    assert_eq!(time.interrupts(at(1_013)), 3);
    time.end_handler(at(1_014));
    assert_eq!(time.executed(task(0), at(1_016)), 10);
    time.end_handlers(task(0), at(1_020));
    assert_eq!((time.executed(task(0), at(1_023)), time.interrupts(at(1_023))), (13, 10));
}

#[test]
fn the_counter_may_wrap() {
    let mut time = ExecutionTime::new();
    time.begin(task(0), at(u64::MAX - 3));
    time.switch(task(1), at(6));
    assert_eq!(time.executed(task(0), at(6)), 10);
}

#[test]
fn jobs_are_from_wait_to_wait() {
    let mut jobs = Jobs::NONE;
    assert_eq!((jobs.times(), jobs.times().mean_half_ticks(), jobs.done(3)), (JobTimes::NONE, None, None));
    // What came before the first wait is no job.
    jobs.wait(100);
    assert_eq!((jobs.times(), jobs.done(104)), (JobTimes::NONE, Some(4)));
    for executed in [110, 150, 171] {
        jobs.wait(executed);
    }
    let three = JobTimes { count: 3, sum_half_ticks: 71, min_half_ticks: 10, max_half_ticks: 40 };
    assert_eq!((jobs.times(), three.mean_half_ticks()), (three, Some(23)));
    jobs.forget();
    jobs.wait(1_000);
    assert_eq!(jobs.times(), three);
    jobs.wait(1_000);
    assert_eq!((jobs.times().count, jobs.times().min_half_ticks), (4, 0));
}

/// The shares that are not nothing, in words.
fn words(window: &Window) -> Vec<(User, std::string::String)> {
    window.shares().filter(|share| share.half_ticks != 0).map(|share| (share.user, share.to_string())).collect()
}

#[test]
fn a_window_begins_where_the_last_one_ended() {
    let mut window = Window::new();
    let (first, idle) = (User::Task(task(0)), User::Task(TaskId::IDLE));
    for (first_has, idle_has, interrupts_have) in [(100, 100, 0), (101, 1_098, 1)] {
        window.note(first, first_has);
        window.note(idle, idle_has);
        window.note(User::Interrupts, interrupts_have);
    }
    assert_eq!(window.length_half_ticks(), 1_000);
    let words = words(&window);
    assert_eq!(words.len(), 3);
    assert_eq!(words.first(), Some(&(first, "0.1%".to_string())));
    assert_eq!(words.get(1), Some(&(idle, "99.8%".to_string())));
    assert_eq!(words.get(2), Some(&(User::Interrupts, "0.1%".to_string())));
}

#[test]
fn thirds_are_the_whole_together() {
    let mut window = Window::new();
    for rank in 0..3 {
        window.note(User::Task(task(rank)), u64::MAX / 3);
    }
    let shares: Vec<u16> = window.shares().map(|share| share.per_mille).filter(|&share| share != 0).collect();
    assert_eq!(shares, [333, 333, 334]);
}

#[test]
fn an_empty_window_has_no_shares() {
    assert!(Window::new().shares().all(|share| share.per_mille == 0 && share.half_ticks == 0));
    assert_eq!(Window::new().shares().count(), 65);
}
