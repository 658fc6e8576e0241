// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages from a task of 1 kHz and from a kernel handler, read beside the console:
//!
//! ```text
//! scripts/device-cargo build --release -p takt-examples
//! target/debug/takt run target/aarch64-unknown-none-softfloat/release/logging
//! ```
//!
//! A message costs its task some hundred instructions and never a wait. To copy: this file, `build.rs` beside it, and the
//! dependencies `takt`, `takt-log` and `defmt`.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::fmt::Write as _;

use takt::Event;
use takt::console::Console;
use takt::prelude::*;

takt::tasks! {
    control: Task::periodic(control).priority(10).period(millis(1)),
    log: Task::background(takt_log::task).priority(253).stack_bytes(4_096),
    last: Task::background(last).priority(254),
}

static DONE: Event = Event::new();

/// Logs every tenth job.
fn control(mut period: Periodic) -> ! {
    for job in 1_u32.. {
        let release = period.wait();
        if job.is_multiple_of(10) {
            defmt::info!(
                "job {=u32} began {=i64} half ticks after it was due",
                job,
                release.start().since(release.due())
            );
        }
        if job == 50 {
            DONE.set();
        }
    }
    takt::exit(0)
}

fn last() -> ! {
    DONE.wait();
    let all_left = takt_log::flush();
    if let Some(mut console) = Console::take() {
        let dropped = takt_log::dropped();
        // The console cannot fail.
        let _ = writeln!(console, "all messages left: {all_left}; dropped: {dropped:?}");
        console.flush();
    }
    takt::exit(0)
}
