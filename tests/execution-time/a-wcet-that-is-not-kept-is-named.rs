//! A response beyond its bound, where execution times are accounted: the sentence names the task whose WCET was not kept, another
//! one than the one that was late.
// run: --icount 4 --cores 1 --status 101
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_execution_time::execute_for_us;

takt::tasks! {
    liar: Task::periodic(liar).priority(10).period(micros(250)).wcet(micros(50)),
    honest: Task::periodic(honest).priority(20).period(millis(10)).wcet(micros(3_000)),
}

fn liar(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        // Not beyond the bound of its own, in which there is what the executive may take.
        execute_for_us(85);
    }
}

fn honest(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        execute_for_us(2_990);
    }
}
