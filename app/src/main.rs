// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shipped `kernel8.img`: measuring tasks and a console that runs the boot line's commands.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use takt::Task;
use takt_measure::commands::console;
use takt_measure::helpers::{busy, yield_first, yield_second};
use takt_measure::slots::slot;

takt::tasks! {
    // `latency -p` gives the slots the priority of the run: 1 to 99.
    slot_0: Task::slot(slot::<0>).priority(20).stack_bytes(4_096),
    slot_1: Task::slot(slot::<1>).priority(20).stack_bytes(4_096),
    slot_2: Task::slot(slot::<2>).priority(20).stack_bytes(4_096),
    slot_3: Task::slot(slot::<3>).priority(20).stack_bytes(4_096),
    // For `bench`; asleep otherwise.
    yield_first: Task::background(yield_first).priority(110).stack_bytes(4_096),
    yield_second: Task::background(yield_second).priority(110).stack_bytes(4_096),
    busy: Task::background(busy).priority(120).stack_bytes(4_096),
    console: Task::background(console).priority(250).stack_bytes(32_768),
}
