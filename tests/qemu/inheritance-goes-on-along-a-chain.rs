//! Three tasks in a chain: the most urgent waits for a mutex whose holder waits for another, whose holder is the least urgent.
//! That one runs before a task between them; each unlock takes back what it brought.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Gate, Log, rest};

takt::tasks! {
    starter: Task::background(starter).priority(5),
    urgent: Task::background(urgent).priority(10).locks_inherit("outer", micros(100)),
    between: Task::background(between).priority(20),
    middle: Task::background(middle).priority(30).locks_inherit("outer", micros(100)).locks_inherit("inner", micros(100)),
    beneath: Task::background(beneath).priority(35),
    least: Task::background(least).priority(40).locks_inherit("inner", micros(100)).locks_inherit("third", micros(100)),
    reporter: Task::background(reporter).priority(254),
}

static LOG: Log<30> = Log::new();
static DONE: Gate = Gate::new(5);
static OUTER: InheritMutex<()> = InheritMutex::new("outer", ());
static INNER: InheritMutex<()> = InheritMutex::new("inner", ());
static THIRD: InheritMutex<()> = InheritMutex::new("third", ());
static URGENT: Event = Event::new();
static START: Event = Event::new();
static BETWEEN: Event = Event::new();
static MIDDLE: Event = Event::new();
static BENEATH: Event = Event::new();
static LEAST: Event = Event::new();

fn starter() -> ! {
    START.wait();
    BETWEEN.set();
    URGENT.set();
    rest()
}

fn urgent() -> ! {
    URGENT.wait();
    LOG.note(&"    urgent wants outer");
    OUTER.lock(|()| LOG.note(&"    urgent has outer"));
    DONE.arrive_and_rest()
}

fn between() -> ! {
    BETWEEN.wait();
    LOG.note(&"   between runs");
    DONE.arrive_and_rest()
}

fn middle() -> ! {
    MIDDLE.wait();
    OUTER.lock(|()| {
        LOG.note(&"  middle has outer and wants inner");
        INNER.lock(|()| LOG.note(&"  middle has both"));
        LOG.note(&"  middle has outer");
    });
    LOG.note(&"  middle has none");
    DONE.arrive_and_rest()
}

fn beneath() -> ! {
    BENEATH.wait();
    LOG.note(&" beneath runs");
    DONE.arrive_and_rest()
}

fn least() -> ! {
    LEAST.wait();
    INNER.lock(|()| {
        THIRD.lock(|()| {
            LOG.note(&"least has inner and third");
            MIDDLE.set();
            LOG.note(&"least is as urgent as middle");
            BENEATH.set();
            START.set();
            LOG.note(&"least is as urgent as urgent");
        });
        LOG.note(&"least has inner");
    });
    LOG.note(&"least has none");
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    LEAST.set();
    LOG.report_after(&DONE).end()
}
