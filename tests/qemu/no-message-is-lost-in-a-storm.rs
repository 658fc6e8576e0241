//! Two tasks, a kernel handler and a direct one send while two tasks receive, with interrupts at every distance from each
//! step: every message arrives once and whole, and each sender's in their order. Those that found no place were told so.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use takt::clock;
use takt::prelude::*;
use takt::rpi4::{counter, map, virtual_timer};
use takt_tests::{Report, raise, report};

takt::tasks! {
    fired: Interrupt::direct(map::VIRTUAL_TIMER_INTID.number(), fired),
    handler: Interrupt::kernel(3, handler),
    mail: Task::background(mail).priority(10),
    receiver: Task::background(receiver).priority(20),
    periodic_sender: Task::periodic(periodic_sender).priority(15).period(micros(37)),
    sender: Task::background(sender).priority(30),
    slow_receiver: Task::background(slow_receiver).priority(40),
    reporter: Task::background(reporter).priority(254),
}

/// From whom and the how many-th, and the same again, inverted.
type Message = [u32; 4];

/// How many the background task sends, the others as many as come meanwhile.
const SENT: u32 = 20_000;
const FROM_HANDLER: usize = 0;
const FROM_PERIODIC: usize = 1;
const FROM_SENDER: usize = 2;

static QUEUE: MessageQueue<Message, 3> = MessageQueue::new();
static MAILBOX: Mailbox<Message, 2> = Mailbox::new();
/// How many each sent that were not refused, the direct handler last.
static SENDS: [AtomicU32; 4] = [const { AtomicU32::new(0) }; 4];
static REFUSED: AtomicU32 = AtomicU32::new(0);
static RECEIVED: [AtomicU32; 4] = [const { AtomicU32::new(0) }; 4];
/// The sum of what came of each.
static SUMS: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];
/// The least that can come next to each receiver from each sender.
static LEAST: [[AtomicU32; 4]; 3] = [const { [const { AtomicU32::new(0) }; 4] }; 3];
static WRONG: AtomicU32 = AtomicU32::new(0);
static TIMED: AtomicU32 = AtomicU32::new(0);
/// The background task has sent all; then the periodic one ends too.
static HAS_ENDED: AtomicBool = AtomicBool::new(false);
static NEVER: Event = Event::new();
static DONE: Event = Event::new();

fn message(from: usize) -> Message {
    let number = SENDS[from].load(Ordering::Relaxed);
    [from as u32, number, !(from as u32), !number]
}

fn sent(from: usize, is_sent: bool) {
    (if is_sent { &SENDS[from] } else { &REFUSED }).fetch_add(1, Ordering::Relaxed);
}

/// Counts a message in. A receiver gets each sender's in their order, though not all of them, and each message comes once.
fn received(receiver: usize, [from, number, from_again, number_again]: Message) {
    let sender = from as usize % 4;
    let least = LEAST[receiver][sender].swap(number.wrapping_add(1), Ordering::Relaxed);
    if from != !from_again || number != !number_again || number < least {
        WRONG.fetch_add(1, Ordering::Relaxed);
    }
    RECEIVED[sender].fetch_add(1, Ordering::Relaxed);
    SUMS[sender].fetch_add(u64::from(number), Ordering::Relaxed);
}

/// Comes at distances that go through all remainders of whatever is repeated, posts, and raises the kernel handler.
fn fired() {
    static TURN: AtomicU32 = AtomicU32::new(0);
    let turn = TURN.fetch_add(1, Ordering::Relaxed);
    virtual_timer::arm(counter::ticks() + 1_200 + u64::from(turn % 601));
    sent(3, MAILBOX.post(message(3)).is_ok());
    if turn.is_multiple_of(3) {
        raise(3);
    }
}

fn handler() {
    sent(FROM_HANDLER, QUEUE.try_send_from_handler(message(FROM_HANDLER)).is_ok());
}

fn mail() -> ! {
    virtual_timer::enable();
    virtual_timer::arm(counter::ticks() + 2_000);
    loop {
        received(0, MAILBOX.receive());
    }
}

fn receiver() -> ! {
    loop {
        match QUEUE.receive_until(clock::from_now(micros(11))) {
            Ok(message) => received(1, message),
            Err(_) => {
                TIMED.fetch_add(1, Ordering::Relaxed);
            }
        }
        // For a while the queue fills up.
        if RECEIVED[FROM_SENDER].load(Ordering::Relaxed).is_multiple_of(64) {
            let _ = NEVER.wait_until(clock::from_now(micros(40)));
        }
    }
}

fn periodic_sender(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        if HAS_ENDED.load(Ordering::Relaxed) {
            takt_tests::rest()
        }
        let is_sent = QUEUE.send_until(message(FROM_PERIODIC), clock::from_now(micros(9))).is_ok();
        sent(FROM_PERIODIC, is_sent);
    }
}

fn sender() -> ! {
    for _ in 0..SENT {
        QUEUE.send(message(FROM_SENDER));
        sent(FROM_SENDER, true);
    }
    HAS_ENDED.store(true, Ordering::Relaxed);
    DONE.set();
    takt_tests::rest()
}

fn slow_receiver() -> ! {
    for turn in 0_u32.. {
        received(2, QUEUE.receive());
        if turn.is_multiple_of(16) {
            let _ = NEVER.wait_until(clock::from_now(micros(25)));
        }
    }
    takt::exit(1)
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    virtual_timer::withdraw();
    // All that is under way comes to its receiver.
    let _ = NEVER.wait_until(clock::from_now(millis(1)));
    let count = |of: &AtomicU32| u64::from(of.load(Ordering::Relaxed));
    let names = ["the kernel handler", "the periodic task", "the background task", "the direct handler"];
    for (from, name) in names.iter().enumerate() {
        let sent = count(&SENDS[from]);
        let all_numbers = sent * (sent - 1) / 2;
        let is_so = count(&RECEIVED[from]) == sent && SUMS[from].load(Ordering::Relaxed) == all_numbers;
        report.is(format_args!("what {name} sent, more than 1,000, has come once"), sent > 1_000 && is_so);
    }
    report.is("each in its sender's order, and whole", count(&WRONG) == 0);
    let (queue, mailbox) = (QUEUE.counts(), MAILBOX.counts());
    let refused = queue.dropped + queue.send.time_outs + mailbox.dropped;
    report.is("what was refused is counted, and nothing is left", count(&REFUSED) == refused && QUEUE.is_empty());
    report.is("senders waited, and some gave up", queue.send.waits > 100 && queue.send.time_outs > 10);
    report.is("some found the queue full from a handler", queue.dropped > 10);
    report.is("receivers waited, and some gave up", queue.receive.waits > 1_000 && count(&TIMED) > 100);
    report.is("the queue was full", queue.highest == 3);
    report!(report, "{SENT} messages of the background task");
    report.end()
}
