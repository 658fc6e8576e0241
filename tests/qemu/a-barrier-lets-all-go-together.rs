//! Three tasks meet at a barrier, twice: the last lets all go on, the most urgent first. One that gives up at its deadline has
//! not come, so that one more is waited for.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use takt::clock;
use takt::prelude::*;
use takt_tests::{Gate, Log, report};

takt::tasks! {
    first: Task::background(first).priority(10),
    second: Task::background(second).priority(20),
    gives_up: Task::background(gives_up).priority(15),
    reporter: Task::background(reporter).priority(254),
}

static LOG: Log<20> = Log::new();
static DONE: Gate = Gate::new(3);
static BARRIER: Barrier<3> = Barrier::new();
static SECOND: Event = Event::new();

fn first() -> ! {
    for _ in 0..2 {
        LOG.note(if BARRIER.wait() { &"FIRST IS LAST" } else { &"  first goes on" });
    }
    DONE.arrive_and_rest()
}

fn gives_up() -> ! {
    let deadline = clock::from_now(millis(1));
    let is_so = BARRIER.wait_until(deadline) == Err(TimedOut { deadline });
    LOG.note(if is_so { &"one gives up" } else { &"DOES NOT GIVE UP" });
    DONE.arrive_and_rest()
}

fn second() -> ! {
    SECOND.wait();
    LOG.note(&"the second comes");
    for _ in 0..2 {
        let far = clock::from_now(millis(100));
        LOG.note(if BARRIER.wait_until(far) == Ok(false) { &"  second goes on" } else { &"SECOND DOES NOT" });
    }
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    let began = clock::now();
    while clock::now().is_before(began.after(2_000 * clock::half_ticks_per_us())) {
        takt::rpi4::interrupts::yield_hint();
    }
    SECOND.set();
    for _ in 0..2 {
        LOG.note(&"the third comes");
        LOG.note(if BARRIER.wait() { &"  and was the last" } else { &"  AND WAS NOT" });
    }
    let mut report = LOG.report_after(&DONE);
    let counts = BARRIER.counts();
    report!(report, "waits {}, time-outs {}", counts.waits, counts.time_outs);
    report.end()
}
