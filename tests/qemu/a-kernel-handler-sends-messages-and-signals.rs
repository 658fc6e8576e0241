//! A kernel handler sends a message, or signals a value: to the most urgent task that waits, which runs when the handler has
//! ended, or into the queue. A message that finds no place is given back and counted; a value replaces the one that nobody
//! has taken.
// run: --icount 4 --cores 1
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, Ordering};

use takt::prelude::*;
use takt_tests::{Log, Report, raise, report};

takt::tasks! {
    sends: Interrupt::kernel(3, sends),
    signals: Interrupt::kernel(4, signals),
    receiver: Task::background(receiver).priority(10),
    signal_waiter: Task::background(signal_waiter).priority(20),
    reporter: Task::background(reporter).priority(254),
}

static QUEUE: MessageQueue<u32, 2> = MessageQueue::new();
static SIGNAL: Signal<u32> = Signal::new();
static LOG: Log<20> = Log::new();
static NEXT: AtomicU32 = AtomicU32::new(1);
static REFUSED: AtomicU32 = AtomicU32::new(0);
static RECEIVED: AtomicU32 = AtomicU32::new(0);
static AGAIN: Event = Event::new();

/// Three messages.
fn sends() {
    LOG.note(&"the handler begins to send");
    for _ in 0..3 {
        if let Err(full) = QUEUE.try_send_from_handler(NEXT.fetch_add(1, Ordering::Relaxed)) {
            REFUSED.store(full.message, Ordering::Relaxed);
        }
    }
    LOG.note(&"the handler has sent");
}

/// Two values.
fn signals() {
    SIGNAL.signal_from_handler(NEXT.fetch_add(1, Ordering::Relaxed));
    SIGNAL.signal_from_handler(NEXT.fetch_add(1, Ordering::Relaxed));
    LOG.note(&"the handler has signalled");
}

fn receiver() -> ! {
    loop {
        RECEIVED.store(QUEUE.receive(), Ordering::Relaxed);
        LOG.note(&"received");
        AGAIN.wait();
    }
}

fn signal_waiter() -> ! {
    loop {
        RECEIVED.store(SIGNAL.wait(), Ordering::Relaxed);
        LOG.note(&"signalled");
        AGAIN.wait();
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    raise(3);
    LOG.print(&mut report);
    report!(report, "message {} for the waiting task, {} in the queue", RECEIVED.load(Ordering::Relaxed), QUEUE.len());
    raise(3);
    LOG.print(&mut report);
    report!(report, "of three more none found a place, the last {}", REFUSED.load(Ordering::Relaxed));
    report!(report, "the queue has {} and {}", QUEUE.receive(), QUEUE.receive());
    let counts = QUEUE.counts();
    report!(report, "highest {}, dropped {}", counts.highest, counts.dropped);
    raise(4);
    LOG.print(&mut report);
    report!(report, "value {} for the waiting task, overwritten {}", RECEIVED.load(Ordering::Relaxed), overwritten());
    raise(4);
    report!(report, "then {:?} and {:?}, overwritten {}", SIGNAL.try_take(), SIGNAL.try_take(), overwritten());
    SIGNAL.signal(20);
    SIGNAL.signal(21);
    report!(report, "a task's: {}, overwritten {}", SIGNAL.wait(), overwritten());
    report.end()
}

fn overwritten() -> u64 {
    SIGNAL.counts().overwritten
}
