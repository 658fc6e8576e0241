//! What an event takes: `name,min,max` in ticks, which with `-icount shift=4` are instructions. Each event is a function of
//! its own, so that it finds nothing in a register and leaves nothing there, and its stamp is its first instruction or nearly
//! so. From one stamp to the next is therefore one event, whole, and a return and a call, which are taken off.
//! `host/tests/event_ring.rs` compares with budgets.toml.
//!
//! | name | which event |
//! |---|---|
//! | `masked` | of a caller that has interrupts masked: the executive's |
//! | `masked-at` | the same with a stamp that the caller has taken, as in the interrupt handler; taking it is taken off |
//! | `mark` | by `mark`, which masks interrupts and restores them |
#![no_std]
#![no_main]

use core::hint::black_box;

use takt::clock;
use takt::prelude::*;
use takt::rpi4::interrupts;
use takt::trace::{self, Entry, Event};
use takt_tests::{Range, Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

/// The return of one function and the call of the next.
const CALL: i64 = 2;
/// The caller's own reading of the counter.
const STAMP: i64 = 1;

const ENTRY: Event = Event::InterruptEntry { intid: 97 };
const VALUE: u32 = 97;
const MARK: Event = Event::Mark { value: VALUE };

fn reporter() -> ! {
    let mut report = Report::new();
    row(&mut report, "masked", masked, CALL);
    row(&mut report, "masked-at", masked_at, CALL + STAMP);
    row(&mut report, "mark", mark, CALL);
    report.end()
}

fn masked() {
    // SAFETY: `row` has masked interrupts.
    unsafe { trace::record(ENTRY) };
}

fn masked_at() {
    // SAFETY: `row` has masked interrupts.
    unsafe { trace::record_at(clock::now(), ENTRY) };
}

fn mark() {
    trace::mark(VALUE);
}

/// How far apart the stamps of some events are, without what happens `besides`.
fn row(report: &mut Report, name: &str, event: fn(), besides: i64) {
    // Not known to the compiler, so that it neither inlines the function nor looks into it.
    let event = black_box(event);
    report.flush();
    report.is("# the ring is free", trace::keep());
    // Masked in any case, so that nothing comes between.
    interrupts::mask();
    event();
    event();
    event();
    event();
    // SAFETY: a task calls this, and nothing is half changed.
    unsafe { interrupts::unmask() };
    report.is("# and kept", trace::keep());
    let Some(kept) = trace::kept() else { return };
    let mut taken = Range::EMPTY;
    let mut before: Option<&Entry> = None;
    // The executive's own events stand before and behind.
    let is_one = |entry: &&Entry| entry.word == ENTRY.to_word() || entry.word == MARK.to_word();
    for entry in kept.history().entries().filter(is_one) {
        if let Some(before) = before {
            taken.add(entry.stamp_ticks.wrapping_sub(before.stamp_ticks).cast_signed().wrapping_sub(besides));
        }
        before = Some(entry);
    }
    report!(report, "{name},{},{}", taken.least, taken.greatest);
}
