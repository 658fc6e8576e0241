// run: --icount 4 --cores 1 --status 101

//! A job that takes longer than the bound that was found for its task ends the run where time is counted, with a sentence
//! that says by how much, and that the declared execution time may be what is wrong: here it is.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{busy_for_us, rest};

takt::tasks! {
    liar: Task::periodic(liar).priority(10).period(micros(1_000)).wcet(micros(40)),
    reporter: Task::background(reporter).priority(254),
}

fn liar(mut period: Periodic) -> ! {
    for job in 0.. {
        let _ = period.wait();
        busy_for_us(if job < 5 { 20 } else { 500 });
    }
    rest()
}

fn reporter() -> ! {
    rest()
}
