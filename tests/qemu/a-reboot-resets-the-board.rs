// run: --status 125

//! A reboot resets the board, at which a run ends without a status of its own.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

fn reporter() -> ! {
    let mut report = Report::new();
    if let Some(cause) = takt::board::last_reset() {
        report!(report, "the last reset: {cause}");
    }
    report.flush();
    takt::board::reboot()
}
