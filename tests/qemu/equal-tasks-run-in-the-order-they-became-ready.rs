//! Among tasks of one priority, first ready is first to run; a task that yields goes behind its equals, and yields to
//! nobody where it has none that is ready.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Gate, Log, rest};

takt::tasks! {
    a: Task::background(a).priority(20),
    b: Task::background(b).priority(20),
    c: Task::background(c).priority(20),
    waker: Task::background(waker).priority(10),
    below: Task::background(below).priority(30),
    reporter: Task::background(reporter).priority(254),
}

static LOG: Log<60> = Log::new();
static A: Event = Event::new();
static B: Event = Event::new();
static C: Event = Event::new();
static WAKER: Event = Event::new();
static DONE: Gate = Gate::new(1);

fn a() -> ! {
    LOG.note(&"a starts: first of its equals in the table");
    A.wait();
    LOG.note(&"  a was woken last; yields");
    yield_turn();
    LOG.note(&"  a again; yields");
    yield_turn();
    LOG.note(&"  a again; waits");
    rest()
}

fn b() -> ! {
    LOG.note(&"b starts");
    B.wait();
    LOG.note(&"  b was woken second; yields");
    yield_turn();
    LOG.note(&"  b again; waits");
    rest()
}

fn c() -> ! {
    LOG.note(&"c starts");
    C.wait();
    LOG.note(&"  c was woken first; yields");
    yield_turn();
    LOG.note(&"  c again; yields");
    yield_turn();
    LOG.note(&"  c again; yields");
    yield_turn();
    LOG.note(&"  c alone; yields to nobody, for the others are done");
    yield_turn();
    LOG.note(&"  c again; waits");
    rest()
}

fn waker() -> ! {
    LOG.note(&"the waker starts: more urgent than all");
    WAKER.wait();
    LOG.note(&"the waker wakes c, b, a");
    C.set();
    B.set();
    A.set();
    LOG.note(&"the waker yields to nobody: it has no equal");
    yield_turn();
    LOG.note(&"the waker waits");
    rest()
}

fn below() -> ! {
    LOG.note(&"the task below");
    WAKER.set();
    LOG.note(&"the task below again");
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    LOG.report_after(&DONE).end()
}
