//! The paths that are walked: each a function that the driver runs once a trial, with the tasks that take part.

use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use takt::clock::{self, millis};
use takt::kernel::time::Instant;
use takt::prelude::*;
use takt_tests::{Report, busy_until, raise, soon};

use crate::probe::{end, start, start_at};
use crate::state::{note, note_own_counts};

/// A path.
pub(crate) struct Path {
    /// Its name in the lines.
    pub(crate) name: &'static str,
    /// Runs it once, up to the point where every task waits again.
    pub(crate) run: fn(&mut Report),
}

/// All paths, in the order in which they are walked.
pub(crate) const ALL: [Path; 15] = [
    Path { name: "release-without-switch", run: release_without_switch },
    Path { name: "release-with-switch", run: release_with_switch },
    Path { name: "release-of-two", run: release_of_two },
    Path { name: "release-before-another", run: release_before_another },
    Path { name: "idle-exit", run: idle_exit },
    Path { name: "idle-entry", run: idle_entry },
    Path { name: "periodic-wait", run: periodic_wait },
    Path { name: "yield", run: yield_between_equals },
    Path { name: "event-set-wakes-and-wait", run: event_set_wakes },
    Path { name: "event-set-without-switch", run: event_set_without_switch },
    Path { name: "event-wait-when-set", run: event_wait_when_set },
    Path { name: "kernel-handler-wakes", run: handler_wakes },
    Path { name: "console-interrupt", run: console_interrupt },
    Path { name: "questions", run: questions },
    Path { name: "task-report", run: task_report },
];

/// The slots, in the order of urgency: two above the driver, one below.
pub(crate) const URGENT: usize = 0;
/// See [`URGENT`].
pub(crate) const SECOND: usize = 1;
/// See [`URGENT`].
pub(crate) const LOWER: usize = 2;

/// The software generated interrupt whose kernel handler wakes a task.
pub(crate) const WAKER: u16 = 1;

/// How far ahead releases are asked for: everybody waits long before.
const AHEAD_US: u64 = 60;
/// How many ticks before a release its trial's clock starts.
const BEFORE_RELEASE: u64 = 48;
/// How many ticks are walked of a path whose end nobody marks: more than any takes.
const LONG_ENOUGH: u64 = 320;
/// A line that the console's interrupt sends in two parts.
const LINE: &[u8; 12] = b"# 012345678\n";

static DRIVER: Event = Event::new();
static EQUAL: Event = Event::new();
static WAITER: Event = Event::new();
static LISTENER: Event = Event::new();
static ASKED: [Event; 3] = [const { Event::new() }; 3];
/// The release that each slot is asked for, in half ticks.
static DUE: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];
static RELEASED: AtomicU32 = AtomicU32::new(0);
static WAITED: AtomicU32 = AtomicU32::new(0);
/// Whether the slot that is asked walks through its own calls.
static IS_WAIT_WALKED: AtomicBool = AtomicBool::new(false);

/// A slot: for each request one release.
pub(crate) fn released<const SLOT: usize>(mut slot: Slot) -> ! {
    loop {
        ASKED[SLOT].wait();
        note(b'a' + SLOT as u8);
        // Those of the trial before, so that asking is on no path.
        note_own_counts();
        let first = Instant::from_half_ticks(DUE[SLOT].load(Ordering::Relaxed));
        if IS_WAIT_WALKED.load(Ordering::Relaxed) {
            start();
        }
        let mut period = slot.begin(first, millis(10), OverrunPolicy::Skip);
        let release = period.wait();
        note(b'A' + SLOT as u8);
        if release.due() != first {
            note(b'!');
        }
        RELEASED.fetch_add(1, Ordering::Relaxed);
        DRIVER.set();
    }
}

