//! The system timer's low half wraps every 2^32 us, 71.6 minutes. A slot whose first release lies shortly before its second
//! wrap, farther ahead than the low half can tell, is woken in between without being released, is released on time, and
//! then every millisecond across the wrap.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use takt::board::TimeBase;
use takt::clock;
use takt::prelude::*;
use takt::rpi4::devices;
use takt_tests::{Gate, Range, Report, facts, report};

takt::tasks! {
    slot: Task::slot(slot).priority(10),
    reporter: Task::background(reporter).priority(254),
}

/// The first release, in us of the system timer.
const FIRST_US: u64 = (2 << 32) - 5_000;
const RELEASES: usize = 11;

static DONE: Gate = Gate::new(1);
static LOW_US: [AtomicU32; RELEASES] = [const { AtomicU32::new(0) }; RELEASES];
static WRONG: AtomicU64 = AtomicU64::new(0);
static SPREAD: AtomicU64 = AtomicU64::new(0);

fn slot(mut slot: Slot) -> ! {
    let timer = devices::system_timer();
    let Some(phase) = facts().phase else { panic!("the phase is not known") };
    let first = phase.instant.after(FIRST_US * clock::half_ticks_per_us());
    let mut period = slot.begin(first, millis(1), OverrunPolicy::Skip);
    let mut lateness = Range::EMPTY;
    for (n, low_us) in LOW_US.iter().enumerate() {
        let release = period.wait();
        low_us.store(timer.low_us(), Ordering::Relaxed);
        lateness.add(release.handler().since(release.due()));
        if release.due() != first.after(n as u64 * period.period_half_ticks()) || release.skipped() != 0 {
            WRONG.fetch_add(1, Ordering::Relaxed);
        }
    }
    if lateness.least < 0 {
        WRONG.fetch_add(1, Ordering::Relaxed);
    }
    SPREAD.store((lateness.greatest - lateness.least).cast_unsigned(), Ordering::Relaxed);
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    let mut report = Report::new();
    report.is("on the system timer", facts().time_base == TimeBase::SystemTimer);
    DONE.wait();
    for (n, low_us) in LOW_US.iter().enumerate() {
        let expected = (FIRST_US as u32).wrapping_add(n as u32 * 1_000);
        let late_us = low_us.load(Ordering::Relaxed).wrapping_sub(expected);
        report.is(format_args!("release when the low half reads {expected:#010x}"), late_us <= 5);
    }
    report!(report, "not due as they should be: {}", WRONG.load(Ordering::Relaxed));
    report.is("handlers begin within 50 ticks of one another", SPREAD.load(Ordering::Relaxed) <= 100);
    // Once, and again where the same compare value is written within the microsecond in which it matched.
    let wake_ups = takt::interrupt_counts().timer_without_release;
    report.is("woken in between", (1..=3).contains(&wake_ups));
    report.end()
}
