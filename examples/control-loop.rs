// SPDX-License-Identifier: MIT OR Apache-2.0
//! A control loop at 1 kHz, and a logger that says once a second how late the worst release was.
//!
//! The loop says how long a job takes at the worst, so the compiler finds its response time, or stops the build where it can
//! miss its deadline. The logger prints what was found before anything else.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::fmt::Write;
use core::sync::atomic::{AtomicI64, Ordering};

use takt::Claim;
use takt::console::Console;
use takt::prelude::*;

takt::tasks! {
    control: Task::periodic(control).priority(10).period(micros(1_000)).wcet(micros(20)),
    logger: Task::background(logger).priority(250).stack_bytes(16_384),
}

/// The largest lateness since the logger last looked, in half counter ticks.
static WORST: AtomicI64 = AtomicI64::new(i64::MIN);
/// A thousand releases have passed.
static THOUSAND: Event = Event::new();

/// Released each millisecond after the previous due instant, never after "now": no drift.
fn control(mut period: Periodic) -> ! {
    loop {
        for _ in 0..1_000 {
            let release = period.wait();
            // Here: read the inputs, compute, write the outputs.
            WORST.fetch_max(release.start().since(release.due()), Ordering::Relaxed);
        }
        THOUSAND.set();
    }
}

/// The least urgent task: the only one that prints.
fn logger() -> ! {
    let mut console = Console::take();
    if let Some(console) = &mut console {
        for task in takt::task_reports() {
            let _ = writeln!(console, "{}", task.claim.describe(task.name));
        }
        let _ = writeln!(console, "{}", Claim::assumptions());
    }
    loop {
        THOUSAND.wait();
        let half_ticks = WORST.swap(i64::MIN, Ordering::Relaxed);
        if let Some(console) = &mut console {
            let _ = writeln!(console, "worst of 1000 releases: {half_ticks} half ticks");
            for task in takt::task_reports().filter(|task| task.responses.is_some()) {
                let _ = writeln!(console, "{}: {}", task.name, task.responses_in_words());
            }
        }
    }
}
