//! Tasks wait for a value behind a mutex to become as each needs it. One that is notified looks again and waits on where it is
//! not so; notifying all lets each look, the most urgent first; who gives up at its deadline is passed over; a notification
//! between a waiter's look and its wait cannot come.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use takt::clock;
use takt::prelude::*;
use takt_tests::{Gate, Log, raise, report};

takt::tasks! {
    notify: Interrupt::kernel(3, notify),
    wants_two: Task::background(wants_two).priority(10).locks_inherit("stock", micros(100)),
    wants_one: Task::background(wants_one).priority(20).locks_inherit("stock", micros(100)),
    gives_up: Task::background(gives_up).priority(15).locks_inherit("stock", micros(100)),
    reporter: Task::background(reporter).priority(254).locks_inherit("stock", micros(100)),
}

static LOG: Log<20> = Log::new();
static DONE: Gate = Gate::new(3);
static STOCK: InheritMutex<u32> = InheritMutex::new("stock", 0);
static CHANGED: CondVar = CondVar::new();

fn notify() {
    CHANGED.notify_one_from_handler();
}

fn wants_two() -> ! {
    let had = STOCK.lock_when(
        &CHANGED,
        |&stock| {
            LOG.note(&"wants two: looks");
            stock >= 2
        },
        core::mem::take,
    );
    LOG.note(if had == 2 { &"wants two: has them" } else { &"WANTS TWO: WRONG" });
    DONE.arrive_and_rest()
}

fn wants_one() -> ! {
    let is_so = |&stock: &u32| {
        LOG.note(&"wants one: looks");
        stock >= 1
    };
    STOCK.lock_when(&CHANGED, is_so, |stock| *stock -= 1);
    LOG.note(&"wants one: has it");
    DONE.arrive_and_rest()
}

fn gives_up() -> ! {
    let deadline = clock::from_now(millis(1));
    let result = STOCK.lock_when_until(&CHANGED, deadline, |&stock| stock >= 100, |_| ());
    LOG.note(if result == Err(TimedOut { deadline }) { &"gives up" } else { &"DOES NOT GIVE UP" });
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    let began = clock::now();
    while clock::now().is_before(began.after(2_000 * clock::half_ticks_per_us())) {
        takt::rpi4::interrupts::yield_hint();
    }
    LOG.note(&"one, and one is notified:");
    STOCK.lock(|stock| *stock += 1);
    CHANGED.notify_one();
    LOG.note(&"all are notified:");
    CHANGED.notify_all();
    LOG.note(&"two, and a handler notifies:");
    STOCK.lock(|stock| *stock += 2);
    raise(3);
    let mut report = LOG.report_after(&DONE);
    let counts = CHANGED.counts();
    report!(report, "waits {}, time-outs {}", counts.waits, counts.time_outs);
    let deadline = clock::from_now(micros(100));
    let is_had = STOCK.lock_when_until(&CHANGED, deadline, |&stock| stock == 0, |stock| *stock);
    report.is("what is so already is had at once", is_had == Ok(0) && clock::now().is_before(deadline));
    report.end()
}
