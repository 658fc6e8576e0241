//! A broadcast hands a copy to every task that waits for a message, however few places the queue has, and says how many
//! those were; one that nobody waits for is gone. The tasks run in the order of urgency.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use takt::clock;
use takt::prelude::*;
use takt_tests::{Gate, Log, report};

takt::tasks! {
    urgent: Task::background(urgent).priority(10),
    middle: Task::background(middle).priority(20),
    timed: Task::background(timed).priority(30),
    reporter: Task::background(reporter).priority(254),
}

static QUEUE: MessageQueue<[u32; 4], 1> = MessageQueue::new();
static LOG: Log<20> = Log::new();
static DONE: Gate = Gate::new(3);

const MESSAGE: [u32; 4] = [1, 2, 3, 4];

fn urgent() -> ! {
    LOG.note(if QUEUE.receive() == MESSAGE { &"urgent" } else { &"urgent: another message" });
    DONE.arrive_and_rest()
}

fn middle() -> ! {
    LOG.note(if QUEUE.receive() == MESSAGE { &"middle" } else { &"middle: another message" });
    DONE.arrive_and_rest()
}

fn timed() -> ! {
    let received = QUEUE.receive_until(clock::from_now(millis(5)));
    LOG.note(if received == Ok(MESSAGE) { &"timed" } else { &"timed: another, or none" });
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    LOG.note(&"three wait");
    let receivers = QUEUE.broadcast(MESSAGE);
    LOG.note(&"the sender goes on");
    let mut report = LOG.report_after(&DONE);
    report!(report, "receivers: {receivers}");
    report!(report, "of another one: {}", QUEUE.broadcast(MESSAGE));
    report.is("which is gone", QUEUE.is_empty());
    report.end()
}
