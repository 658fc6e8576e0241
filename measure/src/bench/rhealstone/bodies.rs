// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the tasks do. The less urgent of a pair leads: it begins each operation, and lets the others go when all were done.

use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use takt::kernel::time::Instant;
use takt::rpi4::interrupts;
use takt::{Event, InheritMutex, MessageQueue, Semaphore, Slot, clock, yield_turn};

use crate::actors::is_to_end;
use crate::bench::software::{self, Answer};
use crate::slots;

/// The mutex of the deadlock break: the table's lines of actors 0 and 2 have `.locks_inherit(MUTEX, ...)`.
pub const MUTEX: &str = "rhealstone";

/// How often an operation is still to be done.
static LEFT: AtomicU32 = AtomicU32::new(0);
/// Whether all were done: who is let go then leaves.
static IS_OVER: AtomicBool = AtomicBool::new(false);
/// When an operation, or its second part, began, in half ticks; and how long its first part took.
static BEGAN: AtomicU64 = AtomicU64::new(0);
static FIRST_PART: AtomicU64 = AtomicU64::new(0);

static GO: Event = Event::new();
static BETWEEN: Event = Event::new();
static SEMAPHORE: Semaphore = Semaphore::with_most(1, 1);
static SHARED: InheritMutex<()> = InheritMutex::new(MUTEX, ());
static QUEUE: MessageQueue<[u32; 4], 1> = MessageQueue::new();

/// The next tasks do their operation so often.
pub(super) fn prepare(times: u32) {
    LEFT.store(times, Ordering::Relaxed);
    software::prepare(Answer::Stamp);
    for event in [&GO, &BETWEEN] {
        let _ = event.wait_until(clock::now());
    }
    IS_OVER.store(false, Ordering::Relaxed);
}

#[inline(always)]
fn begin() {
    BEGAN.store(clock::now().half_ticks(), Ordering::Relaxed);
}

#[inline(always)]
fn since_begin(now: Instant) -> u64 {
    now.half_ticks().wrapping_sub(BEGAN.load(Ordering::Relaxed))
}

/// Records that an operation took so long.
fn record(half_ticks: u64) {
    if let Some(mut record) = slots::record(0) {
        let cycle = record.cycles;
        record.task.record(half_ticks.cast_signed(), cycle);
        record.cycles = cycle.wrapping_add(1);
    }
}

/// Whether the leading task is to do the operation once more.
fn once_more() -> bool {
    let left = LEFT.load(Ordering::Relaxed);
    if left == 0 || is_to_end() {
        IS_OVER.store(true, Ordering::Relaxed);
        return false;
    }
    LEFT.store(left.wrapping_sub(1), Ordering::Relaxed);
    true
}

fn is_over() -> bool {
    IS_OVER.load(Ordering::Relaxed)
}

/// Both of two equal tasks.
#[inline]
pub(super) fn switch(_: &mut Slot) {
    loop {
        begin();
        yield_turn();
        let took = since_begin(clock::now());
        if is_over() || !once_more() {
            return;
        }
        record(took);
    }
}

#[inline]
pub(super) fn preempting(_: &mut Slot) {
    loop {
        GO.wait();
        let now = clock::now();
        if is_over() {
            return;
        }
        record(since_begin(now));
    }
}

#[inline]
pub(super) fn preempted(_: &mut Slot) {
    while once_more() {
        begin();
        GO.set();
    }
    GO.set();
}

#[inline]
pub(super) fn interrupted(_: &mut Slot) {
    let mut handled = software::count();
    while once_more() {
        begin();
        software::raise();
        while software::count() == handled {
            interrupts::yield_hint();
        }
        handled = software::count();
        record(since_begin(Instant::from_half_ticks(software::stamp())));
    }
}

#[inline]
pub(super) fn shuffle_asks(_: &mut Slot) {
    loop {
        GO.wait();
        if is_over() {
            return;
        }
        begin();
        SEMAPHORE.take();
        let now = clock::now();
        record(since_begin(now).wrapping_add(FIRST_PART.load(Ordering::Relaxed)));
        SEMAPHORE.give();
    }
}

#[inline]
pub(super) fn shuffle_gives(_: &mut Slot) {
    while once_more() {
        SEMAPHORE.take();
        // The other one asks, and waits.
        GO.set();
        FIRST_PART.store(since_begin(clock::now()), Ordering::Relaxed);
        begin();
        SEMAPHORE.give();
    }
    GO.set();
}

#[inline]
pub(super) fn break_asks(_: &mut Slot) {
    loop {
        GO.wait();
        if is_over() {
            BETWEEN.set();
            return;
        }
        // Ready, and more urgent than who has the mutex.
        BETWEEN.set();
        begin();
        SHARED.lock(|()| {
            let now = clock::now();
            record(since_begin(now).wrapping_add(FIRST_PART.load(Ordering::Relaxed)));
        });
    }
}

#[inline]
pub(super) fn break_between(_: &mut Slot) {
    while !is_over() {
        BETWEEN.wait();
    }
}

#[inline]
pub(super) fn break_holds(_: &mut Slot) {
    while once_more() {
        SHARED.lock(|()| {
            // The most urgent one asks, and waits; this one inherits its urgency.
            GO.set();
            FIRST_PART.store(since_begin(clock::now()), Ordering::Relaxed);
            begin();
        });
    }
    GO.set();
}

#[inline]
pub(super) fn receives(_: &mut Slot) {
    loop {
        let _ = QUEUE.receive();
        let now = clock::now();
        if is_over() {
            return;
        }
        record(since_begin(now));
    }
}

#[inline]
pub(super) fn sends(_: &mut Slot) {
    while once_more() {
        begin();
        QUEUE.send([1, 2, 3, 4]);
    }
    QUEUE.send([0; 4]);
}
