//! A task that is given the priority of a level that runs the earliest deadline first comes by its deadline at once: a periodic
//! one by that of its job, a background task behind all that have one. Of several that wait for a semaphore the earliest has it.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use takt::TaskHandle;
use takt::kernel::priority::Priority;
use takt::prelude::*;
use takt_tests::{Gate, Log};

takt::tasks! {
    director: Task::periodic(director).priority(10).period(millis(50)).offset(millis(1)),
    deadlines: Level::earliest_deadline_first(20),
    late: Task::periodic(late).priority(20).period(millis(50)).deadline(millis(9)),
    early: Task::periodic(early).priority(20).period(millis(50)).deadline(millis(3)),
    guest: Task::periodic(guest).priority(30).period(millis(50)).deadline(millis(6)),
    pump: Task::background(pump).priority(40),
    reporter: Task::background(reporter).priority(254),
}

static LOG: Log<20> = Log::new();
static DONE: Gate = Gate::new(4);
static SEMAPHORE: Semaphore = Semaphore::new(0);

fn set(name: &str, priority: u8) {
    let (Some(task), Some(priority)) = (TaskHandle::named(name), Priority::new(priority)) else {
        panic!("there is no task {name}, or no priority {priority}");
    };
    let _ = task.set_priority(priority);
}

fn director(mut period: Periodic) -> ! {
    // All wait for the semaphore.
    let _ = period.wait();
    set("guest", 20);
    set("pump", 20);
    for _ in 0..4 {
        SEMAPHORE.give();
    }
    LOG.note(&"all are at one priority, and ready");
    set("late", 15);
    LOG.note(&"until 9 ms is more urgent");
    takt_tests::rest()
}

fn take(words: &'static &'static str) -> ! {
    SEMAPHORE.take();
    LOG.note(words);
    DONE.arrive_and_rest()
}

fn late(mut period: Periodic) -> ! {
    let _ = period.wait();
    take(&"until 9 ms")
}

fn early(mut period: Periodic) -> ! {
    let _ = period.wait();
    take(&"until 3 ms")
}

fn guest(mut period: Periodic) -> ! {
    let _ = period.wait();
    take(&"until 6 ms, a guest")
}

fn pump() -> ! {
    take(&"without a deadline")
}

fn reporter() -> ! {
    LOG.report_after(&DONE).end()
}
