//! What the calls take that `main.rs` and `messages.rs` leave out, where nobody waits and the caller need not, as these.
#![no_std]
#![no_main]

use takt::clock;
use takt::kernel::time::Instant;
use takt::prelude::*;
use takt::rpi4::counter;
use takt::{TaskHandle, sleep_until};
use takt_tests::stretch::{measure, timed};
use takt_tests::{Report, report};

takt::tasks! {
    timers: Task::background(takt::timer::task).priority(10),
    reporter: Task::background(reporter)
        .priority(254)
        .locks(&SHARED, micros(100))
        .locks_inherit("bus", micros(100))
        .stack_bytes(16_384),
}

type Message = [u64; 2];
const MESSAGE: Message = [0x1234, 0x5678];

static SEMAPHORE: Semaphore = Semaphore::new(0);
static EVENT: Event = Event::new();
static FLAGS: EventFlags = EventFlags::new();
static SHARED: Mutex<u32, 10> = Mutex::new(0);
static BUS: InheritMutex<u32> = InheritMutex::new("bus", 0);
static CHANGED: CondVar = CondVar::new();
static BARRIER: Barrier<1> = Barrier::new();
static SIGNAL: Signal<Message> = Signal::new();
static QUEUE: MessageQueue<Message, 8> = MessageQueue::new();
static MAILBOX: Mailbox<Message, 8> = Mailbox::new();
static TIMER: Timer = Timer::new(|| ());

/// A second from now: nobody lives to see it.
fn far_ahead() -> Instant {
    clock::from_now(millis(1_000))
}

/// What `call` took, once `prepare` was done; negative where its answer is not the one that is expected.
#[inline(always)]
fn after(prepare: impl FnOnce(), call: impl FnOnce() -> bool) -> i64 {
    prepare();
    timed(call)
}

/// A name, and what measures it once.
type Call = (&'static str, fn() -> i64);

/// Each call, by its name in `budgets.toml`.
const CALLS: [Call; 27] = [
    ("service-semaphore-try-take", || after(give, || SEMAPHORE.try_take())),
    ("service-semaphore-take-until", semaphore_take_until),
    ("service-event-set", || {
        after(
            || (),
            || {
                EVENT.set();
                true
            },
        )
        .min(event_is_taken())
    }),
    ("service-event-wait", || {
        after(
            || EVENT.set(),
            || {
                EVENT.wait();
                true
            },
        )
    }),
    ("service-event-wait-until", event_wait_until),
    ("service-event-flags-clear", || {
        after(
            || FLAGS.set(1),
            || {
                FLAGS.clear(1);
                true
            },
        )
    }),
    ("service-event-flags-get", || after(|| (), || FLAGS.get() == 0)),
    ("service-event-flags-wait", || after(|| FLAGS.set(1), || FLAGS.wait_any(1, Received::Clear) == 1)),
    ("service-mutex-try-lock-unlock", || after(|| (), || SHARED.try_lock(|_| ()).is_some())),
    ("service-inherit-mutex-try-lock-unlock", || after(|| (), || BUS.try_lock(|_| ()).is_some())),
    ("service-inherit-mutex-lock-until-unlock", inherit_mutex_lock_until),
    ("service-condvar-notify-all", || {
        after(
            || (),
            || {
                CHANGED.notify_all();
                true
            },
        )
    }),
    ("service-barrier-of-one", || after(|| (), || BARRIER.wait())),
    ("service-signal", || {
        after(take_signal, || {
            SIGNAL.signal(MESSAGE);
            true
        })
    }),
    ("service-signal-try-take", || after(|| SIGNAL.signal(MESSAGE), || SIGNAL.try_take() == Some(MESSAGE))),
    ("service-signal-wait", || after(|| SIGNAL.signal(MESSAGE), || SIGNAL.wait() == MESSAGE)),
    ("service-message-send-urgent", || after(empty_the_queue, || QUEUE.try_send_urgent(MESSAGE).is_ok())),
    ("service-message-try-receive", || after(send, || QUEUE.try_receive() == Some(MESSAGE))),
    ("service-message-receive-until", message_receive_until),
    ("service-message-broadcast", || after(|| (), || QUEUE.broadcast(MESSAGE) == 0)),
    ("service-message-flush-one", || after(send_the_only_one, || QUEUE.flush() == 1)),
    ("service-message-is-empty", || after(|| (), || QUEUE.is_empty())),
    ("service-mailbox-try-receive", || after(post, || MAILBOX.try_receive() == Some(MESSAGE))),
    ("service-timer-reset", || after(|| TIMER.fire_after(millis(1_000)), || TIMER.reset())),
    ("service-timer-due", || after(|| (), || TIMER.due().is_some())),
    ("service-sleep-until-what-has-passed", sleep_until_what_has_passed),
    ("service-task-state", task_state),
];

fn reporter() -> ! {
    let mut report = Report::new();
    report.flush();
    let mut all = true;
    for (name, once) in CALLS {
        let range = measure(once);
        report!(report, "{name},{},{}", range.least, range.greatest);
        all &= range.least > 0;
    }
    report.is("# every one was measured", all);
    report.end()
}

/// Positive where the event was set, which it is not any more.
#[inline(never)]
fn event_is_taken() -> i64 {
    if EVENT.wait_until(clock::now()).is_ok() { i64::MAX } else { -1 }
}

#[inline(never)]
fn empty_the_queue() {
    let _ = QUEUE.flush();
}

#[inline(never)]
fn send_the_only_one() {
    empty_the_queue();
    send();
}

#[inline(never)]
fn give() {
    let _ = SEMAPHORE.give();
}

#[inline(never)]
fn send() {
    let _ = QUEUE.try_send(MESSAGE);
}

#[inline(never)]
fn take_signal() {
    let _ = SIGNAL.try_take();
}

#[inline(never)]
fn post() {
    let _ = MAILBOX.post(MESSAGE);
}

fn semaphore_take_until() -> i64 {
    let deadline = far_ahead();
    after(give, || SEMAPHORE.take_until(deadline).is_ok())
}

fn event_wait_until() -> i64 {
    let deadline = far_ahead();
    after(|| EVENT.set(), || EVENT.wait_until(deadline).is_ok())
}

fn inherit_mutex_lock_until() -> i64 {
    let deadline = far_ahead();
    timed(|| BUS.lock_until(deadline, |_| ()).is_ok())
}

fn message_receive_until() -> i64 {
    let deadline = far_ahead();
    after(send, || QUEUE.receive_until(deadline) == Ok(MESSAGE))
}

fn sleep_until_what_has_passed() -> i64 {
    let passed = Instant::from_counter(counter::ticks());
    timed(|| !sleep_until(passed).is_before(passed))
}

fn task_state() -> i64 {
    let Some(timers) = TaskHandle::named("timers") else { return -1 };
    timed(|| timers.state() != takt::kernel::executive::TaskState::Running)
}
