// run:
// run: --append "timebase=generic"

//! Two tasks of 250 us and 125 us and a third of 1 ms: of ten thousand releases none is lost, whether their due instants
//! coincide or not, and neither disturbs the other's beat.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU64, Ordering};

use takt::prelude::*;
use takt_tests::{Gate, Report, report};

takt::tasks! {
    slow: Task::periodic(slow).priority(30).period(millis(1)).offset(micros(63)),
    middle: Task::periodic(middle).priority(10).period(micros(250)),
    fast: Task::periodic(fast).priority(20).period(micros(125)),
    reporter: Task::background(reporter).priority(254),
}

static DONE: Gate = Gate::new(3);
static OFF_BEAT: AtomicU64 = AtomicU64::new(0);

fn take(mut period: Periodic, releases: u64) -> ! {
    let first = period.wait();
    for n in 1..releases {
        let release = period.wait();
        let due = first.due().after(n * period.period_half_ticks());
        if release.due() != due || release.handler().is_before(due) || release.skipped() != 0 {
            OFF_BEAT.fetch_add(1, Ordering::Relaxed);
        }
    }
    let _ = period.wait();
    DONE.arrive_and_rest()
}

fn slow(period: Periodic) -> ! {
    take(period, 1_250)
}

fn middle(period: Periodic) -> ! {
    take(period, 5_000)
}

fn fast(period: Periodic) -> ! {
    take(period, 10_000)
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    report!(report, "off the beat {}", OFF_BEAT.load(Ordering::Relaxed));
    for task in takt::task_reports().filter(|task| task.counts.count > 0) {
        report!(report, "{}: {:?}", task.name, task.counts);
    }
    report!(report, "spurious {}", takt::interrupt_counts().spurious);
    report.end()
}
