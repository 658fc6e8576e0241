//! In a level that runs the earliest deadline first, an earlier deadline preempts, an equal one comes behind those that came
//! before, and a yield lets those of the same deadline run, but no later one.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Gate, Log, busy_for_us};

takt::tasks! {
    deadlines: Level::earliest_deadline_first(20),
    latest: Task::periodic(latest).priority(20).period(millis(50)).deadline(millis(8)),
    yields: Task::periodic(yields).priority(20).period(millis(50)).deadline(millis(5)),
    long: Task::periodic(long).priority(20).period(millis(50)).deadline(millis(5)),
    equal: Task::periodic(equal).priority(20).period(millis(50)).offset(millis(1)).deadline(millis(4)),
    earlier: Task::periodic(earlier).priority(20).period(millis(50)).offset(millis(1)).deadline(millis(2)),
    reporter: Task::background(reporter).priority(254),
}

static LOG: Log<20> = Log::new();
static DONE: Gate = Gate::new(5);

fn yields(mut period: Periodic) -> ! {
    let _ = period.wait();
    LOG.note(&"until 5 ms: yields");
    yield_turn();
    LOG.note(&"until 5 ms: goes on");
    DONE.arrive_and_rest()
}

fn long(mut period: Periodic) -> ! {
    let _ = period.wait();
    LOG.note(&"until 5 ms, of another: runs for 2 ms");
    busy_for_us(2_000);
    LOG.note(&"until 5 ms, of another: ends");
    DONE.arrive_and_rest()
}

fn latest(mut period: Periodic) -> ! {
    let _ = period.wait();
    LOG.note(&"until 8 ms");
    DONE.arrive_and_rest()
}

fn equal(mut period: Periodic) -> ! {
    let _ = period.wait();
    LOG.note(&"until 5 ms, from 1 ms on");
    DONE.arrive_and_rest()
}

fn earlier(mut period: Periodic) -> ! {
    let _ = period.wait();
    LOG.note(&"until 3 ms, from 1 ms on");
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    LOG.report_after(&DONE).end()
}
