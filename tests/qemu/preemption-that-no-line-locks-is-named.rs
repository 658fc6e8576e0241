// run: --status 101

//! A table in which no line says that it locks preemption has no level for it: who locks it ends the run with a sentence.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

fn culprit() -> ! {
    preemption_lock(|| {});
    takt_tests::rest()
}
