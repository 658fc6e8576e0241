//! What would break a stream ends the run with a sentence: a side that is taken on another core than its own, a wait for more items
//! than there are places, and a stream that stands in no line.
// run: --cores 4 --status 101 --append producer
// run: --cores 4 --status 101 --append consumer
// run: --cores 4 --status 101 --append too-many
// run: --cores 4 --status 101 --append not-in-the-table
#![no_std]
#![no_main]

use takt::board::command_line;
use takt::prelude::*;
use takt_tests::rest;

takt::tasks! {
    items: ITEMS.port(),
    other: Task::background(rest).core(1).priority(20),
    culprit: Task::background(culprit).core(2).priority(20),
}

static ITEMS: Stream<u32, 16, 1, 2> = Stream::new();
static BACK: Stream<u32, 16, 2, 1> = Stream::new();
static UNNAMED: Stream<u32, 16, 2, 2> = Stream::new();

fn culprit() -> ! {
    let words = command_line();
    if words.contains("producer") {
        let _ = ITEMS.producer();
    } else if words.contains("consumer") {
        let _ = BACK.consumer();
    } else if words.contains("too-many") {
        if let Some(mut consumer) = ITEMS.consumer() {
            consumer.wait_for(17);
        }
    } else {
        let _ = UNNAMED.producer();
    }
    rest()
}
