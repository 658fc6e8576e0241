//! A slot takes the priority it is given at once: a less urgent one lets those run that are now more urgent.
#![no_std]
#![no_main]

use takt::kernel::priority::Priority;
use takt::prelude::*;
use takt_tests::{Gate, Log};

takt::tasks! {
    slot: Task::slot(slot).priority(10),
    other: Task::background(other).priority(20),
    reporter: Task::background(reporter).priority(254),
}

static LOG: Log<20> = Log::new();
static OTHER: Event = Event::new();
static DONE: Gate = Gate::new(1);

fn slot(mut slot: Slot) -> ! {
    for (priority, words) in [(30, &"slot at 30"), (20, &"slot at 20"), (5, &"slot at 5")] {
        OTHER.set();
        LOG.note(&"slot gives itself a priority");
        if let Some(priority) = Priority::new(priority) {
            slot.set_priority(priority);
        }
        LOG.note(words);
    }
    DONE.arrive_and_rest()
}

fn other() -> ! {
    loop {
        OTHER.wait();
        LOG.note(&"  other at 20");
    }
}

fn reporter() -> ! {
    let mut report = LOG.report_after(&DONE);
    report.priorities();
    report.end()
}
