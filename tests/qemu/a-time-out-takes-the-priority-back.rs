//! A task that waits for a mutex until a deadline gives up on time, although the holder, which inherits its priority, keeps
//! the core busy and equals are ready; from then on the holder is as urgent as before, behind a task between the two. A mutex
//! that comes in time is had, and one that is free is had whatever the deadline.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use takt::clock;
use takt::prelude::*;
use takt_tests::{Gate, Log, busy_for_us};

takt::tasks! {
    urgent: Task::background(urgent).priority(10).locks_inherit("bus", millis(2)),
    equal: Task::background(equal).priority(10),
    middle: Task::background(middle).priority(20),
    least: Task::background(least).priority(30).locks_inherit("bus", millis(2)),
    reporter: Task::background(reporter).priority(254),
}

static LOG: Log<30> = Log::new();
static DONE: Gate = Gate::new(2);
static BUS: InheritMutex<()> = InheritMutex::new("bus", ());
static URGENT: Event = Event::new();
static EQUAL: Event = Event::new();
static MIDDLE: Event = Event::new();
static LEAST: Event = Event::new();

fn urgent() -> ! {
    URGENT.wait();
    LOG.note(&"urgent waits for 500 us");
    let deadline = clock::from_now(micros(500));
    let has_given_up = BUS.lock_until(deadline, |()| ()) == Err(TimedOut { deadline });
    let late = clock::now().since(deadline);
    LOG.note(if has_given_up { &"urgent gives up" } else { &"URGENT HAS IT" });
    LOG.note(if (0..2_000).contains(&late) { &"  within 1000 ticks" } else { &"  TOO LATE OR TOO EARLY" });
    URGENT.wait();
    LOG.note(&"urgent waits for 5 ms");
    let is_in_time = BUS.lock_until(clock::from_now(millis(5)), |()| LOG.note(&"urgent has it")).is_ok();
    LOG.note(if is_in_time { &"urgent has had it" } else { &"URGENT GAVE UP" });
    let passed = clock::now();
    let has_it = BUS.lock_until(passed, |()| ()).is_ok();
    LOG.note(if has_it { &"what is free is had" } else { &"WHAT IS FREE IS NOT HAD" });
    DONE.arrive_and_rest()
}

fn equal() -> ! {
    loop {
        EQUAL.wait();
        LOG.note(&"equal runs");
    }
}

fn middle() -> ! {
    loop {
        MIDDLE.wait();
        LOG.note(&"middle runs");
    }
}

fn least() -> ! {
    LEAST.wait();
    BUS.lock(|()| {
        URGENT.set();
        LOG.note(&"least is as urgent");
        MIDDLE.set();
        EQUAL.set();
        busy_for_us(1_000);
        LOG.note(&"least is as before");
    });
    LOG.note(&"again:");
    BUS.lock(|()| {
        URGENT.set();
        MIDDLE.set();
        busy_for_us(1_000);
        LOG.note(&"least gives it back");
    });
    LOG.note(&"least ends");
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    LEAST.set();
    let mut report = LOG.report_after(&DONE);
    let counts = BUS.counts();
    takt_tests::report!(report, "waits {}, time-outs {}", counts.waits, counts.time_outs);
    report.end()
}
