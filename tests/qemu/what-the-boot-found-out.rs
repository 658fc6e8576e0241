//! The facts of this machine: QEMU is recognised by two signs, the boot data is told apart from a device tree, and the
//! firmware's answers are as QEMU gives them.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Report, facts, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

fn reporter() -> ! {
    let mut report = Report::new();
    let facts = facts();
    report!(report, "{:?}: counter at {} Hz, {} priority bits", facts.platform, facts.counter_hz, facts.priority_bits);
    report!(report, "entered at EL{} with {:?}", facts.exception_level, facts.boot_data);
    report!(report, "{:?}", facts.machine);
    report!(report, "UART clock {} Hz", facts.uart_hz);
    report!(report, "{:?}, {:?}", facts.time_base, facts.idle);
    report!(report, "{:?}", takt::board::health());
    report.end()
}
