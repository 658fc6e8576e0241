// run: --prompt ready --input ab
//! A read with a deadline answers with a byte, or that none has come by then; what comes later is not lost.
//!
//! A task is busy below it: QEMU, counting instructions, would jump to the deadline of an idle core before the input comes.
#![no_std]
#![no_main]

use takt::clock;
use takt::prelude::*;
use takt::rpi4::interrupts;
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(253),
    busy: Task::background(busy).priority(254),
}

fn busy() -> ! {
    loop {
        interrupts::yield_hint();
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    let deadline = clock::from_now(millis(2));
    let read = report.console().read_byte_until(deadline);
    report.is("nothing is sent: the read gives up", read == Err(TimedOut { deadline }));
    report.is("  not before the deadline", !clock::now().is_before(deadline));
    report!(report, "ready");
    let long = clock::from_now(millis(20_000));
    let read = report.console().read_byte_until(long);
    report.is("the first byte that is sent", read == Ok(b'a'));
    let read = report.console().read_byte_until(long);
    report.is("and the second", read == Ok(b'b'));
    report.is("long before the deadline", clock::now().is_before(long));
    let passed = clock::now().before(1);
    let read = report.console().read_byte_until(passed);
    report.is("a deadline that has passed", read == Err(TimedOut { deadline: passed }));
    report.end()
}
