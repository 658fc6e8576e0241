// run: --status 101
//! A direct handler has no frame to write into, so a message it logs ends the run with a sentence.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{raise, rest};

takt::tasks! {
    direct: Interrupt::direct(1, direct),
    log: Task::background(takt_log::task).priority(253),
    task: Task::background(task).priority(254),
}

fn direct() {
    defmt::info!("this is never seen");
}

fn task() -> ! {
    raise(1);
    rest()
}
