//! Seven tasks on four cores meet at a barrier a thousand times: none is ever a round ahead of another, each sees what the others
//! did before they came, and one of each round is told that it is the one.
// run: --icount 4 --cores 4
// run: --icount 4 --cores 4 --append timebase=generic
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, Ordering};

use takt::prelude::*;
use takt::rpi4::interrupts;
use takt_tests::{Report, report, rest};

takt::tasks! {
    step: STEP.port(),
    done: DONE_FROM_AFAR.port(),
    first_on_0: Task::background(walk::<0>).core(0).priority(10).remote_sends(1),
    second_on_0: Task::background(walk::<1>).core(0).priority(20).remote_sends(1),
    first_on_1: Task::background(walk::<2>).core(1).priority(10).remote_sends(1),
    second_on_1: Task::background(walk::<3>).core(1).priority(10).remote_sends(1),
    first_on_2: Task::background(walk::<4>).core(2).priority(10).remote_sends(1),
    second_on_2: Task::background(walk::<5>).core(2).priority(30).remote_sends(1),
    alone_on_3: Task::background(walk::<6>).core(3).priority(10).remote_sends(1),
    reporter: Task::background(reporter).core(0).priority(254),
}

const TASKS: usize = 7;
const ROUNDS: u32 = 1_000;

static STEP: CoresBarrier<TASKS, 2> = CoresBarrier::new();
static DONE: Semaphore = Semaphore::new(0);
static DONE_FROM_AFAR: Remote<Semaphore, 0> = Remote::to(&DONE);
/// In which round each task is.
static IN_ROUND: [AtomicU32; TASKS] = [const { AtomicU32::new(0) }; TASKS];
/// How often each was the one.
static WAS_THE_ONE: [AtomicU32; TASKS] = [const { AtomicU32::new(0) }; TASKS];
static APART: AtomicU32 = AtomicU32::new(0);

fn walk<const TASK: usize>() -> ! {
    for round in 1..=ROUNDS {
        IN_ROUND[TASK].store(round, Ordering::Relaxed);
        // Each comes early in some rounds and late in others.
        for _ in 0..(round as usize * (2 * TASK + 3)) % 23 {
            interrupts::yield_hint();
        }
        if STEP.wait() {
            WAS_THE_ONE[TASK].fetch_add(1, Ordering::Relaxed);
        }
        // All have come, and as long as this one has not come again none is further than the next.
        let are_in_step = |other: &AtomicU32| (round..=round + 1).contains(&other.load(Ordering::Relaxed));
        if !IN_ROUND.iter().all(are_in_step) {
            APART.fetch_add(1, Ordering::Relaxed);
        }
    }
    DONE_FROM_AFAR.give();
    rest()
}

fn reporter() -> ! {
    let mut report = Report::new();
    for _ in 0..TASKS {
        DONE.take();
    }
    let sum = |counts: &[AtomicU32]| counts.iter().map(|count| count.load(Ordering::Relaxed)).sum::<u32>();
    report!(report, "{} rounds of {TASKS} tasks", sum(&IN_ROUND) / TASKS as u32);
    report.is("none was ever a round ahead", APART.load(Ordering::Relaxed) == 0);
    report!(report, "the one of a round: {} times", sum(&WAS_THE_ONE));
    report!(report, "waits on core 0: {}", STEP.counts().waits);
    report.end()
}
