//! Who looks once a second at the use of the core has that of the last second; another, who looks at the end, that since the
//! start. Nothing interrupts between the looks.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU64, Ordering};

use takt::clock;
use takt::execution_time::{CpuUse, User};
use takt::prelude::*;
use takt_tests::{Report, busy_for_us, report};

takt::tasks! {
    load: Task::periodic(load).priority(10).period(millis(1)),
    reporter: Task::periodic(reporter).priority(250).period(millis(1_000)).stack_bytes(16_384),
}

/// How long the load's jobs run.
static RUNS_US: AtomicU64 = AtomicU64::new(250);

fn load(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        busy_for_us(RUNS_US.load(Ordering::Relaxed));
    }
}

/// Prints the shares to a percent: a tenth would change with the layout of the code.
fn print(report: &mut Report, cpu_use: &mut CpuUse, what: &str) {
    let (mut sum, mut load, mut idle) = (0, 0, 0);
    match cpu_use.look() {
        Err(error) => report!(report, "{error}"),
        Ok(shares) => {
            for share in shares {
                sum += share.per_mille;
                match share.user {
                    User::Task("load") => load = share.per_mille,
                    User::Idle => idle = share.per_mille,
                    _ => {}
                }
            }
        }
    }
    report!(report, "{what}: load {}%, idle {}%", (load + 5) / 10, (idle + 5) / 10);
    report.is("  a thousand tenths of a percent", sum == 1_000);
    let milliseconds = cpu_use.length_half_ticks() / clock::half_ticks_per_us() / 1_000;
    report!(report, "  of {} s", (milliseconds + 5) / 1_000);
}

fn reporter(mut period: Periodic) -> ! {
    let mut report = Report::new();
    let mut by_second = CpuUse::since_start();
    let mut from_start = CpuUse::since_start();
    let _ = period.wait();
    let _ = by_second.look().map(drop);
    for runs_us in [500, 0, 0] {
        let _ = period.wait();
        print(&mut report, &mut by_second, "the last second");
        RUNS_US.store(runs_us, Ordering::Relaxed);
    }
    print(&mut report, &mut from_start, "since the start");
    report.end()
}
