//! What the executive's services take, in counter ticks: the instructions strictly between two reads of the counter.
//!
//! `-task`: up to the first statement of a more urgent task that waited. `handler-`: from the tick at which an interrupt
//! was due, through its kernel handler, which gives, to that statement, with a busy task interrupted.
//!
//! Prints a line for each figure: name, least, most. `make bench`, and a test of the host tool against `budgets.toml`,
//! which has to know each of them.
#![no_std]
#![no_main]

use takt::TaskHandle;
use takt::clock;
use takt::kernel::time::Instant;
use takt::prelude::*;
use takt::rpi4::{counter, map, virtual_timer};
use takt_tests::stretch::{AHEAD, begin, begin_at, from_interrupt, length, measure, note, taken, wait_until};
use takt_tests::{Report, report};

takt::tasks! {
    fired: Interrupt::kernel(map::VIRTUAL_TIMER_INTID.number(), fired),
    sporadic: Task::sporadic(sporadic).min_interval(micros(1)).priority(9),
    timers: Task::background(takt::timer::task).priority(10),
    semaphore_waiter: Task::background(semaphore_waiter).priority(10),
    event_waiter: Task::background(event_waiter).priority(10),
    flags_waiter: Task::background(flags_waiter).priority(10),
    barrier_waiter: Task::background(barrier_waiter).priority(10),
    condvar_waiter: Task::background(condvar_waiter).priority(10).locks_inherit("jobs", micros(100)),
    contender: Task::background(contender).priority(10).locks_inherit("bus", micros(100)),
    reporter: Task::background(reporter)
        .priority(254)
        .locks(&SHARED, micros(100))
        .locks_preemption(micros(100))
        .locks_inherit("bus", micros(100))
        .locks_inherit("jobs", micros(100))
        .stack_bytes(16_384),
}

static SEMAPHORE: Semaphore = Semaphore::new(0);
static EVENT: Event = Event::new();
static SPORADIC: Sporadic = Sporadic::new();
static TIMER: Timer = Timer::new(timed);
static SHARED: Mutex<u32, 10> = Mutex::new(0);
static FLAGS: EventFlags = EventFlags::new();
static BARRIER: Barrier<2> = Barrier::new();
static JOBS: InheritMutex<u32> = InheritMutex::new("jobs", 0);
static ARRIVED: CondVar = CondVar::new();
static BUS: InheritMutex<u32> = InheritMutex::new("bus", 0);
/// Lets [`contender`] lock the bus.
static CONTEND: Event = Event::new();

fn fired() {
    virtual_timer::withdraw();
    SEMAPHORE.give_from_handler();
}

fn semaphore_waiter() -> ! {
    loop {
        SEMAPHORE.take();
        note(counter::ticks());
    }
}

fn sporadic(task: SporadicTask) -> ! {
    let mut releases = task.released_by(&SPORADIC);
    loop {
        let _ = releases.wait();
        note(counter::ticks());
    }
}

fn timed() {
    note(counter::ticks());
}

fn event_waiter() -> ! {
    loop {
        EVENT.wait();
        note(counter::ticks());
    }
}

fn flags_waiter() -> ! {
    loop {
        let _ = FLAGS.wait_all(3, Received::Clear);
        note(counter::ticks());
    }
}

fn barrier_waiter() -> ! {
    loop {
        let _ = BARRIER.wait();
        note(counter::ticks());
    }
}

fn condvar_waiter() -> ! {
    loop {
        let now = JOBS.lock_when(
            &ARRIVED,
            |&jobs| jobs > 0,
            |jobs| {
                *jobs -= 1;
                counter::ticks()
            },
        );
        note(now);
    }
}

