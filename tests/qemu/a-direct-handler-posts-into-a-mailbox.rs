//! A direct handler posts, also from the middle of a kernel handler: the task that waits has the message when both have
//! ended, and among several the most urgent. What finds no place is given back and counted, and order is kept. Several
//! mailboxes do not get into each other's way.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, Ordering};

use takt::prelude::*;
use takt_tests::{Log, Report, busy_for_us, raise, report};

takt::tasks! {
    posts: Interrupt::direct(2, posts),
    interrupted: Interrupt::kernel(3, interrupted),
    urgent: Task::background(urgent).priority(10),
    other: Task::background(other).priority(20),
    reporter: Task::background(reporter).priority(254),
}

static MAILBOX: Mailbox<[u32; 2], 4> = Mailbox::new();
static SECOND: Mailbox<u32, 1> = Mailbox::new();
static LOG: Log<30> = Log::new();
static POSTS: AtomicU32 = AtomicU32::new(1);
static NEXT: AtomicU32 = AtomicU32::new(0);
static LATEST: AtomicU32 = AtomicU32::new(0);
static AGAIN: Event = Event::new();

/// As many as it is asked for, and one for the second mailbox.
fn posts() {
    LOG.note(&"  the direct handler begins");
    for _ in 0..POSTS.load(Ordering::Relaxed) {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        if let Err(full) = MAILBOX.post([number, !number]) {
            LOG.note(if full.message == [number, !number] {
                &"  one is given back"
            } else {
                &"  ANOTHER is given back"
            });
        }
    }
    let _ = SECOND.post(NEXT.load(Ordering::Relaxed));
    LOG.note(&"  the direct handler ends");
}

fn interrupted() {
    LOG.note(&"the kernel handler begins");
    raise(2);
    busy_for_us(20);
    LOG.note(&"the kernel handler ends");
}

fn received([number, complement]: [u32; 2]) {
    assert!(number == !complement, "a message is whole");
    LATEST.store(number, Ordering::Relaxed);
}

fn urgent() -> ! {
    loop {
        received(MAILBOX.receive());
        LOG.note(&"urgent has received");
        AGAIN.wait();
    }
}

fn other() -> ! {
    loop {
        received(MAILBOX.receive());
        LOG.note(&"the other has received");
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    raise(2);
    busy_for_us(20);
    LOG.print(&mut report);
    report!(report, "message {}", LATEST.load(Ordering::Relaxed));
    raise(3);
    busy_for_us(100);
    LOG.print(&mut report);
    report!(report, "message {}; the second mailbox has {:?}", LATEST.load(Ordering::Relaxed), SECOND.try_receive());
    AGAIN.set();
    report!(report, "two wait, and six are posted, two more than there are places:");
    POSTS.store(6, Ordering::Relaxed);
    raise(2);
    busy_for_us(100);
    LOG.print(&mut report);
    report!(report, "the latest is {}", LATEST.load(Ordering::Relaxed));
    let counts = MAILBOX.counts();
    report!(report, "waits {}, highest {}, dropped {}", counts.wait.waits, counts.highest, counts.dropped);
    report!(report, "nobody waits for the second one's: highest {}", SECOND.counts().highest);
    report!(report, "dropped {}, and {:?} is there", SECOND.counts().dropped, SECOND.try_receive());
    report.end()
}
