//! How far typing and printing move a measurement: a task of 1 kHz is measured in silence, and then while the console prints without
//! end and receives all that it prints, by the PL011's loopback.
//!
//! The measured task has odd phases to the flood, since its period is none of the flood's. Prints a line for each figure: name, least,
//! most, in counter ticks; and how many bytes went. A test of the host tool holds them against `budgets.toml`.
#![no_std]
#![no_main]

use core::fmt::Write as _;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use takt::handover::Handover;
use takt::prelude::*;
use takt::rpi4::devices;
use takt_tests::{Range, Report, report, ticks};

takt::tasks! {
    measured: Task::periodic(measured).priority(10).period(micros(997)),
    console: Task::background(console).priority(254),
}

/// How many releases each part has.
const RELEASES: u32 = 500;
/// What is printed, and received, again and again.
const LINE: &str = "a line is printed, and typed at the same time\n";

/// From due to the handler's first statement and to the task's, in silence and in the flood.
static FOUND: Handover<[[Range; 2]; 2]> = Handover::new([[Range::EMPTY; 2]; 2]);
static IS_FLOODED: AtomicBool = AtomicBool::new(false);
static LEFT: AtomicU32 = AtomicU32::new(0);
static SKIPPED: AtomicU64 = AtomicU64::new(0);
static BEGIN: Event = Event::new();
static END: Event = Event::new();

fn measured(mut period: Periodic) -> ! {
    // Time zero.
    let _ = period.wait();
    loop {
        BEGIN.wait();
        // Behind the wait for something else.
        let _ = period.wait();
        let part = usize::from(IS_FLOODED.load(Ordering::Relaxed));
        while LEFT.load(Ordering::Relaxed) > 0 {
            let release = period.wait();
            SKIPPED.fetch_add(release.skipped(), Ordering::Relaxed);
            if let Some(mut found) = FOUND.take() {
                let [handler, task] = &mut found[part];
                handler.add(ticks(release.handler().since(release.due())));
                task.add(ticks(release.start().since(release.due())));
            }
            LEFT.fetch_sub(1, Ordering::Relaxed);
        }
        END.set();
    }
}

fn begin(is_flooded: bool) {
    IS_FLOODED.store(is_flooded, Ordering::Relaxed);
    LEFT.store(RELEASES, Ordering::Relaxed);
    BEGIN.set();
}

fn console() -> ! {
    let mut report = Report::new();
    report!(report, "what is sent from here on is received, too:");
    report.flush();
    begin(false);
    END.wait();
    devices::uart0().set_loopback(true);
    begin(true);
    let (mut printed, mut received) = (0_u64, 0_u64);
    while LEFT.load(Ordering::Relaxed) > 0 {
        let _ = report.console().write_str(LINE);
        printed += LINE.len() as u64;
        while report.console().try_read_byte().is_some() {
            received += 1;
        }
    }
    END.wait();
    report.flush();
    while report.console().try_read_byte().is_some() {
        received += 1;
    }
    devices::uart0().set_loopback(false);
    let Some(found) = FOUND.take() else { panic!("the figures are in use") };
    for (part, name) in found.iter().zip(["silence", "flood"]) {
        for (range, stage) in part.iter().zip(["handler", "task"]) {
            report!(report, "console-{name}-{stage},{},{}", range.least, range.greatest);
        }
    }
    let counts = report.console().receive_counts();
    report!(report, "# {printed} bytes were printed and {received} received");
    report.is("# none was lost", counts.are_zero() && printed == received);
    report.is("# no release was skipped", SKIPPED.load(Ordering::Relaxed) == 0);
    report.end()
}
