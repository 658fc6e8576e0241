//! Marks of a task and of a handler that preempts it stand in the kept ring in their order, with stamps that do not go back.
//! Of more than the ring takes the latest are there, and it is told that older ones were overwritten. Events of an earlier
//! use of a ring are never shown. Nothing is kept anew while somebody reads, and marking leaves interrupts as they were.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt::rpi4::interrupts;
use takt::trace::{self, Event, History, PLACES, mark};
use takt_tests::{Report, raise, report};

takt::tasks! {
    handler: Interrupt::direct(2, handler),
    reporter: Task::background(reporter).priority(254),
}

fn handler() {
    mark(100);
}

fn reporter() -> ! {
    let mut report = Report::new();
    in_order(&mut report);
    for (what, count) in
        [("more than the ring takes", 1_061), ("a few", 3), ("exactly a ring full", 1_024), ("none", 0)]
    {
        latest(&mut report, what, count);
    }
    while_read(&mut report);
    interrupts_stay_as_they_were(&mut report);
    report.end()
}

fn in_order(report: &mut Report) {
    begin(report);
    mark(1);
    raise(2);
    while_interrupts_come();
    mark(2);
    mark(u32::MAX);
    trace::keep();
    let Some(kept) = trace::kept() else { return };
    report!(report, "a task, and a handler within:");
    marks(&kept.history()).for_each(|value| report!(report, "  {value}"));
    let stamps = || kept.history().entries().map(|entry| entry.stamp_ticks);
    report.is("stamps do not go back", stamps().zip(stamps().skip(1)).all(|(earlier, later)| earlier <= later));
}

/// What is kept of `count` marks, which count from 0.
fn latest(report: &mut Report, what: &str, count: u32) {
    begin(report);
    (0..count).for_each(mark);
    trace::keep();
    let Some(kept) = trace::kept() else { return };
    let history = kept.history();
    let (first, last) = (marks(&history).next(), marks(&history).last());
    report!(report, "{what}: {count} marks, {} are there, from {first:?} to {last:?}", history.count());
    report!(report, "  overwritten at least: {:?}", history.overwritten_at_least());
    let are_neighbours =
        marks(&history).zip(marks(&history).skip(1)).all(|(earlier, later)| later.checked_sub(earlier) == Some(1));
    report.is("  none is missing in between", are_neighbours && history.count() <= PLACES);
}

fn while_read(report: &mut Report) {
    begin(report);
    mark(7);
    trace::keep();
    let kept = trace::kept();
    mark(8);
    report.is("nothing is kept while somebody reads", kept.is_some() && !trace::keep());
    report.is("nor does a second one read", trace::kept().is_none());
    drop(kept);
    trace::keep();
    let Some(kept) = trace::kept() else { return };
    report.is("but nothing is lost by that", marks(&kept.history()).eq([8]));
}

fn interrupts_stay_as_they_were(report: &mut Report) {
    mark(0);
    let stayed_unmasked = !interrupts::are_masked();
    interrupts::mask();
    mark(0);
    let stayed_masked = interrupts::are_masked();
    // SAFETY: a task runs, and nothing is half changed.
    unsafe { interrupts::unmask() };
    report.is("marking leaves interrupts unmasked where they were", stayed_unmasked);
    report.is("and masked where they were", stayed_masked);
}

/// The ring is empty from here on; no console interrupt comes.
fn begin(report: &mut Report) {
    report.flush();
    while_interrupts_come();
    trace::keep();
}

fn while_interrupts_come() {
    takt_tests::busy_for_us(20);
}

fn marks<'r>(history: &History<'r>) -> impl Iterator<Item = u32> + use<'r> {
    history.entries().filter_map(|entry| match Event::from_word(entry.word) {
        Ok(Event::Mark { value }) => Some(value),
        _ => None,
    })
}
