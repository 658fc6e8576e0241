//! A task that sends to a full queue waits. A place that falls free is the most urgent one's, and among equals the one's that
//! has waited longest, whose message goes behind those that are there; nobody who only tries overtakes it. A flush throws
//! away what is there, and those who wait to send have their places.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Gate, Log, report};

takt::tasks! {
    first: Task::background(first).priority(30),
    second: Task::background(second).priority(20),
    third: Task::background(third).priority(20),
    fourth: Task::background(fourth).priority(40),
    reporter: Task::background(reporter).priority(254),
}

static QUEUE: MessageQueue<u32, 2> = MessageQueue::new();
static START: [Event; 4] = [const { Event::new() }; 4];
static DONE: Gate = Gate::new(4);
static LOG: Log<20> = Log::new();

fn first() -> ! {
    START[0].wait();
    QUEUE.send(100);
    LOG.note(&"priority 30 has sent 100");
    DONE.arrive_and_rest()
}

fn second() -> ! {
    START[1].wait();
    QUEUE.send(200);
    LOG.note(&"priority 20 has sent 200");
    DONE.arrive_and_rest()
}

fn third() -> ! {
    START[2].wait();
    QUEUE.send(300);
    LOG.note(&"priority 20 has sent 300");
    DONE.arrive_and_rest()
}

fn fourth() -> ! {
    START[3].wait();
    QUEUE.send(400);
    LOG.note(&"priority 40 has sent 400");
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    QUEUE.send(1);
    QUEUE.send(2);
    START.iter().for_each(Event::set);
    LOG.note(&"four wait to send");
    let received = [QUEUE.receive(), QUEUE.receive()];
    LOG.note(&"two were received");
    let refused = QUEUE.try_send(3).is_err();
    let flushed = QUEUE.flush();
    LOG.note(&"flushed");
    let mut report = LOG.report_after(&DONE);
    report!(report, "received {received:?}");
    report.is("one that only tries finds no place meanwhile", refused);
    report!(report, "flushed {flushed}");
    report!(report, "then {:?}, {:?}, {:?}", QUEUE.try_receive(), QUEUE.try_receive(), QUEUE.try_receive());
    let counts = QUEUE.counts();
    report!(report, "waits {}, time-outs {}, highest {}", counts.send.waits, counts.send.time_outs, counts.highest);
    report.end()
}
