//! A semaphore counts what is given, up to its most, and drops and counts the rest. Of several that wait, the most urgent has
//! the next, and among equals the one that has waited longest; who gives up at its deadline is passed over, and nobody
//! waits in vain.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use takt::clock;
use takt::prelude::*;
use takt_tests::{Gate, Log, Report, raise, report};

takt::tasks! {
    give: Interrupt::kernel(3, give),
    first: Task::background(first).priority(10),
    second: Task::background(second).priority(20),
    third: Task::background(third).priority(20),
    gives_up: Task::background(gives_up).priority(15),
    reporter: Task::background(reporter).priority(254),
}

static LOG: Log<20> = Log::new();
static DONE: Gate = Gate::new(4);
static SHARED: Semaphore = Semaphore::new(0);
static FEW: Semaphore = Semaphore::with_most(1, 2);

fn give() {
    let _ = SHARED.give_from_handler();
    LOG.note(&"the handler has given");
}

fn first() -> ! {
    SHARED.take();
    LOG.note(&"first");
    DONE.arrive_and_rest()
}

fn second() -> ! {
    SHARED.take();
    LOG.note(&"second");
    DONE.arrive_and_rest()
}

fn third() -> ! {
    SHARED.take();
    LOG.note(&"third");
    DONE.arrive_and_rest()
}

fn gives_up() -> ! {
    let deadline = clock::from_now(millis(1));
    LOG.note(if SHARED.take_until(deadline) == Err(TimedOut { deadline }) { &"gives up" } else { &"has one" });
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    let began = clock::now();
    while clock::now().is_before(began.after(2_000 * clock::half_ticks_per_us())) {
        takt::rpi4::interrupts::yield_hint();
    }
    let _ = SHARED.give();
    LOG.note(&"the least urgent has given");
    raise(3);
    LOG.note(&"again");
    let _ = SHARED.give();
    let mut report = LOG.report_after(&DONE);
    let counts = SHARED.counts();
    report!(report, "waits {}, time-outs {}, highest {}", counts.wait.waits, counts.wait.time_outs, counts.highest);
    of_few(&mut report);
    deadlines(&mut report);
    report.end()
}

fn of_few(report: &mut Report) {
    report!(report, "one of at most two:");
    report.is("  a second is counted", FEW.give() && FEW.count() == 2);
    report.is("  a third is dropped", !FEW.give() && FEW.count() == 2);
    report.is("  two are taken, and no more", FEW.try_take() && FEW.try_take() && !FEW.try_take());
    let counts = FEW.counts();
    report!(report, "  highest {}, dropped {}", counts.highest, counts.dropped);
}

fn deadlines(report: &mut Report) {
    let half_ticks_per_us = clock::half_ticks_per_us();
    let passed = clock::now().before(10 * half_ticks_per_us);
    report.is("a deadline that has passed ends at once", FEW.take_until(passed) == Err(TimedOut { deadline: passed }));
    let deadline = clock::from_now(micros(300));
    let is_over = FEW.take_until(deadline).is_err();
    let late_half_ticks = clock::now().since(deadline);
    report.is(
        "a time-out comes at its tick, and 500 later at the most",
        is_over && (0..1_000).contains(&late_half_ticks),
    );
    let _ = FEW.give();
    report.is("what is there is taken, deadline or not", FEW.take_until(passed).is_ok());
}
