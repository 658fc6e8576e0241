// run:
// run: --append "timebase=generic"

//! Eight tasks that are always due at the same instant are all released, each once, and run in the order of urgency,
//! equals in the order of the table.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use takt::prelude::*;
use takt_tests::{Gate, Report, report};

takt::tasks! {
    h: Task::periodic(run::<7>).priority(80).period(millis(1)),
    a: Task::periodic(run::<0>).priority(1).period(millis(1)),
    c: Task::periodic(run::<2>).priority(30).period(millis(1)),
    d: Task::periodic(run::<3>).priority(30).period(millis(1)),
    e: Task::periodic(run::<4>).priority(30).period(millis(1)),
    b: Task::periodic(run::<1>).priority(20).period(millis(1)),
    g: Task::periodic(run::<6>).priority(71).period(millis(1)),
    f: Task::periodic(run::<5>).priority(70).period(millis(1)),
    reporter: Task::background(reporter).priority(254),
}

const TASKS: u32 = 8;
const ROUNDS: u64 = 1_000;
static DONE: Gate = Gate::new(TASKS);
static TURN: AtomicU32 = AtomicU32::new(0);
static OUT_OF_TURN: AtomicU64 = AtomicU64::new(0);
static RELEASED: [AtomicU64; TASKS as usize] = [const { AtomicU64::new(0) }; TASKS as usize];

fn run<const RANK: u32>(mut period: Periodic) -> ! {
    let first = period.wait();
    let mut release = first;
    for round in 1..=ROUNDS {
        // Each begins after the one before it has ended, if nobody is preempted or passed over.
        let turn = TURN.fetch_add(1, Ordering::Relaxed);
        let is_in_turn = turn % TASKS == RANK && release.skipped() == 0;
        let is_on_beat = release.due() == first.due().after((round - 1) * period.period_half_ticks());
        OUT_OF_TURN.fetch_add(u64::from(!is_in_turn || !is_on_beat), Ordering::Relaxed);
        RELEASED[RANK as usize].fetch_add(1, Ordering::Relaxed);
        release = period.wait();
    }
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    for released in &RELEASED {
        report!(report, "released {}", released.load(Ordering::Relaxed));
    }
    report!(report, "out of turn {}", OUT_OF_TURN.load(Ordering::Relaxed));
    for task in takt::task_reports().filter(|task| task.counts.count > 0) {
        report!(report, "{:3} {}: {:?}", task.priority, task.name, task.counts);
    }
    report.end()
}
