// run: --status 101 --append two
// run: --status 101 --append three
// run: --status 101 --append itself
// run: --status 101 --append inside-a-ceiling
// run: --status 101 --append too-deep
// run: --status 101 --append not-in-the-table
// run: --status 101 --append tried-but-not-in-the-table
// run: --status 101 --append waits
// run: --status 101 --append yields
// run: --status 101 --append condvar-in-another
// run: --status 101 --append kernel-handler
// run: --status 101 --append no-flag

//! What would stop a system that uses mutexes with inheritance ends the run with a sentence: tasks that wait for one another
//! in a circle, which are named with what they wait for, a mutex inside itself, one that another holds inside a mutex with a
//! ceiling, one too many, one that the task's line does not name, a wait inside, and a handler that locks. So does a wait for
//! no flag.
#![no_std]
#![no_main]

use takt::board::command_line;
use takt::prelude::*;
use takt_tests::{raise, rest};

takt::tasks! {
    kernel: Interrupt::kernel(3, lock),
    first: Task::background(first).priority(10).locks_inherit("red", micros(100)).locks_inherit("green", micros(100)),
    second: Task::background(second).priority(20).locks_inherit("green", micros(100)).locks_inherit("blue", micros(100)),
    culprit: Task::background(culprit)
        .priority(30)
        .locks(&CEILING, micros(100))
        .locks_inherit("blue", micros(100))
        .locks_inherit("red", micros(100))
        .locks_inherit("green", micros(100))
        .locks_inherit("white", micros(100))
        .locks_inherit("black", micros(100)),
    least: Task::background(least).priority(40).locks_inherit("white", micros(100)),
}

static RED: InheritMutex<u32> = InheritMutex::new("red", 0);
static GREEN: InheritMutex<u32> = InheritMutex::new("green", 0);
static BLUE: InheritMutex<u32> = InheritMutex::new("blue", 0);
static WHITE: InheritMutex<u32> = InheritMutex::new("white", 0);
static BLACK: InheritMutex<u32> = InheritMutex::new("black", 0);
static UNNAMED: InheritMutex<u32> = InheritMutex::new("unnamed", 0);
static CEILING: Mutex<u32, 10> = Mutex::new(0);
static CHANGED: CondVar = CondVar::new();
static EVENT: Event = Event::new();
static FLAGS: EventFlags = EventFlags::new();
static FIRST: Event = Event::new();
static SECOND: Event = Event::new();
static LEAST: Event = Event::new();
static CULPRIT: Event = Event::new();

fn lock() {
    RED.lock(|value| *value += 1);
}

/// Holds red and wants green.
fn first() -> ! {
    FIRST.wait();
    RED.lock(|_| GREEN.lock(|value| *value += 1));
    rest()
}

/// Holds green and wants blue.
fn second() -> ! {
    SECOND.wait();
    GREEN.lock(|_| BLUE.lock(|value| *value += 1));
    rest()
}

/// Holds white while the culprit goes on.
fn least() -> ! {
    LEAST.wait();
    WHITE.lock(|_| CULPRIT.set());
    rest()
}

fn culprit() -> ! {
    match command_line() {
        "two" => GREEN.lock(|_| {
            FIRST.set();
            lock();
        }),
        "three" => BLUE.lock(|_| {
            SECOND.set();
            FIRST.set();
            lock();
        }),
        "itself" => RED.lock(|_| lock()),
        "inside-a-ceiling" => {
            LEAST.set();
            CULPRIT.wait();
            CEILING.lock(|_| WHITE.lock(|value| *value += 1));
        }
        "too-deep" => RED.lock(|_| GREEN.lock(|_| BLUE.lock(|_| WHITE.lock(|_| BLACK.lock(|value| *value += 1))))),
        "not-in-the-table" => UNNAMED.lock(|value| *value += 1),
        "tried-but-not-in-the-table" => {
            let _ = UNNAMED.try_lock(|value| *value += 1);
        }
        "waits" => RED.lock(|_| EVENT.wait()),
        "yields" => RED.lock(|_| {
            yield_turn();
        }),
        "condvar-in-another" => GREEN.lock(|_| RED.lock_when(&CHANGED, |&value| value > 0, |_| ())),
        "kernel-handler" => raise(3),
        "no-flag" => {
            let _ = FLAGS.wait_any(0, Received::Stay);
        }
        other => panic!("{other} is no run of this program"),
    }
    rest()
}
