// run: --status 101 --append too-urgent
// run: --status 101 --append twice
// run: --status 101 --append not-in-the-table
// run: --status 101 --append waits
// run: --status 101 --append waits-for-a-time
// run: --status 101 --append yields
// run: --status 101 --append kernel-handler
// run: --status 101 --append direct-handler

//! What would break a mutex ends the run with a sentence: a task more urgent than the ceiling, a second lock inside the
//! first, a mutex that no line names, a wait or a yield while it is held, and a handler that locks.
#![no_std]
#![no_main]

use takt::board::command_line;
use takt::clock;
use takt::prelude::*;
use takt_tests::{raise, rest};

takt::tasks! {
    kernel: Interrupt::kernel(3, lock),
    direct: Interrupt::direct(4, lock),
    too_urgent: Task::background(too_urgent).priority(5),
    culprit: Task::background(culprit).priority(20).locks(&SHARED, micros(100)),
}

static SHARED: Mutex<u32, 10> = Mutex::new(0);
static UNNAMED: Mutex<u32, 11> = Mutex::new(0);
static EVENT: Event = Event::new();
static TOO_URGENT: Event = Event::new();

fn lock() {
    SHARED.lock(|value| *value += 1);
}

fn too_urgent() -> ! {
    TOO_URGENT.wait();
    lock();
    rest()
}

fn culprit() -> ! {
    match command_line() {
        "too-urgent" => TOO_URGENT.set(),
        "twice" => SHARED.lock(|_| lock()),
        "not-in-the-table" => UNNAMED.lock(|value| *value += 1),
        "waits" => SHARED.lock(|_| EVENT.wait()),
        "waits-for-a-time" => SHARED.lock(|_| {
            let _ = EVENT.wait_until(clock::from_now(micros(10)));
        }),
        "yields" => SHARED.lock(|_| {
            yield_turn();
        }),
        "kernel-handler" => raise(3),
        "direct-handler" => raise(4),
        other => panic!("{other} is no run of this program"),
    }
    rest()
}
