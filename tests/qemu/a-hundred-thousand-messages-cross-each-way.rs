//! A hundred thousand messages from every core to every other: each arrives once, whole, and behind the one that its sender sent
//! before. The lanes are full again and again.
// run: --cores 4
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use takt::prelude::*;
use takt::rpi4::{cores, interrupts};
use takt_tests::{Report, report};

takt::tasks! {
    to_0: TO_0.port(),
    to_1: TO_1.port(),
    to_2: TO_2.port(),
    to_3: TO_3.port(),
    done: DONE_FROM_AFAR.port(),
    receiver_0: Task::background(|| receive(|| TO_0.receive())).core(0).priority(10),
    receiver_1: Task::background(|| receive(|| TO_1.receive())).core(1).priority(10),
    receiver_2: Task::background(|| receive(|| TO_2.receive())).core(2).priority(10),
    receiver_3: Task::background(|| receive(|| TO_3.receive())).core(3).priority(10),
    sender_0: Task::background(send).core(0).priority(100),
    sender_1: Task::background(send).core(1).priority(100),
    sender_2: Task::background(send).core(2).priority(100),
    sender_3: Task::background(send).core(3).priority(100),
    reporter: Task::background(reporter).core(0).priority(50),
}

/// From which core, the how many-th, and both again, inverted.
type Message = [u32; 4];

const EACH: u32 = 100_000;
const CORES: usize = 4;

static TO_0: Lanes<Message, 32, 0> = Lanes::new();
static TO_1: Lanes<Message, 32, 1> = Lanes::new();
static TO_2: Lanes<Message, 32, 2> = Lanes::new();
static TO_3: Lanes<Message, 32, 3> = Lanes::new();

static DONE: Semaphore = Semaphore::new(0);
static DONE_FROM_AFAR: Remote<Semaphore, 0> = Remote::to(&DONE);

/// By receiver and sender.
static RECEIVED: [[AtomicU32; CORES]; CORES] = [const { [const { AtomicU32::new(0) }; CORES] }; CORES];
static SUMS: [[AtomicU64; CORES]; CORES] = [const { [const { AtomicU64::new(0) }; CORES] }; CORES];
static WRONG: AtomicU32 = AtomicU32::new(0);
static FULL: AtomicU32 = AtomicU32::new(0);

/// Tries until there is a place, and lets the other cores run meanwhile.
fn send_to(core: usize, message: Message) {
    loop {
        let sent = match core {
            0 => TO_0.send(message),
            1 => TO_1.send(message),
            2 => TO_2.send(message),
            _ => TO_3.send(message),
        };
        if sent.is_ok() {
            return;
        }
        FULL.fetch_add(1, Ordering::Relaxed);
        interrupts::yield_hint();
    }
}

fn send() -> ! {
    let here = cores::this_core();
    let from = here as u32;
    for number in 0..EACH {
        for core in (0..CORES).filter(|&core| core != here) {
            send_to(core, [from, number, !from, !number]);
        }
    }
    takt_tests::rest()
}

fn receive(next: impl Fn() -> Message) -> ! {
    let here = cores::this_core();
    for _ in 0..EACH * 3 {
        let [from, number, from_again, number_again] = next();
        let sender = from as usize % CORES;
        let before = RECEIVED[here][sender].fetch_add(1, Ordering::Relaxed);
        if from != !from_again || number != !number_again || number != before {
            WRONG.fetch_add(1, Ordering::Relaxed);
        }
        SUMS[here][sender].fetch_add(u64::from(number), Ordering::Relaxed);
    }
    DONE_FROM_AFAR.give();
    takt_tests::rest()
}

fn reporter() -> ! {
    for _ in 0..CORES {
        DONE.take();
    }
    let mut report = Report::new();
    let all_numbers = u64::from(EACH) * u64::from(EACH - 1) / 2;
    for here in 0..CORES {
        for sender in (0..CORES).filter(|&core| core != here) {
            let is_so = RECEIVED[here][sender].load(Ordering::Relaxed) == EACH
                && SUMS[here][sender].load(Ordering::Relaxed) == all_numbers;
            report.is(format_args!("{EACH} came from core {sender} to core {here}, each once"), is_so);
        }
    }
    report.is("each whole and in order", WRONG.load(Ordering::Relaxed) == 0);
    // Those of the lanes to core 0 can be asked for here.
    let dropped: u64 = TO_0.counts().dropped.iter().sum();
    report.is("lanes were full, and told so", FULL.load(Ordering::Relaxed) > 1_000 && dropped > 100);
    report!(report, "{} messages", 12 * EACH);
    report.end()
}
