//! Waiting to receive, to send, for a signal and for mail ends at its deadline, not a tick before, and whoever gives up is
//! passed over afterwards; a message that could not be sent is given back. What comes before the deadline ends the wait.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use takt::clock;
use takt::kernel::time::Instant;
use takt::prelude::*;
use takt_tests::{Report, busy_for_us, report};

takt::tasks! {
    waiter: Task::background(waiter).priority(20),
    other: Task::background(other).priority(30),
}

static QUEUE: MessageQueue<u32, 2> = MessageQueue::new();
static SIGNAL: Signal<u32> = Signal::new();
static MAILBOX: Mailbox<u32, 2> = Mailbox::new();
static HELP: Event = Event::new();

/// A little later, does what ends the wait.
fn other() -> ! {
    for turn in 0.. {
        HELP.wait();
        busy_for_us(50);
        match turn {
            0 => QUEUE.send(7),
            1 => SIGNAL.signal(8),
            2 => drop(MAILBOX.post(9)),
            _ => drop(QUEUE.receive()),
        }
    }
    takt::exit(1)
}

/// Whether a wait ended at its deadline: within 500 ticks of it, and not before.
fn is_at(deadline: Instant) -> bool {
    (0..1_000).contains(&clock::now().since(deadline))
}

fn waiter() -> ! {
    let mut report = Report::new();
    give_up(&mut report);
    have_it(&mut report);
    let counts = QUEUE.counts();
    let (receive, send) = (counts.receive, counts.send);
    report!(report, "to receive: waits {}, time-outs {}", receive.waits, receive.time_outs);
    report!(report, "to send: waits {}, time-outs {}", send.waits, send.time_outs);
    for (name, wait) in [("signal", SIGNAL.counts().wait), ("mailbox", MAILBOX.counts().wait)] {
        report!(report, "{name}: waits {}, time-outs {}", wait.waits, wait.time_outs);
    }
    report.end()
}

fn give_up(report: &mut Report) {
    let deadline = clock::from_now(micros(300));
    let timed_out = Err(TimedOut { deadline });
    report.is("no message: at the deadline", QUEUE.receive_until(deadline) == timed_out && is_at(deadline));
    let deadline = clock::from_now(micros(300));
    report.is("no signal", SIGNAL.wait_until(deadline) == Err(TimedOut { deadline }) && is_at(deadline));
    let deadline = clock::from_now(micros(300));
    report.is("no mail", MAILBOX.receive_until(deadline) == Err(TimedOut { deadline }) && is_at(deadline));
    QUEUE.send(1);
    QUEUE.send(2);
    let deadline = clock::from_now(micros(300));
    let sent = QUEUE.send_until(3, deadline);
    let is_at_deadline = is_at(deadline);
    report.is("no place", sent.as_ref().is_err_and(|error| error.message == 3 && error.deadline == deadline));
    report.is("  at the deadline", is_at_deadline);
    report
        .is("  and the message is not in the queue", [QUEUE.receive(), QUEUE.receive()] == [1, 2] && QUEUE.is_empty());
    let passed = clock::now().before(1_000);
    report.is("a deadline that has passed", QUEUE.receive_until(passed) == Err(TimedOut { deadline: passed }));
    QUEUE.send(4);
    report.is("  takes what is there", QUEUE.receive_until(passed) == Ok(4));
    report.is("  and sends where there is a place", QUEUE.send_until(5, passed).is_ok() && QUEUE.receive() == 5);
}

fn have_it(report: &mut Report) {
    let deadline = || clock::from_now(micros(5_000));
    HELP.set();
    report.is("a message comes in time", QUEUE.receive_until(deadline()) == Ok(7));
    HELP.set();
    report.is("a signal", SIGNAL.wait_until(deadline()) == Ok(8));
    HELP.set();
    report.is("mail", MAILBOX.receive_until(deadline()) == Ok(9));
    QUEUE.send(1);
    QUEUE.send(2);
    HELP.set();
    report.is("a place", QUEUE.send_until(3, deadline()).is_ok());
    report.is("  behind the other", QUEUE.receive() == 2 && QUEUE.receive() == 3 && QUEUE.is_empty());
    // The deadlines that were not needed are forgotten.
    let later = clock::from_now(micros(6_000));
    report.is("then the others' deadlines do not come", SIGNAL.wait_until(later).is_err() && is_at(later));
}