/// Locks the bus, which the reporter holds, for as long as it is told.
fn contender() -> ! {
    loop {
        CONTEND.wait();
        begin();
        let now = BUS.lock(|_| counter::ticks());
        note(now);
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    report.flush();
    virtual_timer::withdraw();
    virtual_timer::enable();
    let figures = [
        ("service-semaphore-give", measure(semaphore_give)),
        ("service-semaphore-take", measure(semaphore_take)),
        ("service-mutex-lock", measure(mutex_lock)),
        ("service-mutex-unlock", measure(mutex_unlock)),
        ("service-preemption-lock", measure(preemption_is_locked)),
        ("service-preemption-unlock", measure(preemption_is_unlocked)),
        ("service-semaphore-give-task", measure(semaphore_give_task)),
        ("service-handler-semaphore-give-task", measure(from_interrupt)),
        ("service-event-set-task", measure(event_set_task)),
        ("service-sporadic-release-task", measure(sporadic_release_task)),
        ("service-timer-start", measure(timer_start)),
        ("service-timer-start-behind", measure(timer_start_behind)),
        ("service-timer-start-before-ten", measure(timer_start_before_ten)),
        ("service-timer-cancel", measure(timer_cancel)),
        ("service-timer-due-call", measure(timer_due_call)),
        ("service-task-set-priority", measure(task_set_priority)),
        ("service-inherit-mutex-lock", measure(inherit_mutex_lock)),
        ("service-inherit-mutex-unlock", measure(inherit_mutex_unlock)),
        ("service-inherit-mutex-wait", measure(inherit_mutex_wait)),
        ("service-inherit-mutex-unlock-task", measure(inherit_mutex_unlock_task)),
        ("service-event-flags-set", measure(event_flags_set)),
        ("service-event-flags-try", measure(event_flags_try)),
        ("service-event-flags-set-task", measure(event_flags_set_task)),
        ("service-condvar-notify", measure(condvar_notify)),
        ("service-condvar-notify-task", measure(condvar_notify_task)),
        ("service-barrier-task", measure(barrier_task)),
    ];
    for (name, range) in figures {
        report!(report, "{name},{},{}", range.least, range.greatest);
    }
    report.is("# every one was measured", figures.iter().all(|(_, range)| range.least > 0));
    report.end()
}

static UNAWAITED: Semaphore = Semaphore::new(0);

fn semaphore_give() -> i64 {
    let begun = counter::ticks();
    let is_in = UNAWAITED.give();
    let now = counter::ticks();
    if is_in && is_taken_back() { taken(begun, now) } else { -1 }
}

/// Apart, so that the call that is measured keeps nothing for this one.
#[inline(never)]
fn is_taken_back() -> bool {
    UNAWAITED.try_take()
}

fn semaphore_take() -> i64 {
    let _ = UNAWAITED.give();
    let begun = counter::ticks();
    UNAWAITED.take();
    let now = counter::ticks();
    taken(begun, now)
}

fn mutex_lock() -> i64 {
    let begun = counter::ticks();
    let now = SHARED.lock(|_| counter::ticks());
    taken(begun, now)
}

fn mutex_unlock() -> i64 {
    let begun = SHARED.lock(|_| counter::ticks());
    let now = counter::ticks();
    taken(begun, now)
}

fn preemption_is_locked() -> i64 {
    let begun = counter::ticks();
    let now = preemption_lock(counter::ticks);
    taken(begun, now)
}

fn preemption_is_unlocked() -> i64 {
    let begun = preemption_lock(counter::ticks);
    let now = counter::ticks();
    taken(begun, now)
}

fn semaphore_give_task() -> i64 {
    begin();
    let _ = SEMAPHORE.give();
    length()
}

fn event_set_task() -> i64 {
    begin();
    EVENT.set();
    length()
}

/// Longer after the one before than the minimum interval.
fn sporadic_release_task() -> i64 {
    wait_until(counter::ticks().wrapping_add(AHEAD));
    begin();
    let _ = SPORADIC.release();
    length()
}

/// A second from now: nobody lives to see it.
fn far_ahead() -> Instant {
    clock::from_now(millis(1_000))
}

/// The first of all, so that the sleep of the timers' task becomes shorter.
fn timer_start() -> i64 {
    let at = far_ahead();
    let begun = counter::ticks();
    TIMER.fire_at(at);
    let now = counter::ticks();
    if TIMER.cancel() { taken(begun, now) } else { -1 }
}

/// Due later than another.
fn timer_start_behind() -> i64 {
    static LATER: Timer = Timer::new(timed);
    let at = far_ahead();
    TIMER.fire_at(at);
    let begun = counter::ticks();
    LATER.fire_at(at);
    let now = counter::ticks();
    if LATER.cancel() && TIMER.cancel() { taken(begun, now) } else { -1 }
}

/// Due later than one and sooner than ten others.
fn timer_start_before_ten() -> i64 {
    static TEN: [Timer; 10] = [const { Timer::new(timed) }; 10];
    static BEFORE: Timer = Timer::new(timed);
    let at = far_ahead();
    TIMER.fire_at(at);
    TEN.iter().for_each(|timer| timer.fire_at(at.after(2)));
    let begun = counter::ticks();
    BEFORE.fire_at(at.after(1));
    let now = counter::ticks();
    let are_cancelled = TEN.iter().all(Timer::cancel);
    if BEFORE.cancel() && TIMER.cancel() && are_cancelled { taken(begun, now) } else { -1 }
}

fn timer_cancel() -> i64 {
    TIMER.fire_at(far_ahead());
    let begun = counter::ticks();
    let was_started = TIMER.cancel();
    let now = counter::ticks();
    if was_started { taken(begun, now) } else { -1 }
}

/// From the tick at which a timer is due to the first statement of what it calls, with a busy task interrupted.
fn timer_due_call() -> i64 {
    let at = clock::next_edge(clock::from_now(micros(20)));
    begin_at(at.half_ticks().div_ceil(2));
    TIMER.fire_at(at);
    wait_until(at.half_ticks() / 2 + AHEAD);
    length()
}

/// Of another task, to the priority that it has.
fn task_set_priority() -> i64 {
    let Some((task, priority)) = TaskHandle::named("event_waiter").map(|task| (task, task.priority())) else {
        return -1;
    };
    let begun = counter::ticks();
    let former = task.set_priority(priority);
    let now = counter::ticks();
    if former == Ok(priority) { taken(begun, now) } else { -1 }
}

fn inherit_mutex_lock() -> i64 {
    let begun = counter::ticks();
    let now = BUS.lock(|_| counter::ticks());
    taken(begun, now)
}

fn inherit_mutex_unlock() -> i64 {
    let begun = BUS.lock(|_| counter::ticks());
    let now = counter::ticks();
    taken(begun, now)
}

/// From the lock of a more urgent task up to the statement of this one, raised, behind the one that let it lock.
fn inherit_mutex_wait() -> i64 {
    let taken = BUS.lock(|_| {
        CONTEND.set();
        note(counter::ticks());
        length()
    });
    let _ = length();
    taken
}

/// From the end of what a raised task does inside, up to the first statement of the more urgent task inside.
fn inherit_mutex_unlock_task() -> i64 {
    BUS.lock(|_| {
        CONTEND.set();
        begin();
    });
    length()
}

static UNAWAITED_FLAGS: EventFlags = EventFlags::new();

fn event_flags_set() -> i64 {
    let begun = counter::ticks();
    UNAWAITED_FLAGS.set(3);
    let now = counter::ticks();
    taken(begun, now)
}

fn event_flags_try() -> i64 {
    UNAWAITED_FLAGS.set(3);
    let begun = counter::ticks();
    let found = UNAWAITED_FLAGS.try_all(3, Received::Clear);
    let now = counter::ticks();
    if found == Some(3) { taken(begun, now) } else { -1 }
}

fn event_flags_set_task() -> i64 {
    FLAGS.set(1);
    begin();
    FLAGS.set(2);
    length()
}

static UNAWAITED_CONDVAR: CondVar = CondVar::new();

fn condvar_notify() -> i64 {
    let begun = counter::ticks();
    UNAWAITED_CONDVAR.notify_one();
    let now = counter::ticks();
    taken(begun, now)
}

/// Up to the first statement of the waiter inside: it locks and looks again.
fn condvar_notify_task() -> i64 {
    JOBS.lock(|jobs| *jobs += 1);
    begin();
    ARRIVED.notify_one();
    length()
}

/// The last of two comes, the other is more urgent.
fn barrier_task() -> i64 {
    begin();
    let _ = BARRIER.wait();
    length()
}
