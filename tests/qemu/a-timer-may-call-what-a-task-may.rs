//! What a timer calls may give and take a semaphore, lock a mutex that the line of the timers' task names, start other timers,
//! and sleep. While it sleeps, no other timer fires, and one that is started for earlier does not wake it.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use takt::clock;
use takt::prelude::*;
use takt_tests::{Log, Report, busy_for_us};

takt::tasks! {
    timers: Task::background(takt::timer::task).priority(10).locks(&SHARED, micros(10)),
    waiter: Task::background(waiter).priority(5),
    driver: Task::background(driver).priority(100).locks(&SHARED, micros(10)),
}

static LOG: Log<20> = Log::new();
static SHARED: Mutex<u32, 10> = Mutex::new(0);
static SEMAPHORE: Semaphore = Semaphore::new(0);
static OTHER: Semaphore = Semaphore::new(0);
static FIRST: Timer = Timer::new(first);
static SECOND: Timer = Timer::new(second);

fn first() {
    LOG.note(&"it locks a mutex");
    SHARED.lock(|times| *times += 1);
    LOG.note(&"it starts another");
    SECOND.fire_after(micros(10));
    LOG.note(&"it gives a semaphore");
    let _ = SEMAPHORE.give();
    LOG.note(&"it waits for one");
    OTHER.take();
    LOG.note(&"it sleeps");
    let until = clock::from_now(micros(500));
    let runs = sleep_until(until);
    LOG.note(if runs.is_before(until) { &"its sleep ended EARLY" } else { &"it has slept" });
}

fn second() {
    LOG.note(&"the other fires");
}

fn waiter() -> ! {
    SEMAPHORE.take();
    LOG.note(&"a task has the semaphore");
    takt_tests::rest()
}

fn driver() -> ! {
    let mut report = Report::new();
    FIRST.fire_at(clock::now());
    LOG.note(&"the driver gives");
    let _ = OTHER.give();
    LOG.note(&"the driver starts the other for at once");
    SECOND.fire_at(clock::now());
    busy_for_us(1_000);
    LOG.print(&mut report);
    report.is("the other fired once", SECOND.counts().fired == 1);
    report.is("the mutex was locked", SHARED.lock(|times| *times) == 1);
    report.end()
}
