//! A response beyond its bound while every task kept its WCET, here by an interrupt that is not as its line declares: the
//! sentence says that the model is wrong, and no longer that a task's WCET may not be kept.
// run: --icount 4 --cores 1 --status 101
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_execution_time::execute_for_us;
use takt_tests::{busy_for_us, raise};

takt::tasks! {
    pulse: Interrupt::kernel(3, pulse).wcet(micros(5)).min_interarrival(millis(1)),
    honest: Task::periodic(honest).priority(20).period(millis(10)).wcet(micros(500)),
}

fn pulse() {
    busy_for_us(2_000);
}

fn honest(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        execute_for_us(200);
        raise(3);
        execute_for_us(200);
    }
}
