//! A table in which all is right, at the limits of what the check lets through: it compiles, so the others fail for their
//! own reasons.
#![no_std]
#![no_main]

use core::time::Duration;

use takt::prelude::*;

takt::tasks! {
    first: Task::periodic(periodic).priority(1).period(micros(1)).stack_bytes(2_048),
    longest: Task::periodic(periodic)
        .priority(100)
        .period(Duration::from_secs(3_600))
        .offset(Duration::from_secs(3_600))
        .deadline(Duration::from_secs(3_600))
        .on_overrun(OverrunPolicy::Postpone),
    slot: Task::slot(slot).priority(100).core(0),
    deadlines: Level::earliest_deadline_first(100),
    last: Task::background(background).priority(254),
    lowest: Interrupt::kernel(0, handler),
    highest: Interrupt::direct(223, handler),
}

fn periodic(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}

fn slot(_: Slot) -> ! {
    background()
}

fn background() -> ! {
    loop {
        yield_turn();
    }
}

fn handler() {}
