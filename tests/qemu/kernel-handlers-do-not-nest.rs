//! Kernel handlers do not nest in one another: one raises two others in its middle, which run after it, the lower INTID
//! first, as the GIC-400 gives equal priorities out. A direct handler does not nest in a direct one either.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Log, Report, busy_for_us, raise};

takt::tasks! {
    first: Interrupt::kernel(3, first),
    second: Interrupt::kernel(6, second),
    third: Interrupt::kernel(9, third),
    direct_first: Interrupt::direct(10, direct_first),
    direct_second: Interrupt::direct(4, direct_second),
    reporter: Task::background(reporter).priority(254),
}

static LOG: Log<20> = Log::new();

fn first() {
    LOG.note(&"first kernel handler begins");
    raise(9);
    raise(6);
    busy_for_us(20);
    LOG.note(&"first kernel handler ends");
}

fn second() {
    LOG.note(&"  second kernel handler begins");
    busy_for_us(20);
    LOG.note(&"  second kernel handler ends");
}

fn third() {
    LOG.note(&"    third kernel handler");
}

fn direct_first() {
    LOG.note(&"first direct handler begins");
    raise(4);
    busy_for_us(20);
    LOG.note(&"first direct handler ends");
}

fn direct_second() {
    LOG.note(&"  second direct handler");
}

fn reporter() -> ! {
    let mut report = Report::new();
    LOG.note(&"task");
    raise(3);
    busy_for_us(200);
    LOG.note(&"task");
    raise(10);
    busy_for_us(100);
    LOG.note(&"task");
    LOG.print(&mut report);
    report.end()
}
