//! The Mars Pathfinder shape with priority inheritance: the least urgent task holds what the most urgent wants, and the middle
//! one comes meanwhile. The holder runs before the middle task from when the most urgent waits, not sooner, and comes behind
//! it again when it has unlocked.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Gate, Log, raise};

takt::tasks! {
    wake: Interrupt::kernel(3, wake),
    urgent: Task::background(urgent).priority(10).locks_inherit("bus", micros(100)),
    middle: Task::background(middle).priority(20),
    least: Task::background(least).priority(30).locks_inherit("bus", micros(100)),
    reporter: Task::background(reporter).priority(254).locks_inherit("bus", micros(1)),
}

static LOG: Log<30> = Log::new();
static DONE: Gate = Gate::new(2);
static BUS: InheritMutex<u32> = InheritMutex::new("bus", 0);
static URGENT: Event = Event::new();
static MIDDLE: Event = Event::new();
static LEAST: Event = Event::new();

fn wake() {
    MIDDLE.set_from_handler();
    URGENT.set_from_handler();
}

fn urgent() -> ! {
    URGENT.wait();
    LOG.note(&"the urgent task wants it");
    BUS.lock(|uses| {
        *uses += 1;
        LOG.note(&"the urgent task has it");
    });
    LOG.note(&"the urgent task has had it");
    DONE.arrive_and_rest()
}

fn middle() -> ! {
    loop {
        MIDDLE.wait();
        LOG.note(&"the middle task runs");
    }
}

fn least() -> ! {
    LEAST.wait();
    BUS.lock(|uses| {
        LOG.note(&"the least urgent has it");
        MIDDLE.set();
        LOG.note(&"the least urgent goes on");
        raise(3);
        *uses += 1;
        LOG.note(&"the least urgent gives it back");
    });
    LOG.note(&"the least urgent has given it back");
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    LEAST.set();
    let mut report = LOG.report_after(&DONE);
    report.is("one waited, and nobody gave up", BUS.counts().waits == 1 && BUS.counts().time_outs == 0);
    report.is("both have used it", BUS.try_lock(|uses| *uses) == Some(2));
    report.end()
}
