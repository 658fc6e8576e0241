// run: --status 101 --append waits
// run: --status 101 --append waits-for-a-time
// run: --status 101 --append sleeps
// run: --status 101 --append yields
// run: --status 101 --append kernel-handler
// run: --status 101 --append direct-handler

//! What would break the lock of preemption ends the run with a sentence: a wait, a sleep or a yield while it is locked, and
//! a handler that locks.
#![no_std]
#![no_main]

use takt::board::command_line;
use takt::clock;
use takt::prelude::*;
use takt_tests::{raise, rest};

takt::tasks! {
    kernel: Interrupt::kernel(3, lock),
    direct: Interrupt::direct(4, lock),
    culprit: Task::background(culprit).priority(20).locks_preemption(micros(100)),
}

static SEMAPHORE: Semaphore = Semaphore::new(0);

fn lock() {
    preemption_lock(|| {});
}

fn culprit() -> ! {
    match command_line() {
        "waits" => preemption_lock(|| SEMAPHORE.take()),
        "waits-for-a-time" => preemption_lock(|| {
            let _ = SEMAPHORE.take_until(clock::from_now(micros(10)));
        }),
        "sleeps" => preemption_lock(|| {
            sleep_until(clock::from_now(micros(10)));
        }),
        "yields" => preemption_lock(|| {
            yield_turn();
        }),
        "kernel-handler" => raise(3),
        "direct-handler" => raise(4),
        other => panic!("{other} is no run of this program"),
    }
    rest()
}
