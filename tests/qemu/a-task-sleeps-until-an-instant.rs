//! A background task sleeps until an instant, to its tick, and others run meanwhile; an instant that has passed does not
//! hang it; and a thousand sleeps of one length do not drift.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU64, Ordering};

use takt::clock;
use takt::prelude::*;
use takt_tests::{Range, Report, ticks};

takt::tasks! {
    sleeper: Task::background(sleeper).priority(10),
    other: Task::background(other).priority(200),
}

/// How often the other task had a turn.
static TURNS: AtomicU64 = AtomicU64::new(0);

fn other() -> ! {
    loop {
        TURNS.fetch_add(1, Ordering::Relaxed);
        takt::rpi4::interrupts::yield_hint();
    }
}

fn sleeper() -> ! {
    let mut report = Report::new();
    let us = clock::half_ticks_per_us();
    report.flush();
    let begun = clock::next_edge(clock::from_now(micros(500)));
    let (mut at, mut late) = (begun, Range::EMPTY);
    for _ in 0..1_000 {
        at = at.after(250 * us);
        let runs = sleep_until(at);
        late.add(ticks(runs.since(at)));
    }
    report.is("a thousand sleeps end at their ticks, 150 later at the most", late.is_within(0, 150));
    report.is("the last at 250 ms", at.since(begun) == 250_000 * us.cast_signed());
    report.is("another ran meanwhile", TURNS.load(Ordering::Relaxed) > 1_000);
    let before = clock::now();
    let runs = sleep_until(before.before(1_000 * us));
    report.is("an instant that has passed ends at once", ticks(runs.since(before)) < 1_000);
    let before = clock::now();
    let runs = takt::sleep_for(micros(300));
    let slept_us = runs.since(before) / us.cast_signed();
    report.is("300 us take 300 to 320", (300..=320).contains(&slept_us));
    report.end()
}
