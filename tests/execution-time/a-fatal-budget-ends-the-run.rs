//! A budget that is fatal ends the run with a sentence, while the job runs.
// run: --icount 4 --cores 1 --status 101
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_execution_time::work;

takt::tasks! {
    runaway: Task::periodic(runaway).priority(10).period(millis(10)).budget(micros(200), OnBudgetOverrun::Fatal),
}

fn runaway(mut period: Periodic) -> ! {
    let _ = period.wait();
    loop {
        work(1_000);
    }
}
