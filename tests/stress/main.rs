// SPDX-License-Identifier: MIT OR Apache-2.0
//! Four cores that send one another everything that crosses, for as long as the boot line says (`seconds=120`), each as fast as it
//! can, in QEMU with a thread for each core: nothing is lost, doubled or out of order. Two kinds of sender share a core's lanes,
//! and periodic tasks preempt both.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use takt::kernel::boot_words::BootWords;
use takt::prelude::*;
use takt::rpi4::{cores, interrupts};
use takt::{board, clock};
use takt_tests::{Report, report};

takt::tasks! {
    to_0: TO_0.port(),
    to_1: TO_1.port(),
    to_2: TO_2.port(),
    to_3: TO_3.port(),
    gives_0: GIVES_TO_0.port(),
    gives_1: GIVES_TO_1.port(),
    gives_2: GIVES_TO_2.port(),
    gives_3: GIVES_TO_3.port(),
    latest_0: LATEST_TO_0.port(),
    ended: ENDED_FROM_AFAR.port(),
    control_0: Task::periodic(control).core(0).priority(5).period(millis(1)),
    control_1: Task::periodic(control).core(1).priority(5).period(millis(1)),
    control_2: Task::periodic(control).core(2).priority(5).period(millis(1)),
    control_3: Task::periodic(control).core(3).priority(5).period(millis(1)),
    receiver_0: Task::background(|| receive(|| TO_0.receive())).core(0).priority(10),
    receiver_1: Task::background(|| receive(|| TO_1.receive())).core(1).priority(10),
    receiver_2: Task::background(|| receive(|| TO_2.receive())).core(2).priority(10),
    receiver_3: Task::background(|| receive(|| TO_3.receive())).core(3).priority(10),
    taker_0: Task::background(|| take(&GIVES_0)).core(0).priority(11),
    taker_1: Task::background(|| take(&GIVES_1)).core(1).priority(11),
    taker_2: Task::background(|| take(&GIVES_2)).core(2).priority(11),
    taker_3: Task::background(|| take(&GIVES_3)).core(3).priority(11),
    listener: Task::background(listen).core(0).priority(12),
    sender_0: Task::background(send).core(0).priority(100),
    sender_1: Task::background(send).core(1).priority(100),
    sender_2: Task::background(send).core(2).priority(100),
    sender_3: Task::background(send).core(3).priority(100),
    reporter: Task::background(reporter).core(0).priority(90),
}

/// From which core, the how many-th, and both again, inverted.
type Message = [u32; 4];

const CORES: usize = 4;
/// How long where the boot line does not say.
const USUAL_SECONDS: u64 = 5;

static TO_0: Lanes<Message, 32, 0> = Lanes::new();
static TO_1: Lanes<Message, 32, 1> = Lanes::new();
static TO_2: Lanes<Message, 32, 2> = Lanes::new();
static TO_3: Lanes<Message, 32, 3> = Lanes::new();
static GIVES_0: Semaphore = Semaphore::new(0);
static GIVES_1: Semaphore = Semaphore::new(0);
static GIVES_2: Semaphore = Semaphore::new(0);
static GIVES_3: Semaphore = Semaphore::new(0);
static GIVES_TO_0: Remote<Semaphore, 0> = Remote::to(&GIVES_0);
static GIVES_TO_1: Remote<Semaphore, 1> = Remote::to(&GIVES_1);
static GIVES_TO_2: Remote<Semaphore, 2> = Remote::to(&GIVES_2);
static GIVES_TO_3: Remote<Semaphore, 3> = Remote::to(&GIVES_3);
static LATEST: Signal<[u64; 4]> = Signal::new();
static LATEST_TO_0: Remote<Signal<[u64; 4]>, 0> = Remote::to(&LATEST);
static ENDED: Semaphore = Semaphore::new(0);
static ENDED_FROM_AFAR: Remote<Semaphore, 0> = Remote::to(&ENDED);

type Counts = [[AtomicU32; CORES]; CORES];

const fn no_counts() -> Counts {
    [const { [const { AtomicU32::new(0) }; CORES] }; CORES]
}

/// By sender and receiver.
static SENT: Counts = no_counts();
static RECEIVED: Counts = no_counts();
static GIVEN: Counts = no_counts();
static TAKEN: [AtomicU32; CORES] = [const { AtomicU32::new(0) }; CORES];
static WRONG: AtomicU32 = AtomicU32::new(0);
static SIGNALS: AtomicU64 = AtomicU64::new(0);
static RELEASES: [AtomicU32; CORES] = [const { AtomicU32::new(0) }; CORES];
static IS_OVER: AtomicBool = AtomicBool::new(false);

