//! Messages from tasks and from a kernel handler come in the order in which they were ended, each whole: also where a
//! handler and a more urgent task log in the middle of a task's message.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Report, raise, report};

takt::tasks! {
    handler: Interrupt::kernel(1, handler),
    urgent: Task::background(urgent).priority(10),
    log: Task::background(takt_log::task).priority(253),
    reporter: Task::background(reporter).priority(254),
}

static URGENT: Event = Event::new();

fn handler() {
    defmt::info!("  a kernel handler, in the middle of a message, with {=str}", "text of its own");
    URGENT.set_from_handler();
}

fn urgent() -> ! {
    loop {
        URGENT.wait();
        defmt::warn!("  a more urgent task, in the middle of a message");
    }
}

/// What is disturbed while it is formatted.
struct Disturbed;

impl defmt::Format for Disturbed {
    fn format(&self, formatter: defmt::Formatter<'_>) {
        defmt::write!(formatter, "is begun, ");
        raise(1);
        defmt::write!(formatter, "and ended later");
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    defmt::info!("a task, {=u8} of 3", 1);
    defmt::error!("a task, 2 of 3, {}", Disturbed);
    defmt::info!("a task, 3 of 3, {=[u8]:#04x}", [1, 2, 255]);
    report.is("all messages left", takt_log::flush());
    report.is("none was dropped", takt_log::dropped() == takt_log::Dropped::default());
    if let Some(destination) = takt_log::destination() {
        report!(report, "{destination}");
    }
    report.end()
}
