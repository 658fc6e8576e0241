//! A semaphore that core 0 has used is used by core 1: the run ends with a sentence that names the core it belongs to.
// run: --cores 4 --status 101
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::report;

takt::tasks! {
    used: USED_FROM_AFAR.port(),
    stranger: Task::background(stranger).core(1).priority(10),
    owner: Task::background(owner).core(0).priority(254),
}

static SHARED: Semaphore = Semaphore::new(1);
static USED: Event = Event::new();
static USED_FROM_AFAR: Remote<Event, 1> = Remote::to(&USED);

fn owner() -> ! {
    let mut report = takt_tests::Report::new();
    SHARED.take();
    report!(report, "core 0 took it");
    report.flush();
    USED_FROM_AFAR.set();
    takt_tests::rest()
}

fn stranger() -> ! {
    USED.wait();
    let _ = SHARED.give();
    takt::exit(0)
}
