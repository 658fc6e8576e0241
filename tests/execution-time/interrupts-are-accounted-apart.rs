//! What a handler takes is nobody's execution time but the interrupts', and a handler within another counts once. In a
//! kernel handler the time of the interrupted task is known, and stands still.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU64, Ordering};

use takt::TaskHandle;
use takt::clock::half_ticks_per_us;
use takt::execution_time::this_task_half_ticks;
use takt::prelude::*;
use takt_execution_time::Taken;
use takt_tests::{Report, busy_for_us, raise};

takt::tasks! {
    direct: Interrupt::direct(2, direct),
    kernel: Interrupt::kernel(3, kernel),
    waker: Interrupt::kernel(4, waker),
    woken: Task::background(woken).priority(10),
    reporter: Task::background(reporter).priority(254),
}

static WAKE: Event = Event::new();
static AT_FIRST: AtomicU64 = AtomicU64::new(0);
static AT_LAST: AtomicU64 = AtomicU64::new(0);

fn direct() {
    busy_for_us(20);
}

/// 80 us, of which the direct handler has 20.
fn kernel() {
    let reporter = || TaskHandle::named("reporter").and_then(|task| task.executed_half_ticks().ok()).unwrap_or(0);
    AT_FIRST.store(reporter(), Ordering::Relaxed);
    busy_for_us(20);
    raise(2);
    busy_for_us(40);
    AT_LAST.store(reporter(), Ordering::Relaxed);
}

fn waker() {
    busy_for_us(30);
    WAKE.set_from_handler();
}

fn woken() -> ! {
    loop {
        WAKE.wait();
    }
}

fn interrupted_by(n: u8) -> Taken {
    Taken::by(|| {
        raise(n);
        busy_for_us(1);
    })
}

fn reporter() -> ! {
    let mut report = Report::new();
    // What the handlers are busy for, and a little for the ways there and back and for their questions.
    let about = |half_ticks: u64, us: u64| (us..us + 9).contains(&(half_ticks / half_ticks_per_us()));
    let by_direct = interrupted_by(2);
    report.is("a direct handler: 20 us are the interrupts'", about(by_direct.interrupts, 20));
    report.is("  and less than 9 us the task's", about(by_direct.executed, 0));
    let before = this_task_half_ticks().unwrap_or(0);
    let by_both = interrupted_by(3);
    report.is("a kernel handler, and a direct one within: 80 us are the interrupts'", about(by_both.interrupts, 80));
    report.is("  and less than 9 us the task's", about(by_both.executed, 0));
    let rest = by_both.elapsed - by_both.interrupts - by_both.executed;
    report.is("  together what has passed, to ten readings of the counter", rest < 20);
    let (at_first, at_last) = (AT_FIRST.load(Ordering::Relaxed), AT_LAST.load(Ordering::Relaxed));
    report.is("  in the handler the task's time stands still", at_first == at_last);
    report.is(
        "  at what it was when it was interrupted",
        before < at_first && at_first - before < 3 * half_ticks_per_us(),
    );
    let by_waker = interrupted_by(4);
    report.is("a handler that lets another task run: 30 us are the interrupts'", about(by_waker.interrupts, 30));
    report.is("  and less than 9 us the task's", about(by_waker.executed, 0));
    report.end()
}
