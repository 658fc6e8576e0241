//! Nobody receives: a lane takes as many messages as it has places, from each core, and says of each further one that it is full.
// run: --cores 4
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    lanes: LANES.port(),
    tried: TRIED_FROM_AFAR.port(),
    sender_1: Task::background(sender).core(1).priority(10),
    sender_3: Task::background(sender).core(3).priority(10),
    reporter: Task::background(reporter).core(0).priority(254),
}

static LANES: Lanes<u32, 4, 0> = Lanes::new();
static TRIED: Semaphore = Semaphore::new(0);
static TRIED_FROM_AFAR: Remote<Semaphore, 0> = Remote::to(&TRIED);

fn sender() -> ! {
    for number in 0..7 {
        let sent = LANES.send(number);
        assert!(sent.is_ok() == (number < 4), "four find a place");
        if let Err(full) = sent {
            assert!(full.message == number, "and the others come back");
        }
    }
    TRIED_FROM_AFAR.give();
    takt_tests::rest()
}

fn reporter() -> ! {
    TRIED.take();
    TRIED.take();
    let mut report = Report::new();
    report!(report, "dropped by core: {:?}", LANES.counts().dropped);
    let mut received = [0; 8];
    received.fill_with(|| LANES.receive());
    received.sort_unstable();
    report!(report, "received: {received:?}");
    report.is("nothing more", LANES.try_receive().is_none());
    report.end()
}
