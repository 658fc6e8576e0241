// SPDX-License-Identifier: MIT OR Apache-2.0
//! Core 0 sends to core 1, which answers, as often as the boot line says (`sends=100`), and to core 2 as often as `involved=100`
//! says. Core 2 waits in its idle task. `host/tests/uninvolved.rs` counts the instructions of each core.
#![no_std]
#![no_main]

use takt::board;
use takt::kernel::boot_words::BootWords;
use takt::prelude::*;

takt::tasks! {
    asked: ASKED_FROM_AFAR.port(),
    answered: ANSWERED_FROM_AFAR.port(),
    messages: MESSAGES.port(),
    involved: INVOLVED_FROM_AFAR.port(),
    answerer: Task::background(answerer).core(1).priority(10),
    bystander: Task::background(bystander).core(2).priority(10),
    asker: Task::background(asker).core(0).priority(10),
}

static ASKED: Semaphore = Semaphore::new(0);
static ASKED_FROM_AFAR: Remote<Semaphore, 1> = Remote::to(&ASKED);
static ANSWERED: Event = Event::new();
static ANSWERED_FROM_AFAR: Remote<Event, 0> = Remote::to(&ANSWERED);
static MESSAGES: Lanes<[u64; 2], 8, 1> = Lanes::new();
static INVOLVED: Semaphore = Semaphore::new(0);
static INVOLVED_FROM_AFAR: Remote<Semaphore, 2> = Remote::to(&INVOLVED);

fn answerer() -> ! {
    loop {
        ASKED.take();
        let _ = MESSAGES.receive();
        ANSWERED_FROM_AFAR.set();
    }
}

fn bystander() -> ! {
    loop {
        INVOLVED.take();
    }
}

/// The number behind this word of the boot line; 0 without one.
fn word(name: &str) -> u32 {
    let mut words = BootWords::new(board::command_line()).filter(|word| word.key == name);
    words.find_map(|word| word.value?.parse().ok()).unwrap_or(0)
}

fn asker() -> ! {
    // The others have come to wait by then.
    takt::sleep_for(millis(1));
    for _ in 0..word("sends") {
        ASKED_FROM_AFAR.give();
        if MESSAGES.send([1, 2]).is_err() {
            takt::exit(1);
        }
        ANSWERED.wait();
    }
    for _ in 0..word("involved") {
        INVOLVED_FROM_AFAR.give();
        takt::sleep_for(micros(50));
    }
    takt::exit(0)
}
