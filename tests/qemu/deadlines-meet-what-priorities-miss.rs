//! Two tasks that ask for 97 % of the core: 2 of every 5 ms and 4 of every 7 ms. By fixed priorities, the shorter period
//! first, the longer one is late; first come, first served, the shorter one is; by the earliest deadline, nobody is.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use takt::clock;
use takt::prelude::*;
use takt_tests::{Gate, Report, report};

takt::tasks! {
    fixed_short: Task::periodic(short).priority(10).period(millis(5)).on_overrun(OverrunPolicy::Postpone),
    fixed_long: Task::periodic(long).priority(11).period(millis(7)).on_overrun(OverrunPolicy::Postpone),
    deadlines: Level::earliest_deadline_first(20),
    deadline_short: Task::periodic(short).priority(20).period(millis(5)).offset(millis(100))
        .on_overrun(OverrunPolicy::Postpone),
    deadline_long: Task::periodic(long).priority(20).period(millis(7)).offset(millis(100))
        .on_overrun(OverrunPolicy::Postpone),
    fifo_short: Task::periodic(short).priority(30).period(millis(5)).offset(millis(200))
        .on_overrun(OverrunPolicy::Postpone),
    fifo_long: Task::periodic(long).priority(30).period(millis(7)).offset(millis(200))
        .on_overrun(OverrunPolicy::Postpone),
    reporter: Task::background(reporter).priority(254),
}

static DONE: Gate = Gate::new(6);

/// Whoever looks at the clock without being preempted looks again within so many half ticks.
const LOOK: i64 = 120;

/// Keeps the core busy until the task itself has executed for `us` microseconds.
fn execute_for_us(us: u64) {
    let mut left = (us * clock::half_ticks_per_us()).cast_signed();
    let mut last = clock::now();
    while left > 0 {
        let now = clock::now();
        let passed = now.since(last);
        if passed < LOOK {
            left -= passed;
        }
        last = now;
    }
}

fn work(mut period: Periodic, jobs: u32, us: u64) -> ! {
    for _ in 0..jobs {
        let _ = period.wait();
        execute_for_us(us);
    }
    // The last job ends here.
    let _ = period.wait();
    DONE.arrive_and_rest()
}

fn short(period: Periodic) -> ! {
    work(period, 14, 2_000)
}

fn long(period: Periodic) -> ! {
    work(period, 10, 4_000)
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    for task in takt::task_reports().filter(|task| task.counts.count > 0) {
        report!(report, "{}: {} jobs, {} late", task.name, task.counts.count, task.counts.late);
    }
    report.end()
}
