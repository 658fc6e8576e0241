//! A report that is sixteen times as large as the console's ring arrives whole and in order, while periodic tasks run.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    beat: Task::periodic(beat).priority(10).period(micros(125)),
    reporter: Task::background(reporter).priority(254),
}

fn beat(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    // 64 bytes a line, 64 KiB in all; the end of each line differs from line to line.
    for line in 1..=1_024_u64 {
        report!(report, "line {line:4} of 1024 ........ {:016x} {:016x}", line * 0x9E37_79B9, line.pow(3));
    }
    for task in takt::task_reports().filter(|task| task.name == "beat") {
        report.is("no release was skipped", task.counts.skipped == 0);
    }
    report.end()
}
