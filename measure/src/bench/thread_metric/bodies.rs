// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the threads do.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use heapless::Vec;
use takt::handover::Handover;
use takt::rpi4::interrupts;
use takt::{Event, MessageQueue, Semaphore, Slot, clock, yield_turn};

use crate::actors::{Part, is_to_end};
use crate::bench::software::{self, Answer};

/// How many threads a test has at the most.
pub(super) const THREADS: usize = 5;

/// What each thread counted. Who counts is alone in doing so.
static COUNTS: [AtomicU64; THREADS] = [const { AtomicU64::new(0) }; THREADS];
/// The next actor of the cooperative test takes the next number.
static NEXT: AtomicU32 = AtomicU32::new(0);
/// What the threads of the chain wait for.
static RESUMED: [Event; THREADS] = [const { Event::new() }; THREADS];

static QUEUE: MessageQueue<[u32; 4], 10> = MessageQueue::new();
static SEMAPHORE: Semaphore = Semaphore::with_most(1, 1);

/// How many words the basic test works on.
const WORDS: usize = 1_024;
static ARRAY: Handover<[u32; WORDS]> = Handover::new([0; WORDS]);

/// How many blocks the pool has.
const BLOCKS: usize = 8;
static MEMORY: [Handover<[u8; 128]>; BLOCKS] = [const { Handover::new([0; 128]) }; BLOCKS];
/// The numbers of the free blocks.
static POOL: Handover<Vec<u8, BLOCKS>> = Handover::new(Vec::new());

/// The chain of the preemptive test: the last is the least urgent.
pub(super) const CHAIN: [Part; THREADS] = [
    Part { priority: 110, body: chained::<0> },
    Part { priority: 112, body: chained::<1> },
    Part { priority: 114, body: chained::<2> },
    Part { priority: 116, body: chained::<3> },
    Part { priority: 118, body: chain_begins },
];

pub(super) fn counts() -> [u64; THREADS] {
    COUNTS.each_ref().map(|count| count.load(Ordering::Relaxed))
}

/// Everything counts from 0, nothing is set or given, and the pool is full.
pub(super) fn clear() {
    software::prepare(Answer::Stamp);
    COUNTS.iter().for_each(|count| count.store(0, Ordering::Relaxed));
    NEXT.store(0, Ordering::Relaxed);
    // What let the threads of the test before go may be there still.
    for event in RESUMED.iter().chain([&software::SET]) {
        let _ = event.wait_until(clock::now());
    }
    while software::GIVEN.try_take() {}
    if let Some(mut pool) = POOL.take() {
        pool.clear();
        pool.extend((0..8_u8).take(BLOCKS));
    }
}

pub(super) fn answer_by_giving() {
    clear();
    software::prepare(Answer::Give);
}

pub(super) fn answer_by_setting() {
    clear();
    software::prepare(Answer::Set);
}

/// Lets all threads that wait look whether the run has ended.
pub(super) fn let_all_go() {
    RESUMED.iter().for_each(Event::set);
    software::SET.set();
    let _ = software::GIVEN.give();
}

#[inline(always)]
fn count(thread: usize) {
    if let Some(count) = COUNTS.get(thread) {
        count.store(count.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }
}

/// One pass over an array is one count.
#[inline]
pub(super) fn basic(_: &mut Slot) {
    let Some(mut array) = ARRAY.take() else { return };
    let mut passes: u32 = 0;
    while !is_to_end() {
        for word in array.iter_mut() {
            *word ^= word.wrapping_add(passes);
        }
        passes = passes.wrapping_add(1);
        count(0);
        interrupts::yield_hint();
    }
}

/// Each of five equal threads counts and lets the next one run.
#[inline]
pub(super) fn cooperative(_: &mut Slot) {
    let thread = usize::try_from(NEXT.fetch_add(1, Ordering::Relaxed)).unwrap_or(THREADS);
    while !is_to_end() {
        yield_turn();
        count(thread);
    }
}

/// The least urgent of the chain resumes the next one, which preempts it.
#[inline]
pub(super) fn chain_begins(_: &mut Slot) {
    while !is_to_end() {
        RESUMED[3].set();
        count(4);
    }
}

/// Is resumed by a less urgent thread, and resumes a more urgent one.
#[inline]
fn chained<const THREAD: usize>(_: &mut Slot) {
    let Some(resumed) = RESUMED.get(THREAD) else { return };
    let next = THREAD.checked_sub(1).and_then(|next| RESUMED.get(next));
    loop {
        resumed.wait();
        if is_to_end() {
            return;
        }
        if let Some(next) = next {
            next.set();
        }
        count(THREAD);
    }
}

/// Raises an interrupt whose handler gives a semaphore, and takes that.
#[inline]
pub(super) fn interrupt(_: &mut Slot) {
    while !is_to_end() {
        software::raise();
        software::GIVEN.take();
        count(0);
    }
}

/// Raises an interrupt whose handler resumes a more urgent thread.
#[inline]
pub(super) fn interrupt_preempted(_: &mut Slot) {
    while !is_to_end() {
        software::raise();
        count(1);
    }
}

/// Is resumed by the handler.
#[inline]
pub(super) fn resumed_by_handler(_: &mut Slot) {
    loop {
        software::SET.wait();
        if is_to_end() {
            return;
        }
        count(0);
    }
}

/// Sends 16 bytes and receives them.
#[inline]
pub(super) fn message(_: &mut Slot) {
    let mut sent: [u32; 4] = [0x1111_1111, 0x2222_2222, 0x3333_3333, 0x4444_4444];
    while !is_to_end() {
        sent[3] = sent[3].wrapping_add(1);
        QUEUE.send(sent);
        if QUEUE.receive() != sent {
            // Nothing is counted from here on, which the report shows.
            return;
        }
        count(0);
    }
}

/// Takes a semaphore and gives it.
#[inline]
pub(super) fn synchronization(_: &mut Slot) {
    while !is_to_end() {
        SEMAPHORE.take();
        SEMAPHORE.give();
        count(0);
    }
}

/// Takes a block out of the pool, writes to it and puts it back.
#[inline]
pub(super) fn memory(_: &mut Slot) {
    while !is_to_end() {
        let Some(number) = POOL.take().and_then(|mut pool| pool.pop()) else { return };
        let Some(mut block) = MEMORY.get(usize::from(number)).and_then(Handover::take) else { return };
        block.fill(number);
        drop(block);
        let is_back = POOL.take().is_some_and(|mut pool| pool.push(number).is_ok());
        if !is_back {
            return;
        }
        count(0);
    }
}
