//! The more urgent task preempts at once; the preempted one goes on where it was, before its equals and before the less
//! urgent ones.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Gate, Log, rest};

// The order in the table does not matter.
takt::tasks! {
    reporter: Task::background(reporter).priority(254),
    low: Task::background(low).priority(30),
    middle: Task::background(middle).priority(20),
    middle_equal: Task::background(middle_equal).priority(20),
    high: Task::background(high).priority(10),
    highest: Task::background(highest).priority(1),
}

static LOG: Log<40> = Log::new();
static LOW: Event = Event::new();
static MIDDLE: Event = Event::new();
static MIDDLE_EQUAL: Event = Event::new();
static HIGH: Event = Event::new();
static HIGHEST: Event = Event::new();
static DONE: Gate = Gate::new(1);

fn low() -> ! {
    LOG.note(&"low starts");
    LOG.note(&"low sets middle");
    MIDDLE.set();
    LOG.note(&"low goes on");
    DONE.arrive_and_rest()
}

fn middle() -> ! {
    LOG.note(&"middle starts");
    MIDDLE.wait();
    LOG.note(&"  middle sets its equal, which has to wait");
    MIDDLE_EQUAL.set();
    LOG.note(&"  middle sets low, which is not waiting");
    LOW.set();
    LOG.note(&"  middle sets high");
    HIGH.set();
    LOG.note(&"  middle goes on before its equal");
    rest()
}

fn middle_equal() -> ! {
    LOG.note(&"middle's equal starts");
    MIDDLE_EQUAL.wait();
    LOG.note(&"  middle's equal");
    rest()
}

fn high() -> ! {
    LOG.note(&"high starts");
    HIGH.wait();
    LOG.note(&"    high sets highest");
    HIGHEST.set();
    LOG.note(&"    high goes on");
    rest()
}

fn highest() -> ! {
    LOG.note(&"highest starts");
    HIGHEST.wait();
    LOG.note(&"      highest");
    rest()
}

fn reporter() -> ! {
    let mut report = LOG.report_after(&DONE);
    report.priorities();
    report.end()
}
