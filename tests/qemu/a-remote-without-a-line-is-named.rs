//! Something is sent by a Remote that no line of the table names: the run ends with a sentence that says what to add.
// run: --cores 4 --status 101
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    waiter: Task::background(waiter).core(1).priority(10),
    sender: Task::background(sender).core(0).priority(254),
}

static EVENT: Event = Event::new();
static EVENT_FROM_AFAR: Remote<Event, 1> = Remote::to(&EVENT);

fn waiter() -> ! {
    loop {
        EVENT.wait();
    }
}

fn sender() -> ! {
    EVENT_FROM_AFAR.set();
    takt::exit(0)
}
