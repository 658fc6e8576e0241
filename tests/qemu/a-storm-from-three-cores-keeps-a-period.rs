//! Three cores send to core 0 as fast as they can: its periodic task runs or counts every release, and every give arrives.
// run: --cores 4
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use takt::prelude::*;
use takt::rpi4::{cores, interrupts};
use takt_tests::{Report, report};

takt::tasks! {
    gives: GIVES_FROM_AFAR.port(),
    events: EVENT_FROM_AFAR.port(),
    control: Task::periodic(control).core(0).priority(5).period(micros(250)),
    taker: Task::background(taker).core(0).priority(20),
    waiter: Task::background(waiter).core(0).priority(21),
    reporter: Task::background(reporter).core(0).priority(254),
    storm_1: Task::background(storm).core(1).priority(100),
    storm_2: Task::background(storm).core(2).priority(100),
    storm_3: Task::background(storm).core(3).priority(100),
}

const EACH: u32 = 30_000;
const RELEASES: u64 = 400;
/// 250 us in QEMU.
const PERIOD_HALF_TICKS: u64 = 250 * 125;

static GIVES: Semaphore = Semaphore::new(0);
static GIVES_FROM_AFAR: Remote<Semaphore, 0> = Remote::to(&GIVES);
static EVENT: Event = Event::new();
static EVENT_FROM_AFAR: Remote<Event, 0> = Remote::to(&EVENT);
static TAKEN: AtomicU32 = AtomicU32::new(0);
static EVENTS: AtomicU32 = AtomicU32::new(0);
static SENT: [AtomicU32; 4] = [const { AtomicU32::new(0) }; 4];
static RELEASED: [AtomicU32; 2] = [const { AtomicU32::new(0) }; 2];
/// When the first and the latest release were due.
static DUE: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];
static IS_OVER: AtomicBool = AtomicBool::new(false);
static DONE: Event = Event::new();

fn storm() -> ! {
    let sent = &SENT[cores::this_core()];
    for number in 1..=EACH {
        GIVES_FROM_AFAR.give();
        EVENT_FROM_AFAR.set();
        sent.store(number, Ordering::Relaxed);
        if number.is_multiple_of(8) {
            interrupts::yield_hint();
        }
    }
    takt_tests::rest()
}

fn control(mut period: Periodic) -> ! {
    let mut releases = 0;
    while releases < RELEASES || !IS_OVER.load(Ordering::Relaxed) {
        let release = period.wait();
        let due = release.due().half_ticks();
        let _ = DUE[0].compare_exchange(0, due, Ordering::Relaxed, Ordering::Relaxed);
        DUE[1].store(due, Ordering::Relaxed);
        releases += 1 + release.skipped();
        RELEASED[0].fetch_add(1, Ordering::Relaxed);
        RELEASED[1].fetch_add(release.skipped() as u32, Ordering::Relaxed);
    }
    DONE.set();
    takt_tests::rest()
}

fn taker() -> ! {
    loop {
        GIVES.take();
        TAKEN.fetch_add(1, Ordering::Relaxed);
    }
}

fn waiter() -> ! {
    loop {
        EVENT.wait();
        EVENTS.fetch_add(1, Ordering::Relaxed);
    }
}

fn reporter() -> ! {
    while TAKEN.load(Ordering::Relaxed) < 3 * EACH {
        interrupts::yield_hint();
    }
    IS_OVER.store(true, Ordering::Relaxed);
    DONE.wait();
    let mut report = Report::new();
    report.is("every give arrived", TAKEN.load(Ordering::Relaxed) == 3 * EACH && GIVES.count() == 0);
    report.is("each core sent all", SENT.iter().skip(1).all(|sent| sent.load(Ordering::Relaxed) == EACH));
    report.is("events came, many at once", (1..=3 * EACH).contains(&EVENTS.load(Ordering::Relaxed)));
    let (run, skipped) = (RELEASED[0].load(Ordering::Relaxed), RELEASED[1].load(Ordering::Relaxed));
    let due = DUE.each_ref().map(|due| due.load(Ordering::Relaxed));
    let periods = (due[1] - due[0]) / PERIOD_HALF_TICKS + 1;
    report.is("every release of core 0 ran or is counted as skipped", periods == u64::from(run + skipped));
    report.is("and there were many", periods >= RELEASES && run > 100);
    report!(report, "{} gives", 3 * EACH);
    report.end()
}
