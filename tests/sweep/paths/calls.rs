//! What tasks call that waits for no instant, and a kernel handler that wakes tasks.

use core::sync::atomic::Ordering;

use takt::clock;
use takt::handover::Handover;
use takt::{Received, Semaphore, Timer, preemption_lock, yield_turn};
use takt_tests::{Report, raise, soon};

use super::LONG_ENOUGH;
use crate::actors::{
    ARRIVED, BARRIER, BUS, CONTENDER, DRIVER, EQUAL, FLAGS, JOBS, LISTENER, SPORADIC, TIMER, WAITED, WAITER, WAKER,
    WAKER_OF_TWO,
};
use crate::probe::{Tail, end, start};
use crate::state::note;

pub(super) fn yield_between_equals(_: &mut Report) {
    EQUAL.set();
    note(b'd');
    start();
    yield_turn();
    end(0);
    note(b'd');
}

pub(super) fn event_set_wakes(_: &mut Report) {
    start();
    WAITER.set();
    end(0);
    note(b'd');
}

/// The second time, the wait of the task that is woken may be one in which an interrupt came.
pub(super) fn event_set_wakes_twice(_: &mut Report) {
    start();
    WAITER.set();
    note(b'd');
    WAITER.set();
    end(0);
    note(b'd');
}

pub(super) fn event_set_without_switch(_: &mut Report) {
    start();
    LISTENER.set();
    end(0);
    note(b'd');
    DRIVER.wait();
}

pub(super) fn event_wait_when_set(_: &mut Report) {
    DRIVER.set();
    start();
    DRIVER.wait();
    end(0);
    note(b'd');
}

/// A less urgent task sets the event long before the deadline.
pub(super) fn event_wait_ends_early(_: &mut Report) {
    let deadline = clock::from_now(clock::millis(10));
    LISTENER.set();
    start();
    let is_so = DRIVER.wait_until(deadline).is_ok();
    end(0);
    note(if is_so { b'd' } else { b'?' });
}

/// A more urgent task becomes ready meanwhile, and runs behind it.
pub(super) fn preemption_is_locked(_: &mut Report) {
    start();
    preemption_lock(|| WAITER.set());
    end(0);
    note(b'd');
}

/// Locked and unlocked, one inside the other, and nobody waits.
pub(super) fn inherit_mutex(_: &mut Report) {
    start();
    BUS.lock(|_| JOBS.lock(|_| note(b'm')));
    end(0);
    note(b'd');
}

pub(super) fn sporadic_release(_: &mut Report) {
    start();
    let is_kept = SPORADIC.release();
    end(0);
    note(if is_kept { b'd' } else { b'?' });
}

/// One that is the first, and one behind it.
pub(super) fn timers_start_and_cancel(_: &mut Report) {
    static LATER: Timer = Timer::new(|| note(b'!'));
    let at = clock::from_now(clock::millis(1_000_000));
    start();
    TIMER.fire_at(at);
    LATER.fire_at(at);
    let is_so = TIMER.cancel() && LATER.cancel();
    end(0);
    note(if is_so { b'd' } else { b'?' });
}

/// A more urgent task waits for what the driver holds, and has it then.
pub(super) fn inherit_mutex_contended(_: &mut Report) {
    start();
    BUS.lock(|_| {
        CONTENDER.set();
        note(b'm');
    });
    end(0);
    note(b'd');
}

/// A more urgent task looks, waits again, and has what it wants when it is notified for the second time.
pub(super) fn condvar(_: &mut Report) {
    start();
    ARRIVED.notify_one();
    JOBS.lock(|jobs| *jobs += 1);
    ARRIVED.notify_all();
    end(0);
    note(b'd');
}

/// One that nobody waits for.
pub(super) fn semaphore(_: &mut Report) {
    static UNAWAITED: Semaphore = Semaphore::with_most(0, 1);
    start();
    let is_given = UNAWAITED.give();
    let is_dropped = !UNAWAITED.give();
    UNAWAITED.take();
    let is_none = !UNAWAITED.try_take();
    end(0);
    note(if is_given && is_dropped && is_none { b'd' } else { b'?' });
}

/// The first is not enough for a more urgent task that waits for both.
pub(super) fn event_flags(_: &mut Report) {
    start();
    FLAGS.set(1);
    note(b'd');
    FLAGS.set(2);
    let is_so = FLAGS.try_any(3, Received::Clear).is_none();
    end(0);
    note(if is_so { b'd' } else { b'?' });
}

/// A more urgent task has come before.
pub(super) fn barrier(_: &mut Report) {
    start();
    let is_last = BARRIER.wait();
    end(0);
    note(if is_last { b'd' } else { b'?' });
}

/// Taken, refused to the next, used and given back.
pub(super) fn handover(_: &mut Report) {
    static VALUE: Handover<u32> = Handover::new(0);
    start();
    let taken = VALUE.take();
    let is_refused = VALUE.take().is_none();
    let is_so = taken.map(|mut value| *value += 1).is_some() && is_refused;
    end(0);
    note(if is_so { b'd' } else { b'?' });
}

pub(super) fn handler_wakes(_: &mut Report) {
    handler(WAKER);
}

pub(super) fn handler_wakes_two(_: &mut Report) {
    handler(WAKER_OF_TWO);
    // The equal's turn.
    yield_turn();
}

#[inline(always)]
fn handler(waker: u16) {
    WAITED.store(0, Ordering::Relaxed);
    start();
    raise(waker as u8);
    let is_so = soon(|| WAITED.load(Ordering::Relaxed) == 1);
    end(0);
    note(if is_so { b'd' } else { b'?' });
}

/// What a task may ask at any time.
pub(super) fn questions(_: &mut Report) {
    start();
    let _ = core::hint::black_box(clock::rate());
    let _ = core::hint::black_box(clock::next_edge(clock::now()));
    let _ = core::hint::black_box(takt::interrupt_counts());
    let _ = core::hint::black_box(takt::this_task());
    end(0);
    note(b'd');
}

/// The first of the reports on all tasks, up to where the stack is looked through, unmasked.
pub(super) fn task_report(_: &mut Report) {
    end(LONG_ENOUGH);
    start();
    let _ = core::hint::black_box(takt::task_reports().next());
    note(b'd');
}

/// The second of these, from where its stack has been looked through, and the third, up to there.
pub(super) fn further_task_report(_: &mut Report) {
    static TAIL: Tail = Tail::new();
    let mut reports = takt::task_reports();
    let _ = core::hint::black_box(reports.next());
    let begun = TAIL.start(LONG_ENOUGH);
    let _ = core::hint::black_box(reports.next());
    TAIL.end(begun);
    end(LONG_ENOUGH);
    let _ = core::hint::black_box(reports.next());
    note(b'd');
}
