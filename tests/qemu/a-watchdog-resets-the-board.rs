// run: --status 125

//! A watchdog that is started resets the board: in QEMU at once, whatever its time-out. One whose time-out is refused, or that
//! is fed without having been started, does not.
#![no_std]
#![no_main]

use takt::board::Watchdog;
use takt::prelude::*;
use takt_tests::{Report, busy_for_us, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

fn reporter() -> ! {
    let mut report = Report::new();
    let Ok(mut watchdog) = Watchdog::take() else { panic!("the watchdog is taken") };
    for timeout in [millis(0), millis(16_000)] {
        if let Err(error) = watchdog.start(timeout) {
            report!(report, "{error}");
        }
    }
    watchdog.feed();
    watchdog.stop();
    report.is("it does not run", !watchdog.is_running());
    report!(report, "now it does");
    report.flush();
    if watchdog.start(millis(1)).is_err() {
        report!(report, "refused");
    }
    busy_for_us(5_000);
    report!(report, "and nothing happened");
    report.end()
}
