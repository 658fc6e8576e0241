//! A report says what each task does: it runs, is ready, waits in time, waits for an object, or waits for one until an
//! instant at the most. A deadline that has come makes a task ready.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use takt::clock;
use takt::kernel::executive::TaskState;
use takt::prelude::*;
use takt::{TaskHandle, task_reports};
use takt_tests::{Report, busy_for_us, report};

takt::tasks! {
    periodic: Task::periodic(periodic).priority(5).period(millis(1)),
    sleeper: Task::background(sleeper).priority(10),
    waiter: Task::background(waiter).priority(10),
    gives_up: Task::background(gives_up).priority(210),
    reporter: Task::background(reporter).priority(200),
    equal: Task::background(equal).priority(200),
    lower: Task::background(equal).priority(250),
}

static NEVER: Event = Event::new();
static WAITER: Event = Event::new();

fn periodic(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}

fn sleeper() -> ! {
    loop {
        takt::sleep_for(millis(100));
    }
}

fn waiter() -> ! {
    loop {
        WAITER.wait();
    }
}

fn gives_up() -> ! {
    let _ = NEVER.wait_until(clock::from_now(millis(50)));
    takt_tests::rest()
}

fn equal() -> ! {
    takt_tests::rest()
}

fn states(report: &mut Report) {
    for task in task_reports() {
        report!(report, "  {}: {}", task.name, task.state);
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    report!(report, "at first:");
    states(&mut report);
    takt::sleep_for(millis(2));
    report!(report, "when all had their turn:");
    states(&mut report);
    let until = TaskHandle::named("gives_up").map(TaskHandle::state);
    let is_ahead = matches!(until, Some(TaskState::WaitsAtMost(at)) if clock::now().is_before(at));
    report.is("the deadline lies ahead", is_ahead);
    busy_for_us(60_000);
    report!(report, "when the deadline has come:");
    states(&mut report);
    yield_turn();
    takt::sleep_for(millis(1));
    report!(report, "when who gave up waits for something else:");
    states(&mut report);
    report.end()
}
