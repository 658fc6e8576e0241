//! What acting upon another core's objects takes: of the sender until it goes on, the interrupt raised, and of the receiver from
//! the vector to the first statement of the task that is woken. With two cores, of which the other sleeps while this one measures.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, Ordering};

use takt::prelude::*;
use takt::rpi4::{counter, interrupts};
use takt_tests::stretch::{begin, length, measure, note, timed};
use takt_tests::{Report, report};

takt::tasks! {
    gives: GIVES_TO_1.port(),
    events: EVENTS_TO_1.port(),
    flags: FLAGS_TO_1.port(),
    signals: SIGNALS_TO_1.port(),
    releases: RELEASES_TO_1.port(),
    messages: MESSAGES_TO_1.port(),
    own_gives: GIVES_TO_0.port(),
    own_messages: MESSAGES_TO_0.port(),
    server: Task::sporadic(server).min_interval(micros(1)).core(1).priority(20),
    reader: Task::background(reader).core(1).priority(30),
    taker: Task::background(taker).core(0).priority(10),
    receiver: Task::background(receiver).core(0).priority(11),
    reporter: Task::background(reporter).core(0).priority(254).stack_bytes(16_384),
}

type Message = [u64; 2];
/// Measures one thing once.
type Once = fn() -> i64;
const MESSAGE: Message = [0x1234, 0x5678];

static GIVES: Semaphore = Semaphore::new(0);
static GIVES_TO_1: Remote<Semaphore, 1> = Remote::to(&GIVES);
static EVENTS: Event = Event::new();
static EVENTS_TO_1: Remote<Event, 1> = Remote::to(&EVENTS);
static FLAGS: EventFlags = EventFlags::new();
static FLAGS_TO_1: Remote<EventFlags, 1> = Remote::to(&FLAGS);
static SIGNALS: Signal<Message> = Signal::new();
static SIGNALS_TO_1: Remote<Signal<Message>, 1> = Remote::to(&SIGNALS);
static RELEASES: Sporadic = Sporadic::new();
static RELEASES_TO_1: Remote<Sporadic, 1> = Remote::to(&RELEASES);
static MESSAGES_TO_1: Lanes<Message, 8, 1> = Lanes::new();
static OWN_GIVES: Semaphore = Semaphore::new(0);
static GIVES_TO_0: Remote<Semaphore, 0> = Remote::to(&OWN_GIVES);
static MESSAGES_TO_0: Lanes<Message, 8, 0> = Lanes::new();
/// How many messages core 1 has received.
static READ: AtomicU32 = AtomicU32::new(0);

fn server(task: SporadicTask) -> ! {
    let mut releases = task.released_by(&RELEASES);
    loop {
        releases.wait();
    }
}

fn reader() -> ! {
    loop {
        let _ = MESSAGES_TO_1.receive();
        READ.fetch_add(1, Ordering::Relaxed);
    }
}

fn taker() -> ! {
    loop {
        OWN_GIVES.take();
        note(counter::ticks());
    }
}

fn receiver() -> ! {
    loop {
        let message = MESSAGES_TO_0.receive();
        let now = counter::ticks();
        if message == MESSAGE {
            note(now);
        }
    }
}

/// Core 1 hears of all that was sent: of a message that comes behind it, too.
fn let_core_1_hear() {
    let read = READ.load(Ordering::Relaxed);
    while MESSAGES_TO_1.send(MESSAGE).is_err() {
        interrupts::yield_hint();
    }
    while READ.load(Ordering::Relaxed) == read {
        takt::sleep_for(micros(50));
    }
    takt::sleep_for(micros(50));
}

/// What one send takes, when core 1 has nothing to hear of.
fn send(act: impl FnOnce()) -> i64 {
    let_core_1_hear();
    timed(|| {
        act();
        true
    })
}

fn give_again() -> i64 {
    let_core_1_hear();
    EVENTS_TO_1.set();
    timed(|| {
        GIVES_TO_1.give();
        true
    })
}

/// From where the interrupt is taken that `act` has raised at this core, up to where a task ends the stretch.
fn heard(act: impl FnOnce()) -> i64 {
    interrupts::mask();
    act();
    begin();
    // SAFETY: they were unmasked before, and nothing is half changed.
    unsafe { interrupts::unmask() };
    length()
}

fn reporter() -> ! {
    let mut report = Report::new();
    let figures: [(&str, Once); 9] = [
        ("remote-give", || send(|| GIVES_TO_1.give())),
        ("remote-give-again", give_again),
        ("remote-event-set", || send(|| EVENTS_TO_1.set())),
        ("remote-flags-set", || send(|| FLAGS_TO_1.set(1))),
        ("remote-signal", || send(|| SIGNALS_TO_1.signal(MESSAGE))),
        ("remote-release", || send(|| RELEASES_TO_1.release())),
        ("remote-message-send", || send(|| assert!(MESSAGES_TO_1.send(MESSAGE).is_ok()))),
        ("remote-receive-give-task", || heard(|| GIVES_TO_0.give())),
        ("remote-receive-message-task", || heard(|| assert!(MESSAGES_TO_0.send(MESSAGE).is_ok()))),
    ];
    let mut all_measured = true;
    for (name, once) in figures {
        let range = measure(once);
        all_measured &= range.least > 0;
        report!(report, "{name},{},{}", range.least, range.greatest);
    }
    report.is("# every one was measured", all_measured);
    report.end()
}