/// Waits for its event, more urgent than the driver.
pub(crate) fn waiter() -> ! {
    loop {
        WAITER.wait();
        note(b'w');
        WAITED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Takes turns with the driver.
pub(crate) fn equal() -> ! {
    loop {
        EQUAL.wait();
        note(b'e');
    }
}

/// Waits for its event, less urgent than the driver.
pub(crate) fn listener() -> ! {
    loop {
        LISTENER.wait();
        note(b'l');
        DRIVER.set();
    }
}

/// The kernel handler of [`WAKER`].
pub(crate) fn wake_the_waiter() {
    WAITER.set_from_handler();
}

/// Asks each slot for a release so many microseconds after the soonest, which is on a whole tick. Answers when the soonest
/// is due.
fn ask(slots: &[(usize, u64)]) -> Instant {
    RELEASED.store(0, Ordering::Relaxed);
    let us = clock::half_ticks_per_us();
    let mut due = clock::next_edge(clock::now().after(AHEAD_US * us));
    if due.half_ticks() % 2 == 1 {
        due = due.after(us);
    }
    for (slot, later_us) in slots {
        DUE[*slot].store(due.after(later_us * us).half_ticks(), Ordering::Relaxed);
        ASKED[*slot].set();
    }
    due
}

/// Starts the trial's clock for a release.
fn start_before(due: Instant) {
    start_at(due.half_ticks() / 2 - BEFORE_RELEASE);
}

/// Whether `count` releases come.
fn all_released(count: u32) -> bool {
    soon(|| RELEASED.load(Ordering::Relaxed) == count)
}

/// Lets the others come to their next wait.
fn wait_for_releases(count: u32) {
    DRIVER.wait();
    while RELEASED.load(Ordering::Relaxed) < count {
        DRIVER.wait();
    }
    note(b'.');
}

fn release_without_switch(_: &mut Report) {
    let due = ask(&[(LOWER, 0)]);
    // It is less urgent and has not run yet: let it come to its wait.
    yield_to_the_lower(due);
    start_before(due);
    busy_until(due.after(2 * LONG_ENOUGH));
    end(0);
    note(b'd');
    wait_for_releases(1);
}

/// The slot below the driver gets its turn while the driver waits for a release of a slot above it, well before `due`.
fn yield_to_the_lower(due: Instant) {
    let before = due.before(clock::half_ticks_per_us() * AHEAD_US / 2);
    DUE[URGENT].store(clock::next_edge(before).half_ticks(), Ordering::Relaxed);
    ASKED[URGENT].set();
    DRIVER.wait();
    RELEASED.store(0, Ordering::Relaxed);
}

fn release_with_switch(_: &mut Report) {
    start_before(ask(&[(URGENT, 0)]));
    let is_so = all_released(1);
    end(0);
    note(if is_so { b'd' } else { b'?' });
    wait_for_releases(1);
}

fn release_of_two(_: &mut Report) {
    start_before(ask(&[(URGENT, 0), (SECOND, 0)]));
    let is_so = all_released(2);
    end(0);
    note(if is_so { b'd' } else { b'?' });
    wait_for_releases(2);
}

fn release_before_another(_: &mut Report) {
    start_before(ask(&[(URGENT, 0), (SECOND, 1)]));
    let is_so = all_released(2);
    end(0);
    note(if is_so { b'd' } else { b'?' });
    wait_for_releases(2);
}

fn idle_exit(_: &mut Report) {
    start_before(ask(&[(URGENT, 0)]));
    DRIVER.wait();
    end(0);
    note(b'd');
}

fn idle_entry(_: &mut Report) {
    let _ = ask(&[(URGENT, 0)]);
    end(LONG_ENOUGH);
    start();
    DRIVER.wait();
    note(b'd');
}

fn periodic_wait(_: &mut Report) {
    IS_WAIT_WALKED.store(true, Ordering::Relaxed);
    let _ = ask(&[(URGENT, 0)]);
    end(0);
    IS_WAIT_WALKED.store(false, Ordering::Relaxed);
    note(b'd');
    wait_for_releases(1);
}

fn yield_between_equals(_: &mut Report) {
    EQUAL.set();
    note(b'd');
    start();
    yield_turn();
    end(0);
    note(b'd');
}

fn event_set_wakes(_: &mut Report) {
    start();
    WAITER.set();
    end(0);
    note(b'd');
}

fn event_set_without_switch(_: &mut Report) {
    start();
    LISTENER.set();
    end(0);
    note(b'd');
    DRIVER.wait();
}

fn event_wait_when_set(_: &mut Report) {
    DRIVER.set();
    start();
    DRIVER.wait();
    end(0);
    note(b'd');
}

fn handler_wakes(_: &mut Report) {
    WAITED.store(0, Ordering::Relaxed);
    start();
    raise(WAKER as u8);
    let is_so = soon(|| WAITED.load(Ordering::Relaxed) == 1);
    end(0);
    note(if is_so { b'd' } else { b'?' });
}

fn console_interrupt(report: &mut Report) {
    start();
    report.bytes(LINE);
    end(2 * LONG_ENOUGH);
    note(b'd');
    report.flush();
}

/// What a task may ask at any time.
fn questions(_: &mut Report) {
    start();
    let _ = core::hint::black_box(clock::rate());
    let _ = core::hint::black_box(clock::next_edge(clock::now()));
    let _ = core::hint::black_box(takt::interrupt_counts());
    let _ = core::hint::black_box(takt::this_task());
    end(0);
    note(b'd');
}

/// The first of the reports on all tasks, up to where the stack is looked through, unmasked.
fn task_report(_: &mut Report) {
    end(LONG_ENOUGH);
    start();
    let _ = core::hint::black_box(takt::task_reports().next());
    note(b'd');
}
