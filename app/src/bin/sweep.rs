// SPDX-License-Identifier: MIT OR Apache-2.0
//! The measuring image for `sweep`, `make run IMAGE=takt-sweep EXECUTION_TIME=1`: a level of each policy and a task for timers beside
//! the shipped image's tasks. Levels that run in turn need the accounting of execution times, which lengthens the paths; so its figures
//! are to be held against each other.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use takt::prelude::*;
use takt_measure::commands::console_with_sweep;
use takt_measure::helpers::{busy, yield_first, yield_second};
use takt_measure::load;
use takt_measure::slots::slot;
use takt_measure::sweep::{DEADLINES, TURNS};

takt::tasks! {
    deadlines: Level::earliest_deadline_first(DEADLINES),
    turns: Level::round_robin(TURNS, millis(100)),
    // `sweep` and `latency -p` give the slots the priority of the run.
    slot_0: Task::slot(slot::<0>).priority(20).stack_bytes(4_096),
    slot_1: Task::slot(slot::<1>).priority(DEADLINES).stack_bytes(4_096),
    slot_2: Task::slot(slot::<2>).priority(TURNS).stack_bytes(4_096),
    // What timers call; `sweep` gives it the priority of the run.
    timers: Task::background(takt::timer::task).priority(15).stack_bytes(4_096),
    // For `bench`; asleep otherwise.
    yield_first: Task::background(yield_first).priority(110).stack_bytes(4_096),
    yield_second: Task::background(yield_second).priority(110).stack_bytes(4_096),
    busy: Task::background(busy).priority(120).stack_bytes(4_096),
    console: Task::background(console_with_sweep).priority(250).stack_bytes(32_768),
    // For `load`; asleep otherwise.
    load_partner: Task::background(load::partner::<0>).priority(253).stack_bytes(4_096),
    load: Task::background(load::task).priority(254).stack_bytes(4_096),
}
