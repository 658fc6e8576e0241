//! Releases, and what waits for them.

use takt::clock;
use takt::kernel::time::Instant;
use takt_tests::{Report, busy_until, soon};

use super::LONG_ENOUGH;
use crate::actors::{
    BUS, CROWD, DRIVER, FULL, IMPATIENT, LOWER, Manner, POSTPONED, SECOND, TIMER, URGENT, ask, ask_the_crowd,
    crowd_released_so_far, released_so_far, urgent_way,
};
use crate::probe::{end, end_at, is_undisturbed, start, start_at};
use crate::state::note;

/// How far ahead releases are asked for: everybody waits long before.
const AHEAD_US: u64 = 60;
/// The same where the crowd has to come to its wait first, or somebody changes its priority.
const FAR_AHEAD_US: u64 = 400;
/// How long ago a release was that has passed: two and a half periods.
const AGO_US: u64 = 25_000;
/// How many ticks before a release its trial's clock starts: longer than from an interrupt to the task that its handler
/// wakes, so that the release may come anywhere between.
const BEFORE_RELEASE: u64 = 208;
/// How many ticks it takes from the interrupt handler to the released task where nothing holds it off, and a few more.
const STRAIGHT_WAY: u64 = 120;

/// How many ticks each further release at one instant takes at most, and a few more.
const TICKS_PER_RELEASE: u64 = 50;

/// The first instant on a whole tick, and a microsecond's edge, so many microseconds from now.
fn ahead(us: u64) -> Instant {
    whole_tick(clock::now().after(us * clock::half_ticks_per_us()))
}

fn whole_tick(instant: Instant) -> Instant {
    let due = clock::next_edge(instant);
    if due.half_ticks() % 2 == 1 { due.after(clock::half_ticks_per_us()) } else { due }
}

/// Asks for a release, which is on no path.
fn ask_plainly(slot: usize, due: Instant) {
    ask(slot, due, Manner::Plain, due);
}

/// Starts the trial's clock for a release.
fn start_before(due: Instant) {
    start_at(due.half_ticks() / 2 - BEFORE_RELEASE);
}

/// Lets the others come to their next wait.
fn wait_for_releases(count: u32) {
    wait_until(|| released_so_far() == count);
}

/// The same with the crowd's.
fn wait_for_the_crowd_and(count: u32) {
    wait_until(|| released_so_far() == count && crowd_released_so_far() == CROWD as u32);
}

fn wait_until(is_so: impl Fn() -> bool) {
    while !is_so() {
        DRIVER.wait();
    }
    // Nothing of it is left for the next path.
    DRIVER.set();
    DRIVER.wait();
    note(b'.');
}

/// Waits, busy, until `count` releases came.
fn see_released(count: u32) {
    let is_so = soon(|| released_so_far() == count);
    end(0);
    note(if is_so { b'd' } else { b'?' });
    wait_for_releases(count);
}

pub(super) fn without_switch(_: &mut Report) {
    let due = ahead(AHEAD_US);
    // It is less urgent and has not run yet: it gets its turn while the driver waits for another release, well before.
    ask_plainly(LOWER, due);
    ask_plainly(URGENT, whole_tick(due.before(clock::half_ticks_per_us() * AHEAD_US / 2)));
    DRIVER.wait();
    start_before(due);
    busy_until(due.after(2 * LONG_ENOUGH));
    end(0);
    note(b'd');
    wait_for_releases(2);
}

pub(super) fn with_switch(_: &mut Report) {
    let due = ahead(AHEAD_US);
    ask_plainly(URGENT, due);
    start_before(due);
    see_released(1);
}

pub(super) fn of_two(_: &mut Report) {
    two(0);
}

pub(super) fn before_another(_: &mut Report) {
    two(1);
}

fn two(apart_us: u64) {
    let due = ahead(AHEAD_US);
    ask_plainly(URGENT, due);
    ask_plainly(SECOND, due.after(apart_us * clock::half_ticks_per_us()));
    start_before(due);
    see_released(2);
}

/// All are due at one instant, and the first of them runs.
pub(super) fn of_the_crowd(_: &mut Report) {
    let due = ahead(FAR_AHEAD_US);
    ask_the_crowd(due);
    start_before(due);
    end_at(due.half_ticks() / 2 + CROWD as u64 * TICKS_PER_RELEASE + LONG_ENOUGH);
    note(b'd');
    wait_for_the_crowd_and(0);
}

pub(super) fn idle_exit(_: &mut Report) {
    let due = ahead(AHEAD_US);
    ask_plainly(URGENT, due);
    start_before(due);
    DRIVER.wait();
    end(0);
    note(b'd');
}

pub(super) fn idle_entry(_: &mut Report) {
    ask_plainly(URGENT, ahead(AHEAD_US));
    end(LONG_ENOUGH);
    start();
    DRIVER.wait();
    note(b'd');
}

