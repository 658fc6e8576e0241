//! A mutex inside another: the ceilings nest, inner and outer in either order, and an equal task waits for the outer one's
//! end. Trying one that the task holds already is refused.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Gate, Log, raise};

takt::tasks! {
    wake: Interrupt::kernel(3, wake),
    urgent: Task::background(urgent).priority(5),
    equal: Task::background(equal).priority(10).locks(&HIGH, micros(100)),
    nester: Task::background(nester).priority(30).locks(&HIGH, micros(100)).locks(&LOW, micros(100)),
    reporter: Task::background(reporter).priority(254),
}

static LOG: Log<30> = Log::new();
static DONE: Gate = Gate::new(1);
static HIGH: Mutex<u32, 10> = Mutex::new(0);
static LOW: Mutex<u32, 20> = Mutex::new(0);
static URGENT: Event = Event::new();
static EQUAL: Event = Event::new();

fn wake() {
    EQUAL.set_from_handler();
    URGENT.set_from_handler();
}

fn urgent() -> ! {
    loop {
        URGENT.wait();
        LOG.note(&"    more urgent than any ceiling");
    }
}

fn equal() -> ! {
    loop {
        EQUAL.wait();
        HIGH.lock(|_| LOG.note(&"  the ceiling's equal"));
    }
}

fn nester() -> ! {
    LOG.note(&"the high one inside the low one:");
    LOW.lock(|_| {
        HIGH.lock(|_| {
            raise(3);
            LOG.note(&"  inner ends");
        });
        LOG.note(&"  outer ends");
    });
    LOG.note(&"the low one inside the high one:");
    HIGH.lock(|_| {
        LOW.lock(|_| {
            raise(3);
            LOG.note(&"  inner ends");
        });
        LOG.note(&"  outer ends");
    });
    LOG.note(&"tried inside itself:");
    HIGH.lock(|value| {
        *value = 7;
        LOG.note(if HIGH.try_lock(|_| ()).is_none() { &"  refused" } else { &"  NOT REFUSED" });
    });
    LOG.note(if HIGH.try_lock(|value| *value) == Some(7) { &"  and afterwards not" } else { &"  WRONG" });
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    LOG.report_after(&DONE).end()
}
