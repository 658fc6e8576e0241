//! Messages come out in the order in which they were sent, round the queue's end too; an urgent one before all others. What
//! finds no place is given back and counted. Nobody waits for any of this.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use takt::message_queue::Full;
use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

static QUEUE: MessageQueue<u32, 3> = MessageQueue::new();
static OWNED: MessageQueue<Counted, 2> = MessageQueue::new();

/// A message that is not a copy: it is dropped once.
#[derive(Debug, PartialEq, Eq)]
struct Counted(u32);

impl Drop for Counted {
    fn drop(&mut self) {
        // A message may call the executive when it is dropped: no kernel step goes on then.
        let _ = DROPPED.give();
    }
}

static DROPPED: Semaphore = Semaphore::new(0);

fn reporter() -> ! {
    let mut report = Report::new();
    report.is("an empty queue has none", QUEUE.try_receive().is_none() && QUEUE.is_empty());
    let mut next = 0;
    for _ in 0..4 {
        for number in next..next + 3 {
            QUEUE.send(number);
        }
        let received = [QUEUE.try_receive(), QUEUE.try_receive(), QUEUE.try_receive()];
        report!(report, "sent from {next} on: {received:?}");
        next += 2;
        // The ring's end is elsewhere the next time.
        QUEUE.send(99);
        let _ = QUEUE.receive();
    }
    QUEUE.send(1);
    QUEUE.send(2);
    report.is("an urgent one finds a place", QUEUE.try_send_urgent(3).is_ok());
    report.is("another finds none, and is given back", QUEUE.try_send_urgent(4) == Err(Full { message: 4 }));
    report.is("one that is not urgent neither", QUEUE.try_send(5) == Err(Full { message: 5 }));
    report!(report, "{} messages, the first is {}", QUEUE.len(), QUEUE.receive());
    report!(report, "then {} and {}", QUEUE.receive(), QUEUE.receive());
    let counts = QUEUE.counts();
    report!(report, "highest {}, dropped {}, waits {}", counts.highest, counts.dropped, counts.receive.waits);
    if let Err(full) = QUEUE.try_send(0).and(QUEUE.try_send(0)).and(QUEUE.try_send(0)).and(QUEUE.try_send(6)) {
        report!(report, "{full}");
    }
    owned(&mut report);
    report.end()
}

/// A message belongs to who receives it, or who sent it in vain, and to nobody else.
fn owned(report: &mut Report) {
    OWNED.send(Counted(1));
    OWNED.send(Counted(2));
    report.is("what is sent is not dropped", DROPPED.count() == 0);
    let given_back = OWNED.try_send(Counted(3));
    report.is("nor what is given back", DROPPED.count() == 0);
    drop(given_back);
    report.is("  before its owner does", DROPPED.count() == 1);
    report.is("what is received is whole", OWNED.receive() == Counted(1));
    // The received one, and the one that it was compared with.
    report.is("  and dropped once", DROPPED.count() == 3);
    report.is("flushing drops what was there", OWNED.flush() == 1 && DROPPED.count() == 4);
    report.is("  and nothing more", OWNED.flush() == 0 && OWNED.is_empty());
}
