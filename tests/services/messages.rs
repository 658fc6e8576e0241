//! What sending and receiving take, as `main.rs`, which says what the names mean. Each message has 16 bytes, and `-task` ends
//! when the task has it in hand.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicI64, Ordering};

use takt::prelude::*;
use takt::rpi4::{counter, map, virtual_timer};
use takt_tests::stretch::{AHEAD, begin, from_interrupt, length, measure, note, taken, wait_until};
use takt_tests::{Report, raise, report};

takt::tasks! {
    fired: Interrupt::kernel(map::VIRTUAL_TIMER_INTID.number(), fired),
    posts: Interrupt::direct(4, posts),
    posts_unawaited: Interrupt::direct(5, posts_unawaited),
    message_waiter: Task::background(message_waiter).priority(10),
    signal_waiter: Task::background(signal_waiter).priority(10),
    mail_waiter: Task::background(mail_waiter).priority(10),
    reporter: Task::background(reporter).priority(254).stack_bytes(16_384),
}

type Message = [u64; 2];

static UNAWAITED: MessageQueue<Message, 8> = MessageQueue::new();
static QUEUE: MessageQueue<Message, 8> = MessageQueue::new();
static SIGNAL: Signal<Message> = Signal::new();
static UNAWAITED_MAIL: Mailbox<Message, 8> = Mailbox::new();
static MAILBOX: Mailbox<Message, 8> = Mailbox::new();
/// What a post took, out of the direct handler.
static POST: AtomicI64 = AtomicI64::new(-1);

const MESSAGE: Message = [0x1234, 0x5678];

fn fired() {
    virtual_timer::withdraw();
    let _ = QUEUE.try_send_from_handler(MESSAGE);
}

fn posts() {
    begin();
    let _ = MAILBOX.post(MESSAGE);
}

fn posts_unawaited() {
    let begun = counter::ticks();
    let posted = UNAWAITED_MAIL.post(MESSAGE);
    let now = counter::ticks();
    POST.store(if posted.is_ok() { taken(begun, now) } else { -1 }, Ordering::Relaxed);
}

/// Ends the stretch, provided that this is what was sent.
#[inline(never)]
fn received(now: u64, message: Message) {
    if message == MESSAGE {
        note(now);
    }
}

fn message_waiter() -> ! {
    loop {
        let message = QUEUE.receive();
        received(counter::ticks(), message);
    }
}

fn signal_waiter() -> ! {
    loop {
        let message = SIGNAL.wait();
        received(counter::ticks(), message);
    }
}

fn mail_waiter() -> ! {
    loop {
        let message = MAILBOX.receive();
        received(counter::ticks(), message);
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    report.flush();
    virtual_timer::withdraw();
    virtual_timer::enable();
    let figures = [
        ("service-message-send", measure(message_send)),
        ("service-message-receive", measure(message_receive)),
        ("service-message-send-task", measure(message_send_task)),
        ("service-handler-message-send-task", measure(from_interrupt)),
        ("service-signal-task", measure(signal_task)),
        ("service-mailbox-post", measure(mailbox_post)),
        ("service-mailbox-post-task", measure(mailbox_post_task)),
    ];
    for (name, range) in figures {
        report!(report, "{name},{},{}", range.least, range.greatest);
    }
    report.is("# every one was measured", figures.iter().all(|(_, range)| range.least > 0));
    report.end()
}

/// Apart, so that the call that is measured keeps nothing for this one.
#[inline(never)]
fn is_received() -> bool {
    UNAWAITED.try_receive() == Some(MESSAGE)
}

fn message_send() -> i64 {
    let begun = counter::ticks();
    UNAWAITED.send(MESSAGE);
    let now = counter::ticks();
    if is_received() { taken(begun, now) } else { -1 }
}

fn message_receive() -> i64 {
    let _ = UNAWAITED.try_send(MESSAGE);
    let begun = counter::ticks();
    let message = UNAWAITED.receive();
    let now = counter::ticks();
    if message == MESSAGE { taken(begun, now) } else { -1 }
}

fn message_send_task() -> i64 {
    begin();
    QUEUE.send(MESSAGE);
    length()
}

fn signal_task() -> i64 {
    begin();
    SIGNAL.signal(MESSAGE);
    length()
}

fn mailbox_post() -> i64 {
    raise(5);
    settle();
    if UNAWAITED_MAIL.try_receive() == Some(MESSAGE) { POST.swap(-1, Ordering::Relaxed) } else { -1 }
}

fn mailbox_post_task() -> i64 {
    raise(4);
    settle();
    length()
}

/// Until whatever was raised has come.
fn settle() {
    wait_until(counter::ticks().wrapping_add(AHEAD));
}
