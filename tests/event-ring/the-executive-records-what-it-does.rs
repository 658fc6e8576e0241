//! What the executive does stands in the ring in its order: a release that preempts, a wait, an event set by a task and by a
//! kernel handler, a direct handler within, a yield.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt::trace::{self, Event as Recorded, mark};
use takt_tests::{Report, busy_for_us, raise, report};

takt::tasks! {
    direct: Interrupt::direct(2, direct),
    kernel: Interrupt::kernel(3, kernel),
    periodic: Task::periodic(periodic).priority(10).period(millis(1)),
    waiter: Task::background(waiter).priority(20),
    equal: Task::background(equal).priority(254),
    reporter: Task::background(reporter).priority(254),
}

static FOR_WAITER: Event = Event::new();
static FOR_EQUAL: Event = Event::new();

fn direct() {
    mark(100);
}

fn kernel() {
    raise(2);
    busy_for_us(1);
    FOR_WAITER.set_from_handler();
}

fn periodic(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        mark(200);
    }
}

fn waiter() -> ! {
    loop {
        FOR_WAITER.wait();
        mark(300);
    }
}

fn equal() -> ! {
    loop {
        FOR_EQUAL.wait();
        mark(400);
        takt::yield_turn();
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    // Ranks: 0 periodic, 1 waiter, 2 equal, 3 reporter.
    of(&mut report, "a release", || busy_for_us(1_000));
    of(&mut report, "an event, set by a task", || FOR_WAITER.set());
    of(&mut report, "an event, set by a kernel handler that a direct one interrupts", || {
        raise(3);
        busy_for_us(5);
    });
    of(&mut report, "a yield, and one back", || {
        FOR_EQUAL.set();
        takt::yield_turn();
    });
    report.end()
}

/// What is recorded while `act` runs, shortly behind a release.
fn of(report: &mut Report, what: &str, act: impl FnOnce()) {
    report.flush();
    let jobs = || takt::task_reports().next().map_or(0, |first| first.counts.count);
    let before = jobs();
    while jobs() == before {
        busy_for_us(1);
    }
    trace::keep();
    mark(0);
    act();
    mark(0);
    trace::keep();
    report!(report, "{what}:");
    let Some(kept) = trace::kept() else { return };
    let events = kept.history().entries().map(|entry| Recorded::from_word(entry.word));
    let is_bound = |event: &Result<Recorded, _>| matches!(event, Ok(Recorded::Mark { value: 0 }));
    for event in events.skip_while(|event| !is_bound(event)).skip(1).take_while(|event| !is_bound(event)) {
        match event {
            Ok(event) => report!(report, "  {event}"),
            Err(unknown) => report!(report, "  {unknown}"),
        }
    }
}
