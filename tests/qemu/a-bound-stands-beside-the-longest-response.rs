// run: --icount 4 --cores 1

//! Beside the longest observed response of a task stands the bound that the compiler found for the machine on which it runs,
//! here QEMU with counted instructions, and no job took longer.
#![no_std]
#![no_main]

use takt::kernel::response::{self, ResponseTimes};
use takt::prelude::*;
use takt::{Bound, Sporadic, clock};
use takt_tests::{Report, busy_for_us, report};

takt::tasks! {
    control: Task::periodic(control).priority(10).period(micros(1_000)).wcet(micros(60)),
    pulse: Task::sporadic(pulse).priority(15).min_interval(micros(5_000)).wcet(micros(30)),
    tuner: Task::periodic(tuner).priority(20).period(micros(5_000)).wcet(micros(400)),
    unknown: Task::periodic(unknown).priority(30).period(micros(10_000)),
    reporter: Task::background(reporter).priority(254),
}

static PULSE: Sporadic = Sporadic::new();
static DONE: Event = Event::new();

fn control(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        busy_for_us(50);
    }
}

fn pulse(task: SporadicTask) -> ! {
    let mut releases = task.released_by(&PULSE);
    loop {
        let _ = releases.wait();
        busy_for_us(20);
    }
}

fn tuner(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        busy_for_us(300);
        let _ = PULSE.release();
    }
}

fn unknown(mut period: Periodic) -> ! {
    for _ in 0..20 {
        let _ = period.wait();
    }
    DONE.set();
    loop {
        let _ = period.wait();
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    // All at once, before anything is printed: QEMU does not pace the console.
    let reports = [0, 1, 2, 3].map(|place| takt::task_reports().nth(place).map(|task| (task, task.bound())));
    if let Some(assumptions) = takt::bound_assumptions() {
        report!(report, "{assumptions}");
    }
    for (task, bound) in reports.into_iter().flatten() {
        let Some(times) = task.responses else { continue };
        let ResponseTimes { least_half_ticks, greatest_half_ticks, .. } = times;
        let mean = times.mean_half_ticks();
        let greatest_ns = response::ns(greatest_half_ticks, clock::rate());
        report!(report, "task '{}'", task.name);
        let is_ordered = least_half_ticks <= mean && mean <= greatest_half_ticks;
        report.is("  min, mean and max are in their order", is_ordered && times.count == task.counts.count);
        match bound {
            Bound::Kept(bound) => {
                let bound_ns = i64::try_from(bound.as_nanos()).unwrap_or(0);
                report.is("  the longest is within the bound", greatest_ns <= bound_ns);
            }
            other => report!(report, "  {other}"),
        }
    }
    report.end()
}
