// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shipped `kernel8.img`: measuring tasks and a console that runs the boot line's commands.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use takt::prelude::*;
use takt_measure::actors::actor;
use takt_measure::bench::{PIN_INTID, RHEALSTONE_MUTEX, SOFTWARE_INTID, pin_interrupt, software_interrupt};
use takt_measure::commands::console;
use takt_measure::helpers::{busy, yield_first, yield_second};
use takt_measure::load;
use takt_measure::slots::slot;

takt::tasks! {
    // `latency -p` gives the slots the priority of the run: 1 to 99.
    slot_0: Task::slot(slot::<0>).priority(20).stack_bytes(4_096),
    slot_1: Task::slot(slot::<1>).priority(20).stack_bytes(4_096),
    slot_2: Task::slot(slot::<2>).priority(20).stack_bytes(4_096),
    slot_3: Task::slot(slot::<3>).priority(20).stack_bytes(4_096),
    // Of `bench`: the interrupt that suites raise themselves, and that of the pins.
    software: Interrupt::kernel(SOFTWARE_INTID, software_interrupt),
    pins: Interrupt::kernel(PIN_INTID, pin_interrupt),
    // For the suites of `bench`, which give them their parts.
    actor_0: Task::slot(actor::<0>).priority(100).locks_inherit(RHEALSTONE_MUTEX, micros(100)).stack_bytes(4_096),
    actor_1: Task::slot(actor::<1>).priority(100).stack_bytes(4_096),
    actor_2: Task::slot(actor::<2>).priority(100).locks_inherit(RHEALSTONE_MUTEX, micros(100)).stack_bytes(4_096),
    actor_3: Task::slot(actor::<3>).priority(100).stack_bytes(4_096),
    actor_4: Task::slot(actor::<4>).priority(100).stack_bytes(4_096),
    actor_5: Task::slot(actor::<5>).priority(100).stack_bytes(4_096),
    // For `bench`; asleep otherwise.
    yield_first: Task::background(yield_first).priority(110).stack_bytes(4_096),
    yield_second: Task::background(yield_second).priority(110).stack_bytes(4_096),
    busy: Task::background(busy).priority(120).stack_bytes(4_096),
    console: Task::background(console).priority(250).stack_bytes(32_768),
    // For `load`; asleep otherwise.
    load_partner: Task::background(load::partner::<0>).priority(253).stack_bytes(4_096),
    load: Task::background(load::task).priority(254).stack_bytes(4_096),
}
