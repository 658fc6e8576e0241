// SPDX-License-Identifier: MIT OR Apache-2.0
//! The measuring image for all four cores, `make run IMAGE=takt-four-cores`: a measuring slot on each, for `latency -S`, and the
//! pairs of tasks by which `wake` measures how one core wakes a task of another. The console and the helpers are on core 0.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use takt::prelude::*;
use takt_measure::actors::actor;
use takt_measure::bench::{PIN_INTID, RHEALSTONE_MUTEX, SOFTWARE_INTID, pin_interrupt, software_interrupt};
use takt_measure::commands::console_of_all_cores;
use takt_measure::helpers::{busy, yield_first, yield_second};
use takt_measure::load;
use takt_measure::load::other_cores::{LOAD_1, LOAD_2, LOAD_3, load_1, load_2, load_3};
use takt_measure::slots::other_cores::{FROM_SLOTS, START_1, START_2, START_3, slot_1, slot_2, slot_3};
use takt_measure::slots::slot;
use takt_measure::wake::{FROM_WOKEN, SEND_0, SEND_1, SEND_2, SEND_3, WAKE_0, WAKE_1, WAKE_2, WAKE_3, sender, woken};

takt::tasks! {
    // How core 0 starts the slots of the others, and how they tell it.
    start_1: START_1.port(),
    start_2: START_2.port(),
    start_3: START_3.port(),
    from_slots: FROM_SLOTS.port(),
    // For `load`: how core 0 wakes the load tasks of the others.
    wake_load_1: LOAD_1.port(),
    wake_load_2: LOAD_2.port(),
    wake_load_3: LOAD_3.port(),
    // For `wake`: the orders to send, what is sent, and what the woken tell core 0.
    send_0: SEND_0.port(),
    send_1: SEND_1.port(),
    send_2: SEND_2.port(),
    send_3: SEND_3.port(),
    wake_0: WAKE_0.port(),
    wake_1: WAKE_1.port(),
    wake_2: WAKE_2.port(),
    wake_3: WAKE_3.port(),
    from_woken: FROM_WOKEN.port(),
    // `latency -p` gives the slots the priority of the run: 1 to 99.
    slot_0: Task::slot(slot::<0>).core(0).priority(20).stack_bytes(4_096),
    slot_1: Task::slot(slot_1).core(1).priority(20).stack_bytes(4_096),
    slot_2: Task::slot(slot_2).core(2).priority(20).stack_bytes(4_096),
    slot_3: Task::slot(slot_3).core(3).priority(20).stack_bytes(4_096),
    // For `wake`; asleep otherwise. Who is woken is more urgent than who sends.
    woken_0: Task::background(woken::<0>).core(0).priority(100).stack_bytes(4_096),
    woken_1: Task::background(woken::<1>).core(1).priority(100).stack_bytes(4_096),
    woken_2: Task::background(woken::<2>).core(2).priority(100).stack_bytes(4_096),
    woken_3: Task::background(woken::<3>).core(3).priority(100).stack_bytes(4_096),
    sender_0: Task::background(sender::<0>).core(0).priority(105).stack_bytes(4_096),
    sender_1: Task::background(sender::<1>).core(1).priority(105).stack_bytes(4_096),
    sender_2: Task::background(sender::<2>).core(2).priority(105).stack_bytes(4_096),
    sender_3: Task::background(sender::<3>).core(3).priority(105).stack_bytes(4_096),
    // Of `bench`: the interrupt that suites raise themselves, and that of the pins.
    software: Interrupt::kernel(SOFTWARE_INTID, software_interrupt),
    pins: Interrupt::kernel(PIN_INTID, pin_interrupt),
    // For the suites of `bench`, which give them their parts.
    actor_0: Task::slot(actor::<0>).core(0).priority(100).locks_inherit(RHEALSTONE_MUTEX, micros(100)).stack_bytes(4_096),
    actor_1: Task::slot(actor::<1>).core(0).priority(100).stack_bytes(4_096),
    actor_2: Task::slot(actor::<2>).core(0).priority(100).locks_inherit(RHEALSTONE_MUTEX, micros(100)).stack_bytes(4_096),
    actor_3: Task::slot(actor::<3>).core(0).priority(100).stack_bytes(4_096),
    actor_4: Task::slot(actor::<4>).core(0).priority(100).stack_bytes(4_096),
    actor_5: Task::slot(actor::<5>).core(0).priority(100).stack_bytes(4_096),
    // For `bench`; asleep otherwise.
    yield_first: Task::background(yield_first).core(0).priority(110).stack_bytes(4_096),
    yield_second: Task::background(yield_second).core(0).priority(110).stack_bytes(4_096),
    busy: Task::background(busy).core(0).priority(120).stack_bytes(4_096),
    console: Task::background(console_of_all_cores).core(0).priority(250).stack_bytes(32_768),
    // For `load`; asleep otherwise.
    load_partner_0: Task::background(load::partner::<0>).core(0).priority(253).stack_bytes(4_096),
    load_partner_1: Task::background(load::partner::<1>).core(1).priority(253).stack_bytes(4_096),
    load_partner_2: Task::background(load::partner::<2>).core(2).priority(253).stack_bytes(4_096),
    load_partner_3: Task::background(load::partner::<3>).core(3).priority(253).stack_bytes(4_096),
    load_0: Task::background(load::task).core(0).priority(254).stack_bytes(4_096),
    load_1: Task::background(load_1).core(1).priority(254).stack_bytes(4_096),
    load_2: Task::background(load_2).core(2).priority(254).stack_bytes(4_096),
    load_3: Task::background(load_3).core(3).priority(254).stack_bytes(4_096),
}
