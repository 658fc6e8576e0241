//! A semaphore, an event, event flags, a signal and a sporadic task of core 1, acted upon from core 2 and from core 1 itself.
// run: --cores 4
#![no_std]
#![no_main]

use takt::prelude::*;
use takt::rpi4::cores;
use takt_tests::{Report, report};

takt::tasks! {
    semaphore: SEMAPHORE_FROM_AFAR.port(),
    event: EVENT_FROM_AFAR.port(),
    flags: FLAGS_FROM_AFAR.port(),
    signal: SIGNAL_FROM_AFAR.port(),
    sporadic: SPORADIC_FROM_AFAR.port(),
    said: SAID.port(),
    begin: BEGIN_FROM_AFAR.port(),
    taker: Task::background(taker).core(1).priority(10),
    waiter: Task::background(waiter).core(1).priority(11),
    receiver: Task::background(receiver).core(1).priority(12),
    listener: Task::background(listener).core(1).priority(13),
    server: Task::sporadic(server).min_interval(micros(100)).core(1).priority(14),
    own: Task::background(own).core(1).priority(200),
    sender: Task::background(sender).core(2).priority(200),
    reporter: Task::background(reporter).core(0).priority(254),
}

static SEMAPHORE: Semaphore = Semaphore::with_most(0, 2);
static SEMAPHORE_FROM_AFAR: Remote<Semaphore, 1> = Remote::to(&SEMAPHORE);
static EVENT: Event = Event::new();
static EVENT_FROM_AFAR: Remote<Event, 1> = Remote::to(&EVENT);
static FLAGS: EventFlags = EventFlags::new();
static FLAGS_FROM_AFAR: Remote<EventFlags, 1> = Remote::to(&FLAGS);
static SIGNAL: Signal<(u32, u32)> = Signal::new();
static SIGNAL_FROM_AFAR: Remote<Signal<(u32, u32)>, 1> = Remote::to(&SIGNAL);
static SPORADIC: Sporadic<2> = Sporadic::new();
static SPORADIC_FROM_AFAR: Remote<Sporadic<2>, 1> = Remote::to(&SPORADIC);
/// Who sends next.
static BEGIN: Event = Event::new();
static BEGIN_FROM_AFAR: Remote<Event, 2> = Remote::to(&BEGIN);

/// What happened on core 1.
static SAID: Lanes<(&'static str, u32), 16, 0> = Lanes::new();

fn say(what: &'static str, number: u32) {
    assert!(cores::this_core() == 1 && SAID.send((what, number)).is_ok(), "said on core 1, with room");
}

fn taker() -> ! {
    for number in 1.. {
        SEMAPHORE.take();
        say("taken", number);
    }
    takt_tests::rest()
}

fn waiter() -> ! {
    loop {
        EVENT.wait();
        say("event", 0);
    }
}

fn receiver() -> ! {
    loop {
        let flags = FLAGS.wait_all(0b101, Received::Clear);
        say("flags", flags);
    }
}

fn listener() -> ! {
    loop {
        let (value, again) = SIGNAL.wait();
        assert!(value == !again, "a value is whole");
        say("signal", value);
    }
}

fn server(task: SporadicTask) -> ! {
    let mut releases = task.released_by(&SPORADIC);
    loop {
        let release = releases.wait();
        say("released", release.skipped() as u32);
    }
}

fn act() {
    SEMAPHORE_FROM_AFAR.give();
    EVENT_FROM_AFAR.set();
    FLAGS_FROM_AFAR.set(0b001);
    FLAGS_FROM_AFAR.set(0b110);
    SIGNAL_FROM_AFAR.signal((7, !7));
    SPORADIC_FROM_AFAR.release();
}

/// Core 1 acts upon its own.
fn own() -> ! {
    act();
    takt::sleep_for(millis(1));
    BEGIN_FROM_AFAR.set();
    takt_tests::rest()
}

fn sender() -> ! {
    BEGIN.wait();
    act();
    takt_tests::rest()
}

fn reporter() -> ! {
    let mut report = Report::new();
    for from in [1, 2] {
        let mut said = [("", 0); 5];
        said.fill_with(|| SAID.receive());
        said.sort_unstable();
        report!(report, "from core {from}: {said:?}");
    }
    report.end()
}
