//! What preempts a job and interrupts it is not in its budget, whenever that is: a job that executes for nine tenths of it
//! keeps it, though it takes several times as long.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use takt::prelude::*;
use takt::{sleep_for, sleep_until};
use takt_execution_time::{execute_for_us, overruns};
use takt_tests::{Gate, Report, busy_for_us, raise, report};

takt::tasks! {
    kernel: Interrupt::kernel(3, kernel),
    urgent: Task::periodic(urgent).priority(5).period(micros(300)),
    worker: Task::periodic(worker).priority(10).period(millis(10)).budget(micros(500), OnBudgetOverrun::Fatal),
    sleeper: Task::periodic(sleeper).priority(20).period(millis(10)).budget(micros(200), OnBudgetOverrun::Fatal),
    reporter: Task::background(reporter).priority(254),
}

static DONE: Gate = Gate::new(2);

fn kernel() {
    busy_for_us(100);
}

fn urgent(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        busy_for_us(150);
    }
}

fn worker(mut period: Periodic) -> ! {
    for _ in 0..10 {
        let _ = period.wait();
        for _ in 0..9 {
            execute_for_us(49);
            raise(3);
        }
    }
    let _ = period.wait();
    DONE.arrive_and_rest()
}

/// Waits within its jobs, also when its budget is nearly used up.
fn sleeper(mut period: Periodic) -> ! {
    for _ in 0..10 {
        let release = period.wait();
        execute_for_us(90);
        sleep_for(millis(1));
        execute_for_us(90);
        sleep_until(release.due().after(7_000 * takt::clock::half_ticks_per_us()));
    }
    let _ = period.wait();
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    report!(report, "worker: {:?}, sleeper: {:?} jobs beyond their budget", overruns("worker"), overruns("sleeper"));
    report.end()
}
