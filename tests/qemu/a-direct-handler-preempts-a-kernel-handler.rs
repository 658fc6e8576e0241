//! A direct handler preempts a kernel handler, and a kernel handler never preempts a direct one: each raises the other
//! in its middle.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Log, Report, busy_for_us, raise};

takt::tasks! {
    kernel: Interrupt::kernel(1, kernel),
    direct: Interrupt::direct(2, direct),
    kernel_again: Interrupt::kernel(3, kernel_again),
    reporter: Task::background(reporter).priority(254),
}

static LOG: Log<20> = Log::new();

fn kernel() {
    LOG.note(&"kernel handler begins");
    raise(2);
    busy_for_us(20);
    LOG.note(&"kernel handler ends");
}

fn direct() {
    LOG.note(&"  direct handler begins");
    raise(3);
    busy_for_us(20);
    LOG.note(&"  direct handler ends");
}

fn kernel_again() {
    LOG.note(&"the kernel handler that the direct one raised");
}

fn reporter() -> ! {
    let mut report = Report::new();
    LOG.note(&"task");
    raise(1);
    busy_for_us(100);
    LOG.note(&"task");
    LOG.print(&mut report);
    report.end()
}