fn count(counter: &AtomicU32) -> u32 {
    counter.load(Ordering::Relaxed)
}

fn try_send(core: usize, message: Message) -> bool {
    match core {
        0 => TO_0.send(message).is_ok(),
        1 => TO_1.send(message).is_ok(),
        2 => TO_2.send(message).is_ok(),
        _ => TO_3.send(message).is_ok(),
    }
}

fn give(core: usize) {
    match core {
        0 => GIVES_TO_0.give(),
        1 => GIVES_TO_1.give(),
        2 => GIVES_TO_2.give(),
        _ => GIVES_TO_3.give(),
    }
    GIVEN[cores::this_core()][core].fetch_add(1, Ordering::Relaxed);
}

/// Preempts the sender of its core anywhere, and gives as it does.
fn control(mut period: Periodic) -> ! {
    let here = cores::this_core();
    loop {
        period.wait();
        RELEASES[here].fetch_add(1, Ordering::Relaxed);
        if !IS_OVER.load(Ordering::Relaxed) {
            (0..CORES).for_each(give);
        }
    }
}

fn send() -> ! {
    let here = cores::this_core();
    let from = here as u32;
    let mut value = 0;
    while !IS_OVER.load(Ordering::Relaxed) {
        for (core, sent) in SENT[here].iter().enumerate() {
            let number = count(sent);
            if try_send(core, [from, number, !from, !number]) {
                sent.fetch_add(1, Ordering::Relaxed);
            } else {
                interrupts::yield_hint();
            }
            give(core);
        }
        value += 1;
        LATEST_TO_0.signal([value; 4]);
    }
    ENDED_FROM_AFAR.give();
    takt_tests::rest()
}

fn receive(next: impl Fn() -> Message) -> ! {
    let here = cores::this_core();
    loop {
        let [from, number, from_again, number_again] = next();
        let before = RECEIVED[from as usize % CORES][here].fetch_add(1, Ordering::Relaxed);
        if from != !from_again || number != !number_again || number != before {
            WRONG.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn take(gives: &'static Semaphore) -> ! {
    loop {
        gives.take();
        TAKEN[cores::this_core()].fetch_add(1, Ordering::Relaxed);
    }
}

fn listen() -> ! {
    loop {
        let [value, others @ ..] = LATEST.wait();
        if others != [value; 3] {
            WRONG.fetch_add(1, Ordering::Relaxed);
        }
        SIGNALS.fetch_add(1, Ordering::Relaxed);
    }
}

fn sum(of: impl IntoIterator<Item = u32>) -> u64 {
    of.into_iter().map(u64::from).sum()
}

fn reporter() -> ! {
    let mut words = BootWords::new(board::command_line()).filter(|word| word.key == "seconds");
    let seconds: u64 = words.find_map(|word| word.value?.parse().ok()).unwrap_or(USUAL_SECONDS);
    let mut report = Report::new();
    report!(report, "four cores, for {seconds} s");
    report.flush();
    takt::sleep_for(millis(seconds * 1_000));
    IS_OVER.store(true, Ordering::Relaxed);
    for _ in 0..CORES {
        ENDED.take();
    }
    // What is under way arrives.
    let end = clock::from_now(millis(20_000));
    let given = |core: usize| sum(GIVEN.iter().map(|to| count(&to[core])));
    let is_there = || {
        let all = |counts: &Counts| sum(counts.iter().flatten().map(count));
        all(&SENT) == all(&RECEIVED) && (0..CORES).all(|core| given(core) == u64::from(count(&TAKEN[core])))
    };
    while !is_there() && clock::now().is_before(end) {
        takt::sleep_for(millis(10));
    }
    for core in 0..CORES {
        let is_so = (0..CORES)
            .all(|from| count(&SENT[from][core]) == count(&RECEIVED[from][core]) && count(&SENT[from][core]) > 0);
        report.is(format_args!("every message to core {core} came once"), is_so);
        report.is("  and every give", given(core) == u64::from(count(&TAKEN[core])));
        report.is("  its periodic task ran", count(&RELEASES[core]) > 0);
    }
    report.is("each message and each signal is whole, and messages are in order", count(&WRONG) == 0);
    report.is("signals came", SIGNALS.load(Ordering::Relaxed) > 0);
    let messages = sum(RECEIVED.iter().flatten().map(count));
    let gives = sum(TAKEN.iter().map(count));
    let signals = SIGNALS.load(Ordering::Relaxed);
    report!(report, "# {messages} messages, {gives} gives, {signals} signals");
    report.end()
}
