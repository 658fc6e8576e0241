//! A task's execution time is its own: the same work takes the same, whether a more urgent task preempts it or not.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use takt::execution_time::this_task_half_ticks;
use takt::prelude::*;
use takt::{TaskHandle, sleep_for};
use takt_execution_time::{Taken, work};
use takt_tests::{Report, busy_for_us};

takt::tasks! {
    urgent: Task::background(urgent).priority(10),
    reporter: Task::background(reporter).priority(254),
}

const ROUNDS: u32 = 200_000;

static BEGIN: Event = Event::new();

/// Half of the core, once it has begun.
fn urgent() -> ! {
    BEGIN.wait();
    loop {
        busy_for_us(100);
        sleep_for(micros(100));
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    let urgent = || TaskHandle::named("urgent").and_then(|task| task.executed_half_ticks().ok()).unwrap_or(0);
    let before = urgent();
    let alone = Taken::by(|| work(ROUNDS));
    report
        .is("alone: executed as long as it took, to ten readings of the counter", alone.elapsed - alone.executed < 20);
    report.is("  and the other task not at all", urgent() == before);
    BEGIN.set();
    let before = urgent();
    let preempted = Taken::by(|| work(ROUNDS));
    let other = urgent() - before;
    report.is("preempted: took nearly twice as long", preempted.elapsed > alone.elapsed / 10 * 19);
    report.is(
        "  and executed as long as alone, to a hundredth",
        preempted.executed.abs_diff(alone.executed) < alone.executed / 100,
    );
    report.is("  the other task had the rest, to a twentieth", {
        let rest = preempted.elapsed - preempted.executed;
        other < rest && rest - other < rest / 20
    });
    let own = TaskHandle::running().and_then(|task| task.executed_half_ticks().ok()).unwrap_or(0);
    let again = this_task_half_ticks().unwrap_or(0);
    report.is("a task finds its own time by its handle too", own < again && again - own < 200 * 2);
    report.end()
}
