//! The Mars Pathfinder shape: the least urgent of three tasks holds what the most urgent wants, and the middle one comes
//! meanwhile. With a semaphore as a lock the most urgent waits for the middle one; with a mutex, whose ceiling is the most
//! urgent's priority, for the least urgent alone, and it does not even have to ask.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Gate, Log, busy_for_us, raise};

takt::tasks! {
    wake: Interrupt::kernel(3, wake),
    urgent: Task::background(urgent).priority(10).locks(&BUS, micros(100)),
    middle: Task::background(middle).priority(20),
    least: Task::background(least).priority(30).locks(&BUS, micros(100)),
    reporter: Task::background(reporter).priority(254),
}

static LOG: Log<30> = Log::new();
static DONE: Gate = Gate::new(2);
static LOCK: Semaphore = Semaphore::with_most(1, 1);
static BUS: Mutex<u32, 10> = Mutex::new(0);
static URGENT: Event = Event::new();
static MIDDLE: Event = Event::new();
static LEAST: Event = Event::new();

fn wake() {
    MIDDLE.set_from_handler();
    URGENT.set_from_handler();
}

fn urgent() -> ! {
    URGENT.wait();
    LOG.note(&"the urgent task wants it");
    LOCK.take();
    LOG.note(&"the urgent task has it");
    let _ = LOCK.give();
    URGENT.wait();
    LOG.note(&"the urgent task wants it");
    BUS.lock(|uses| *uses += 1);
    LOG.note(&"the urgent task has had it");
    DONE.arrive_and_rest()
}

fn middle() -> ! {
    loop {
        MIDDLE.wait();
        LOG.note(&"the middle task runs");
        busy_for_us(500);
        LOG.note(&"the middle task ends");
    }
}

fn least() -> ! {
    LEAST.wait();
    LOG.note(&"with a semaphore:");
    LOCK.take();
    LOG.note(&"the least urgent has it");
    raise(3);
    busy_for_us(10);
    LOG.note(&"the least urgent gives it back");
    let _ = LOCK.give();
    LOG.note(&"with a ceiling:");
    BUS.lock(|uses| {
        LOG.note(&"the least urgent has it");
        raise(3);
        busy_for_us(10);
        *uses += 1;
        LOG.note(&"the least urgent gives it back");
    });
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    LEAST.set();
    LOG.report_after(&DONE).end()
}
