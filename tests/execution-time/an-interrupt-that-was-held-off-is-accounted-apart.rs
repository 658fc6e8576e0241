//! A kernel interrupt that comes within a task's call into the executive is held off until that has ended. Neither its coming
//! nor its handler is in the task's time, and who runs behind it has what he executes, no more.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU64, Ordering};

use takt::TaskHandle;
use takt::clock::half_ticks_per_us;
use takt::kernel::priority::Priority;
use takt::prelude::*;
use takt::rpi4::{counter, map, virtual_timer};
use takt_execution_time::{Taken, work};
use takt_tests::{Report, busy_for_us};

takt::tasks! {
    fired: Interrupt::kernel(map::VIRTUAL_TIMER_INTID.number(), fired),
    woken: Task::background(woken).priority(10),
    reporter: Task::background(reporter).priority(200),
}

/// Within the long call, which takes more than 1,000.
const AHEAD_TICKS: u64 = 400;

static WAKE: Event = Event::new();
static CAME_TICKS: AtomicU64 = AtomicU64::new(0);
static WOKEN_WORKS: AtomicU64 = AtomicU64::new(0);

fn fired() {
    CAME_TICKS.store(counter::ticks(), Ordering::Relaxed);
    virtual_timer::withdraw();
    busy_for_us(20);
    if WOKEN_WORKS.load(Ordering::Relaxed) != 0 {
        WAKE.set_from_handler();
    }
}

fn woken() -> ! {
    loop {
        WAKE.wait();
        work(5_000);
    }
}

/// A long call that changes nothing.
fn call() {
    if let (Some(task), Some(priority)) = (TaskHandle::running(), Priority::new(200)) {
        let _ = task.set_priority(priority);
    }
}

/// What the call takes when an interrupt comes within, and whether it was held off.
fn interrupted_call() -> (Taken, bool) {
    let mut due = 0;
    let taken = Taken::by(|| {
        due = counter::ticks() + AHEAD_TICKS;
        virtual_timer::arm(due);
        call();
    });
    (taken, CAME_TICKS.load(Ordering::Relaxed) > due + 300)
}

fn reporter() -> ! {
    let mut report = Report::new();
    virtual_timer::withdraw();
    virtual_timer::enable();
    let alone = Taken::by(call);
    let own = || TaskHandle::named("woken").and_then(|task| task.executed_half_ticks().ok()).unwrap_or(0);
    let is_about = |half_ticks: u64, us: u64| (us..us + 5).contains(&(half_ticks / half_ticks_per_us()));
    // The ways of vectors and switches.
    let is_alike = |taken: Taken| taken.executed >= alone.executed && taken.executed - alone.executed < 400;
    let (taken, was_held_off) = interrupted_call();
    report.is("an interrupt came within a long call, and was held off", was_held_off);
    report.is("  the call executed as long as alone", is_alike(taken));
    report.is("  the handler's 20 us are the interrupts'", is_about(taken.interrupts, 20));
    WOKEN_WORKS.store(1, Ordering::Relaxed);
    let work_alone = Taken::by(|| work(5_000)).executed;
    let before = own();
    let (taken, was_held_off) = interrupted_call();
    let works = own() - before;
    report.is("another did, and its handler woke a more urgent task", was_held_off);
    report.is("  the call executed as long as alone", is_alike(taken));
    report.is("  the handler's 20 us are the interrupts'", is_about(taken.interrupts, 20));
    report.is("  the woken task had its work", works >= work_alone && works - work_alone < 1_000);
    report.end()
}
