//! A wait with a deadline ends when the event is set, or when the deadline comes, whichever is first; a deadline that has
//! passed does not hang, an event that is set already does not wait, and neither leaves anything behind for the next wait.
//! Where both come within the same microsecond, one of them counts, and never both.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU64, Ordering};

use takt::clock;
use takt::kernel::time::Instant;
use takt::prelude::*;
use takt_tests::{Report, raise, report};

takt::tasks! {
    setter: Interrupt::kernel(3, set),
    periodic: Task::periodic(periodic).priority(10).period(millis(1)),
    other: Task::background(other).priority(30),
    waiter: Task::background(waiter).priority(20),
}

static EVENT: Event = Event::new();
static NEVER: Event = Event::new();
static OTHER: Event = Event::new();
static ASKED_FOR: AtomicU64 = AtomicU64::new(0);

fn set() {
    EVENT.set_from_handler();
}

/// Others wait for instants as well.
fn periodic(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
    }
}

/// Has the handler set the event so many half ticks from now.
fn other() -> ! {
    loop {
        OTHER.wait();
        let at = Instant::from_half_ticks(ASKED_FOR.load(Ordering::Relaxed));
        while clock::now().is_before(at) {
            takt::rpi4::interrupts::yield_hint();
        }
        raise(3);
    }
}

/// Has the event set at `at`, which lies ahead.
fn set_at(at: Instant) {
    ASKED_FOR.store(at.half_ticks(), Ordering::Relaxed);
    OTHER.set();
}

fn waiter() -> ! {
    let mut report = Report::new();
    let us = clock::half_ticks_per_us();

    let deadline = clock::from_now(micros(300));
    let timed_out = NEVER.wait_until(deadline) == Err(TimedOut { deadline });
    let late_us = clock::now().since(deadline) / us.cast_signed();
    report.is("nobody sets it: timed out", timed_out);
    report.is("  not before the deadline, and within 20 us of it", (0..20).contains(&late_us));

    let passed = clock::now().before(10 * us);
    report.is("the deadline has passed: timed out", NEVER.wait_until(passed) == Err(TimedOut { deadline: passed }));
    EVENT.set();
    report.is("it is set already, and the deadline has passed: taken", EVENT.wait_until(passed).is_ok());
    let deadline = clock::from_now(micros(100));
    report.is("  once", EVENT.wait_until(deadline) == Err(TimedOut { deadline }));

    let (at, deadline) = (clock::from_now(micros(200)), clock::from_now(micros(5_000)));
    set_at(at);
    let is_taken = EVENT.wait_until(deadline).is_ok();
    let late_us = clock::now().since(at) / us.cast_signed();
    report.is("it is set before the deadline: taken", is_taken);
    report.is("  within 20 us of that", (0..20).contains(&late_us));
    let deadline = clock::from_now(micros(100));
    report.is("  and the first deadline is forgotten", NEVER.wait_until(deadline) == Err(TimedOut { deadline }));

    at_once(&mut report);
    report!(report, "waiting without a deadline goes on as ever:");
    set_at(clock::from_now(micros(50)));
    EVENT.wait();
    report!(report, "  it does");
    report.end()
}

/// The event is set close to the deadline, before and behind it.
fn at_once(report: &mut Report) {
    let (mut taken, mut timed_out, mut lost) = (0_u32, 0_u32, 0_u32);
    for step in 0..400_u64 {
        let deadline = clock::from_now(micros(100));
        set_at(deadline.before(1_000).after(5 * step));
        match EVENT.wait_until(deadline) {
            Ok(()) => taken += 1,
            Err(_) => {
                timed_out += 1;
                // Then it is still to come, and must not be lost.
                if EVENT.wait_until(clock::from_now(micros(200))).is_err() {
                    lost += 1;
                }
            }
        }
        // Neither way is anything left.
        let deadline = clock::from_now(micros(30));
        if EVENT.wait_until(deadline).is_ok() {
            lost += 1;
        }
    }
    report.is("of 400 that are set close to the deadline some are taken", taken > 10);
    report.is("  some time out, and find it set afterwards", timed_out > 10);
    report.is("  none is lost or doubled", lost == 0 && taken + timed_out == 400);
}
