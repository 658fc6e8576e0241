// run:
// run: --append "timebase=generic"

//! A table of 63 tasks, the most there can be, fits with its stacks and runs: 62 tasks that are due at once are all
//! released in every period and run in the order of urgency.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use takt::prelude::*;
use takt_tests::{Gate, Report, report};

takt::tasks! {
    t01: worker::<1>(),
    t02: worker::<2>(),
    t03: worker::<3>(),
    t04: worker::<4>(),
    t05: worker::<5>(),
    t06: worker::<6>(),
    t07: worker::<7>(),
    t08: worker::<8>(),
    t09: worker::<9>(),
    t10: worker::<10>(),
    t11: worker::<11>(),
    t12: worker::<12>(),
    t13: worker::<13>(),
    t14: worker::<14>(),
    t15: worker::<15>(),
    t16: worker::<16>(),
    t17: worker::<17>(),
    t18: worker::<18>(),
    t19: worker::<19>(),
    t20: worker::<20>(),
    t21: worker::<21>(),
    t22: worker::<22>(),
    t23: worker::<23>(),
    t24: worker::<24>(),
    t25: worker::<25>(),
    t26: worker::<26>(),
    t27: worker::<27>(),
    t28: worker::<28>(),
    t29: worker::<29>(),
    t30: worker::<30>(),
    t31: worker::<31>(),
    t32: worker::<32>(),
    t33: worker::<33>(),
    t34: worker::<34>(),
    t35: worker::<35>(),
    t36: worker::<36>(),
    t37: worker::<37>(),
    t38: worker::<38>(),
    t39: worker::<39>(),
    t40: worker::<40>(),
    t41: worker::<41>(),
    t42: worker::<42>(),
    t43: worker::<43>(),
    t44: worker::<44>(),
    t45: worker::<45>(),
    t46: worker::<46>(),
    t47: worker::<47>(),
    t48: worker::<48>(),
    t49: worker::<49>(),
    t50: worker::<50>(),
    t51: worker::<51>(),
    t52: worker::<52>(),
    t53: worker::<53>(),
    t54: worker::<54>(),
    t55: worker::<55>(),
    t56: worker::<56>(),
    t57: worker::<57>(),
    t58: worker::<58>(),
    t59: worker::<59>(),
    t60: worker::<60>(),
    t61: worker::<61>(),
    t62: worker::<62>(),
    reporter: Task::background(reporter).priority(254),
}

const WORKERS: u32 = 62;
const ROUNDS: u64 = 20;
static DONE: Gate = Gate::new(WORKERS);
static TURN: AtomicU32 = AtomicU32::new(0);
static OUT_OF_TURN: AtomicU64 = AtomicU64::new(0);

/// Task `NUMBER`, the less urgent the greater its number.
const fn worker<const NUMBER: u8>() -> Task {
    Task::periodic(work::<NUMBER>).priority(4 * NUMBER).period(millis(5)).stack_bytes(4_096)
}

fn work<const NUMBER: u8>(mut period: Periodic) -> ! {
    for _ in 0..ROUNDS {
        let release = period.wait();
        let turn = TURN.fetch_add(1, Ordering::Relaxed) % WORKERS;
        if turn + 1 != u32::from(NUMBER) || release.skipped() != 0 {
            OUT_OF_TURN.fetch_add(1, Ordering::Relaxed);
        }
    }
    let _ = period.wait();
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    report!(report, "tasks {}", takt::task_reports().count());
    report!(report, "jobs {}", TURN.load(Ordering::Relaxed));
    report!(report, "out of turn {}", OUT_OF_TURN.load(Ordering::Relaxed));
    let jobs = takt::task_reports().map(|task| task.counts.count);
    report!(report, "fewest jobs of a worker {:?}", jobs.filter(|&count| count > 0).min());
    report.end()
}