/// The slot's own calls: a period is given to it, and it waits.
pub(super) fn wait(_: &mut Report) {
    walked(ahead(AHEAD_US), Manner::Walked);
}

/// The same, with a release that has passed and is skipped.
pub(super) fn wait_that_skips(_: &mut Report) {
    walked(long_ago(), Manner::WalkedTooLate);
}

/// The same, with a release that has passed and gets its job.
pub(super) fn wait_that_postpones(_: &mut Report) {
    walked(long_ago(), Manner::WalkedTooLatePostponed);
}

fn long_ago() -> Instant {
    ahead(0).before(AGO_US * clock::half_ticks_per_us())
}

fn walked(due: Instant, manner: Manner) {
    ask(URGENT, due, manner, due);
    end(0);
    note(b'd');
    wait_for_releases(1);
}

/// The same, behind many that are due before.
pub(super) fn wait_in_the_crowd(_: &mut Report) {
    let due = ahead(FAR_AHEAD_US);
    ask_the_crowd(due);
    let behind = due.after(10 * clock::half_ticks_per_us());
    ask(URGENT, behind, Manner::Walked, behind);
    end(0);
    note(b'd');
    wait_for_the_crowd_and(1);
}

/// A release comes while a less urgent slot looks for its place among many.
pub(super) fn wait_held_off(report: &mut Report) {
    let due = ahead(FAR_AHEAD_US);
    let behind = due.after(FAR_AHEAD_US * clock::half_ticks_per_us());
    ask_plainly(URGENT, due);
    ask_the_crowd(behind);
    start_before(due);
    ask(SECOND, behind, Manner::DuringARelease, due);
    end(0);
    judge_held_off(report);
    note(b'd');
    wait_for_the_crowd_and(2);
}

/// A release comes while a less urgent slot changes its priority.
pub(super) fn held_off(report: &mut Report) {
    let due = ahead(FAR_AHEAD_US);
    ask_plainly(URGENT, due);
    start_before(due);
    ask(SECOND, due.after(FAR_AHEAD_US * clock::half_ticks_per_us()), Manner::SetsPriorityDuringARelease, due);
    judge_held_off(report);
    note(b'd');
    wait_for_releases(2);
}

/// The slot changes its priority before its first release.
pub(super) fn set_priority(_: &mut Report) {
    let due = ahead(FAR_AHEAD_US);
    ask(URGENT, due, Manner::SetsPriority, due);
    note(b'd');
    wait_for_releases(1);
}

/// Whether the release was held off where nobody else disturbed it.
fn judge_held_off(report: &mut Report) {
    if is_undisturbed() {
        let ticks = urgent_way();
        report.is(format_args!("# {ticks} ticks from handler to task: held off"), ticks > STRAIGHT_WAY);
    }
}

/// The driver waits for its event, which nobody sets, and the deadline comes.
pub(super) fn receive_that_times_out(_: &mut Report) {
    let deadline = ahead(AHEAD_US);
    start_before(deadline);
    let is_so = FULL.receive_until(deadline).is_err();
    end(0);
    note(if is_so { b'd' } else { b'?' });
}

pub(super) fn event_wait_that_times_out(_: &mut Report) {
    let deadline = ahead(AHEAD_US);
    start_before(deadline);
    let is_so = DRIVER.wait_until(deadline).is_err();
    end(0);
    note(if is_so { b'd' } else { b'?' });
}

/// The second of two, within the minimum interval.
pub(super) fn sporadic_release_postponed(_: &mut Report) {
    takt::sleep_for(clock::millis(3));
    let _ = POSTPONED.release();
    start();
    let is_kept = POSTPONED.release();
    end(0);
    note(if is_kept { b'd' } else { b'?' });
    takt::sleep_for(clock::millis(3));
    note(b'd');
}

/// The timers' task is released, calls and sleeps again.
pub(super) fn timer_calls(_: &mut Report) {
    let due = ahead(AHEAD_US);
    TIMER.fire_at(due);
    start_before(due);
    busy_until(due.after(2 * LONG_ENOUGH));
    end(0);
    note(b'd');
}

pub(super) fn sleep_until_what_has_passed(_: &mut Report) {
    let passed = clock::now().before(1_000);
    start();
    takt::sleep_until(passed);
    end(0);
    note(b'd');
}

/// A more urgent task waits for the mutex that the driver holds, and its deadline comes while the driver, as urgent, is busy.
pub(super) fn inherit_mutex_wait_that_times_out(_: &mut Report) {
    let deadline = ahead(AHEAD_US);
    BUS.lock(|_| {
        IMPATIENT.ask(deadline);
        start_before(deadline);
        let is_so = soon(|| IMPATIENT.has_given_up());
        end(0);
        note(if is_so { b'd' } else { b'?' });
    });
}
