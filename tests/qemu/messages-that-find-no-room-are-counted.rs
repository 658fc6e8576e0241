//! A task that logs more than the ring holds loses messages and waits for nobody: they are counted, and the count is a
//! message itself. So are messages that are too long for a frame. What tasks leave free is there for handlers.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Report, raise, report};

takt::tasks! {
    handler: Interrupt::kernel(1, handler),
    log: Task::background(takt_log::task).priority(253),
    reporter: Task::background(reporter).priority(252),
    last: Task::background(last).priority(254),
}

static LOGGED: Event = Event::new();

fn handler() {
    defmt::info!("a kernel handler finds room where tasks find none");
}

/// More urgent than the task that sends.
fn reporter() -> ! {
    let long = core::str::from_utf8(&[b'x'; 230]).unwrap_or("");
    // 63 words each, with length and framing: 24 fit into the 1,536 words that tasks may fill.
    for number in 1..=30 {
        defmt::info!("{=u8} {=str}", number, long);
    }
    defmt::info!("{=str}{=str}", long, long);
    raise(1);
    LOGGED.set();
    takt_tests::rest()
}

fn last() -> ! {
    LOGGED.wait();
    let mut report = Report::new();
    report.is("what was not dropped left", takt_log::flush());
    let dropped = takt_log::dropped();
    report!(report, "{} of 30 found no room, {} was too long", dropped.without_room, dropped.too_long);
    report.end()
}
