//! A stream interrupts its consumer's core only where the consumer waits, and then once, when enough is there; a wait that ends at
//! its deadline leaves what came, and the next is told as ever.
// run: --icount 4 --cores 4
// run: --icount 4 --cores 4 --append timebase=generic
#![no_std]
#![no_main]

use takt::clock;
use takt::prelude::*;
use takt::rpi4::cores;
use takt::sleep_for;
use takt_tests::{Report, report, rest};

takt::tasks! {
    items: ITEMS.port(),
    next: NEXT_FROM_AFAR.port(),
    producer: Task::background(producer).core(1).priority(20).remote_sends(1),
    reporter: Task::background(reporter).core(0).priority(254),
}

static ITEMS: Stream<u64, 16, 1, 0> = Stream::new();
static NEXT: Semaphore = Semaphore::new(0);
static NEXT_FROM_AFAR: Remote<Semaphore, 1> = Remote::to(&NEXT);

/// For each permit, four items, one after the other.
fn producer() -> ! {
    let Some(mut producer) = ITEMS.producer() else { panic!("taken twice") };
    if ITEMS.producer().is_some() || cores::this_core() != 1 {
        panic!("there are two producers");
    }
    for permit in 0..4 {
        NEXT.take();
        for item in 0..4 {
            if producer.write(&[4 * permit + item]) != 1 {
                panic!("a stream of 16 is full");
            }
        }
    }
    rest()
}

fn reporter() -> ! {
    let mut report = Report::new();
    let Some(mut consumer) = ITEMS.consumer() else { panic!("taken twice") };
    report.is("the consumer is given once", ITEMS.consumer().is_none());
    NEXT_FROM_AFAR.give();
    sleep_for(millis(1));
    report!(report, "not waited for: {} items", consumer.available());
    NEXT_FROM_AFAR.give();
    consumer.wait_for(8);
    report!(report, "waited for 8: {} items, slept {} times", consumer.available(), consumer.sleeps());
    let deadline = clock::from_now(millis(1));
    report
        .is("a wait for 12 ends at its deadline", consumer.wait_for_until(12, deadline) == Err(TimedOut { deadline }));
    report!(report, "  {} items, slept {} times", consumer.available(), consumer.sleeps());
    NEXT_FROM_AFAR.give();
    let far = clock::from_now(millis(100));
    report.is("the next does not", consumer.wait_for_until(12, far) == Ok(()));
    report!(report, "  {} items, slept {} times", consumer.available(), consumer.sleeps());
    NEXT_FROM_AFAR.give();
    sleep_for(millis(1));
    consumer.wait_for(16);
    report!(report, "16 that are there: slept {} times", consumer.sleeps());
    let mut items = [0; 20];
    let count = consumer.read(&mut items);
    report.is("16 items in order", count == 16 && items[..count].iter().copied().eq(0..16));
    let count = consumer.read(&mut items);
    report!(report, "{count} more, found empty {} times", consumer.found_empty());
    report.end()
}
