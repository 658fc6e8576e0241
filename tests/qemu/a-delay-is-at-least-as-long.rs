//! A delay lasts at least as long as asked for, and hardly longer.
#![no_std]
#![no_main]

use takt::hal::delay::DelayNs;
use takt::prelude::*;
use takt::{Delay, clock};
use takt_tests::Report;

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

/// How long `wait` takes, in half ticks of the counter.
fn length(wait: impl FnOnce()) -> i64 {
    let start = clock::now();
    wait();
    clock::now().since(start)
}

fn reporter() -> ! {
    let mut report = Report::new();
    let half_ticks_per_us = clock::half_ticks_per_us().cast_signed();
    // A tick for the first that may be nearly over, and some instructions, each a tick.
    let excess = 2 * 40;
    // All are measured before the first is printed: the console's interrupts would lengthen them.
    let measured = [
        ("0 ns", 0, length(|| Delay.delay_ns(0))),
        ("1 ns", 1, length(|| Delay.delay_ns(1))),
        ("1000 ns", 1_000, length(|| Delay.delay_ns(1_000))),
        ("7 us", 7_000, length(|| Delay.delay_us(7))),
        ("50 ms", 50_000_000, length(|| Delay.delay_us(50_000))),
        ("20 ms", 20_000_000, length(|| Delay.delay_ms(20))),
    ];
    for (what, asked_ns, half_ticks) in measured {
        let asked = asked_ns * half_ticks_per_us;
        report.is(format_args!("{what}: not shorter"), half_ticks * 1_000 >= asked);
        report.is(format_args!("{what}: not 40 ticks longer"), half_ticks * 1_000 <= asked + excess * 1_000);
    }
    report.end()
}
