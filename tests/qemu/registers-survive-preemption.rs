//! What a task has in its registers survives: three tasks compute with more values at once than there are registers
//! while a timer task preempts them some twenty thousand times and lets them take turns in between.
#![no_std]
#![no_main]

use core::hint::black_box;
use core::sync::atomic::{AtomicU32, Ordering};

use takt::prelude::*;
use takt_tests::{Gate, Report, report};

takt::tasks! {
    preempter: Task::periodic(preempter).priority(5).period(micros(20)),
    switcher: Task::periodic(switcher).priority(10).period(micros(110)),
    first: Task::background(compute::<1>).priority(20),
    second: Task::background(compute::<2>).priority(20),
    third: Task::background(compute::<3>).priority(20),
    reporter: Task::background(reporter).priority(254),
}

const ROUNDS: u32 = 40;
static DONE: Gate = Gate::new(3);
static PREEMPTED: AtomicU32 = AtomicU32::new(0);
static WRONG: AtomicU32 = AtomicU32::new(0);

/// Thirty-two values, each of which depends on its neighbours: the compiler keeps as many as it can in registers.
#[inline(never)]
fn mix(seed: u64, laps: u32) -> u64 {
    let mut values: [u64; 32] = core::array::from_fn(|index| seed.wrapping_mul(2 * index as u64 + 1));
    for _ in 0..laps {
        for index in 0..32 {
            let next = values[(index + 1) % 32];
            values[index] = values[index].rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ next;
        }
    }
    values.iter().fold(0, |sum, value| sum.rotate_left(3) ^ value)
}

fn compute<const SEED: u64>() -> ! {
    // The same in pieces, with a turn for the others after each.
    let expected = mix(black_box(SEED), black_box(1_500));
    for _ in 0..ROUNDS {
        if mix(black_box(SEED), black_box(1_500)) != expected {
            WRONG.fetch_add(1, Ordering::Relaxed);
        }
        yield_turn();
    }
    DONE.arrive_and_rest()
}

fn preempter(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        PREEMPTED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Leaves other values in the registers than it found.
fn switcher(mut period: Periodic) -> ! {
    let mut sum = 0;
    loop {
        let release = period.wait();
        sum ^= mix(release.due().half_ticks(), 1);
        black_box(sum);
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    report.is("preempted more than ten thousand times", PREEMPTED.load(Ordering::Relaxed) > 10_000);
    report!(report, "wrong results {} of {}", WRONG.load(Ordering::Relaxed), 3 * ROUNDS);
    report.end()
}
