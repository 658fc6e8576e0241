//! A task writes lines beside the console, whose task writes its own in pieces and all at once: no line of either is torn, what is
//! no line or finds no room is refused, and the console's come first.
#![no_std]
#![no_main]

use core::fmt::Write as _;
use core::sync::atomic::{AtomicU32, Ordering};

use takt::clock::micros;
use takt::console::{Console, LinesBeside};
use takt::prelude::*;
use takt::sleep_for;

takt::tasks! {
    reporter: Task::background(reporter).priority(250),
    chatter: Task::background(chatter).priority(254),
}

static REFUSED: AtomicU32 = AtomicU32::new(0);

fn reporter() -> ! {
    let Some(mut console) = Console::take() else { takt::exit(1) };
    for number in 0..4 {
        let _ = write!(console, "line {number} in ");
        // The ring is empty, and the line has no end: whoever is beside waits, and its ring gets full.
        sleep_for(micros(700));
        let _ = console.write_str("two pieces\n");
        // There is room for those that waited, and for one more after the other.
        sleep_for(micros(700));
    }
    for number in 0..60 {
        let _ = writeln!(
            console,
            "line {number:2} of more than the ring holds, while the other task has its turn at every wait"
        );
    }
    console.flush();
    let _ = writeln!(console, "refused for want of room: {}", REFUSED.load(Ordering::Relaxed) > 0);
    console.flush();
    takt::exit(0)
}

fn chatter() -> ! {
    let Some(mut lines) = LinesBeside::take() else { takt::exit(2) };
    if LinesBeside::take().is_some() || lines.write("two\nlines").is_ok() || lines.write(LONG).is_ok() {
        takt::exit(3)
    }
    let mut next = 0;
    loop {
        match lines.write(LINES[next]) {
            Ok(()) => next = (next + 1) % LINES.len(),
            Err(_) => drop(REFUSED.fetch_add(1, Ordering::Relaxed)),
        }
        sleep_for(micros(50));
    }
}

/// Written by turns, so that one that is lost is missed.
const LINES: [&str; 4] = ["  beside 0", "  beside 1, which is longer than the others", "  beside 2", "  beside 3"];

/// Longer than the ring.
const LONG: &str = concat!(
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789",
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789",
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789",
);
