//! An event that a kernel handler sets lets its waiter run when the handler has ended: at once where the waiter is the
//! more urgent, after the running task waits where it is not. Setting it twice before it is waited for counts once.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Gate, Log, busy_for_us, raise, rest};

takt::tasks! {
    wake_urgent: Interrupt::kernel(1, wake_urgent),
    wake_other: Interrupt::kernel(2, wake_other),
    urgent: Task::background(urgent).priority(10),
    middle: Task::background(middle).priority(20),
    other: Task::background(other).priority(30),
    reporter: Task::background(reporter).priority(254),
}

static LOG: Log<30> = Log::new();
static URGENT: Event = Event::new();
static OTHER: Event = Event::new();
static DONE: Gate = Gate::new(1);

fn wake_urgent() {
    LOG.note(&"handler begins");
    URGENT.set_from_handler();
    busy_for_us(10);
    LOG.note(&"handler ends");
}

fn wake_other() {
    LOG.note(&"handler begins");
    OTHER.set_from_handler();
    OTHER.set_from_handler();
    LOG.note(&"handler ends");
}

fn urgent() -> ! {
    loop {
        URGENT.wait();
        LOG.note(&"the urgent task");
    }
}

fn middle() -> ! {
    LOG.note(&"middle task wakes the more urgent");
    raise(1);
    busy_for_us(50);
    LOG.note(&"middle task wakes the less urgent, which has not come to its wait");
    raise(2);
    busy_for_us(50);
    LOG.note(&"middle task waits");
    rest()
}

fn other() -> ! {
    OTHER.wait();
    LOG.note(&"the other task: the event was set before the wait");
    // Set once more before this: the second time a task waits for it, it has to be set anew.
    raise(2);
    busy_for_us(50);
    OTHER.wait();
    LOG.note(&"the other task: the event was set twice and counts once");
    raise(1);
    busy_for_us(50);
    LOG.note(&"the other task goes on");
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    LOG.report_after(&DONE).end()
}
