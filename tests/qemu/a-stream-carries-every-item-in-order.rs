//! A hundred thousand items in each of three streams, there and back between two cores and within one: in runs of all lengths,
//! none is lost, doubled or reordered, whoever waits for whom.
// run: --icount 4 --cores 4
// run: --icount 4 --cores 4 --append timebase=generic
#![no_std]
#![no_main]

use takt::prelude::*;
use takt::{Consumer, Producer, sleep_for};
use takt_tests::{Report, rest};

takt::tasks! {
    there: THERE.port(),
    back: BACK.port(),
    within: WITHIN.port(),
    results: RESULTS.port(),
    sends_there: Task::background(sends_there).core(1).priority(20).remote_sends(1),
    receives_back: Task::background(receives_back).core(1).priority(10).remote_sends(1),
    sends_back: Task::background(sends_back).core(2).priority(20).remote_sends(1),
    receives_there: Task::background(receives_there).core(2).priority(30).remote_sends(1),
    sends_within: Task::background(sends_within).core(3).priority(20).remote_sends(1),
    receives_within: Task::background(receives_within).core(3).priority(20).remote_sends(1),
    reporter: Task::background(reporter).core(0).priority(254),
}

const ITEMS: u32 = 100_000;

static THERE: Stream<u32, 64, 1, 2> = Stream::new();
static BACK: Stream<(u32, u8), 32, 2, 1> = Stream::new();
static WITHIN: Stream<u32, 64, 3, 3> = Stream::new();
/// Who, and what is so: all in order, found full, found empty.
static RESULTS: Lanes<(&'static str, bool, u64, u64), 4, 0> = Lanes::new();

/// Lengths from 1 to `most`, one like the other as little as may be.
struct Lengths(u32);

impl Lengths {
    fn next(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        1 + (self.0 >> 16) as usize % most
    }
}

/// Sends `item(0)`, `item(1)` ... in runs, and sleeps where there is no place.
fn send<T: Copy + Send, const N: usize, const FROM: u8, const TO: u8>(
    name: &'static str,
    producer: Option<Producer<T, N, FROM, TO>>,
    item: impl Fn(u32) -> T,
) -> ! {
    let Some(mut producer) = producer else { panic!("taken twice") };
    let mut lengths = Lengths(1);
    let mut next = 0;
    while next < ITEMS {
        let run: [T; 40] = core::array::from_fn(|place| item(next + place as u32));
        let length = lengths.next(40).min((ITEMS - next) as usize);
        let count = producer.write(&run[..length]);
        next += count as u32;
        if count < length {
            sleep_for(micros(20));
        }
    }
    tell((name, true, producer.found_full(), 0))
}

/// Receives them in runs of other lengths, by a copy and in their places in turn.
fn receive<T: Copy + Send + PartialEq, const N: usize, const FROM: u8, const TO: u8>(
    name: &'static str,
    consumer: Option<Consumer<T, N, FROM, TO>>,
    item: impl Fn(u32) -> T,
) -> ! {
    let Some(mut consumer) = consumer else { panic!("taken twice") };
    let mut lengths = Lengths(2);
    let mut next = 0;
    let mut all_are_so = true;
    while next < ITEMS {
        consumer.wait_for(lengths.next(24).min((ITEMS - next) as usize));
        let mut run = [item(u32::MAX); 48];
        let length = lengths.next(run.len());
        let count = consumer.read(&mut run[..length]);
        all_are_so &= run[..count].iter().zip(next..).all(|(&found, number)| found == item(number));
        next += count as u32;
        let looked = consumer.read_with(|items| {
            let used = items.len().min(lengths.next(8));
            all_are_so &= items.iter().zip(next..).all(|(&found, number)| found == item(number));
            used
        });
        next += looked.unwrap_or(0) as u32;
    }
    tell((name, all_are_so && next == ITEMS && consumer.available() == 0, 0, consumer.found_empty()))
}

fn tell(result: (&'static str, bool, u64, u64)) -> ! {
    if RESULTS.send(result).is_err() {
        panic!("a lane of 4 is full");
    }
    rest()
}

fn number(number: u32) -> u32 {
    number
}

fn pair(number: u32) -> (u32, u8) {
    (number, number as u8)
}

fn sends_there() -> ! {
    send("there", THERE.producer(), number)
}

fn receives_there() -> ! {
    receive("there", THERE.consumer(), number)
}

fn sends_back() -> ! {
    send("back", BACK.producer(), pair)
}

fn receives_back() -> ! {
    receive("back", BACK.consumer(), pair)
}

fn sends_within() -> ! {
    send("within", WITHIN.producer(), number)
}

fn receives_within() -> ! {
    receive("within", WITHIN.consumer(), number)
}

fn reporter() -> ! {
    const NAMES: [&str; 3] = ["there", "back", "within"];
    let mut report = Report::new();
    let mut is_so = [true; NAMES.len()];
    let mut times = [(0, 0); NAMES.len()];
    for _ in 0..2 * NAMES.len() {
        let (name, is_so_too, full, empty) = RESULTS.receive();
        for place in 0..NAMES.len() {
            if NAMES[place] == name {
                is_so[place] &= is_so_too;
                times[place] = (times[place].0 + full, times[place].1 + empty);
            }
        }
    }
    for (name, (is_so, (full, empty))) in NAMES.into_iter().zip(is_so.into_iter().zip(times)) {
        report.is(format_args!("{name}: {ITEMS} items in order"), is_so);
        report.is("  full at times, and empty", full > 0 && empty > 0);
    }
    report.end()
}
