//! In a level that runs the earliest deadline first, who holds a mutex with inheritance has the deadline of the earliest task that
//! waits for it: a task with a deadline between the two does not come between, one with an earlier deadline does.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Gate, Log, busy_for_us};

takt::tasks! {
    deadlines: Level::earliest_deadline_first(20),
    holder: Task::periodic(holder).priority(20).period(millis(50)).deadline(millis(20)).locks_inherit("shared", millis(5)),
    waiter: Task::periodic(waiter).priority(20).period(millis(50)).offset(millis(1)).deadline(millis(5))
        .locks_inherit("shared", millis(1)),
    between: Task::periodic(between).priority(20).period(millis(50)).offset(millis(2)).deadline(millis(8)),
    earliest: Task::periodic(earliest).priority(20).period(millis(50)).offset(millis(3)).deadline(millis(2)),
    reporter: Task::background(reporter).priority(254),
}

static LOG: Log<20> = Log::new();
static DONE: Gate = Gate::new(4);
static SHARED: InheritMutex<u32> = InheritMutex::new("shared", 0);

fn holder(mut period: Periodic) -> ! {
    let _ = period.wait();
    SHARED.lock(|_| {
        LOG.note(&"until 20 ms: holds the mutex");
        busy_for_us(4_500);
        LOG.note(&"until 20 ms: ends with it");
    });
    LOG.note(&"until 20 ms: goes on");
    DONE.arrive_and_rest()
}

fn waiter(mut period: Periodic) -> ! {
    let _ = period.wait();
    LOG.note(&"until 6 ms: wants the mutex");
    SHARED.lock(|_| LOG.note(&"until 6 ms: has it"));
    DONE.arrive_and_rest()
}

fn between(mut period: Periodic) -> ! {
    let _ = period.wait();
    LOG.note(&"until 10 ms: runs");
    DONE.arrive_and_rest()
}

fn earliest(mut period: Periodic) -> ! {
    let _ = period.wait();
    LOG.note(&"until 5 ms: runs");
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    LOG.report_after(&DONE).end()
}
