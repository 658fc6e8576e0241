// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bench ipc`: packets to and fro between a real-time task and a background task of one core, by two message queues: how many there
//! are in a window, and whether each came back as it was sent.

use core::fmt::{self, Write};
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use takt::{MessageQueue, clock};

use super::{Suite, urgently};
use crate::actors::{self, Part, is_to_end};
use crate::boot_line::Times;
use crate::commands::Session;
use crate::refusal::Refusal;

pub(super) static SUITE: Suite = Suite {
    name: "ipc",
    summary: "packets to and fro between a real-time and a background task of core 0; -l SECONDS each, 10",
    run,
};

const TIMES: Times = Times { command: "bench ipc", what: "seconds", usual: 10, maximum: 86_400 };

/// How many packets a queue has room for.
const ROOM: usize = 8;

/// Two queues for packets of so many words.
struct Ways<const WORDS: usize> {
    to: MessageQueue<[u32; WORDS], ROOM>,
    fro: MessageQueue<[u32; WORDS], ROOM>,
}

impl<const WORDS: usize> Ways<WORDS> {
    const fn new() -> Self {
        Self { to: MessageQueue::new(), fro: MessageQueue::new() }
    }
}

static SHORT: Ways<4> = Ways::new();
static LONG: Ways<64> = Ways::new();

/// Packets that came back, and whether one of them was another than was sent.
static CAME_BACK: AtomicU64 = AtomicU64::new(0);
static IS_WRONG: AtomicBool = AtomicBool::new(false);

/// One size of packets.
struct Size {
    name: &'static str,
    bytes: u64,
    parts: [Part; 2],
}

static SIZES: [Size; 2] = [
    Size {
        name: "ipc-16-bytes",
        bytes: 16,
        parts: [Part { priority: 110, body: |_| answer(&SHORT) }, Part { priority: 200, body: |_| ask(&SHORT) }],
    },
    Size {
        name: "ipc-256-bytes",
        bytes: 256,
        parts: [Part { priority: 110, body: |_| answer(&LONG) }, Part { priority: 200, body: |_| ask(&LONG) }],
    },
];

/// The real-time task: sends back what comes, up to a packet that begins with 0.
fn answer<const WORDS: usize>(ways: &Ways<WORDS>) {
    loop {
        let packet = ways.to.receive();
        if packet.first() == Some(&0) {
            return;
        }
        ways.fro.send(packet);
    }
}

/// The background task: sends a packet, and waits for it.
fn ask<const WORDS: usize>(ways: &Ways<WORDS>) {
    let mut number: u32 = 0;
    while !is_to_end() {
        number = number.wrapping_add(1).max(1);
        ways.to.send([number; WORDS]);
        if ways.fro.receive() != [number; WORDS] {
            IS_WRONG.store(true, Ordering::Relaxed);
        }
        CAME_BACK.store(CAME_BACK.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }
    ways.to.send([0; WORDS]);
}

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let seconds = TIMES.read(arguments)?;
    let _ = session.provenance.write(&mut session.console);
    let _ = writeln!(session.console, "# Bench: ipc, {seconds} s each");
    let _ = session.console.write_str("# name,packets_per_s,bytes_per_s,packets: to and back, counted once\n");
    for size in &SIZES {
        let packets = size.count(session, seconds)?;
        if session.is_interrupted() {
            return Ok(());
        }
        let _ = size.write(&mut session.console, packets, seconds);
        if IS_WRONG.load(Ordering::Relaxed) || packets == 0 {
            let _ = session.console.write_str("# Verdict: FAILED: a packet came back as another, or none did\n");
            return Err(Refusal::Failed { command: "bench ipc" });
        }
    }
    let _ = session.console.write_str("# Verdict: passed: each packet came back as it was sent\n");
    Ok(())
}

impl Size {
    /// How many packets come back in so many seconds.
    fn count(&self, session: &mut Session, seconds: u32) -> Result<u64, Refusal<'static>> {
        session.console.flush();
        CAME_BACK.store(0, Ordering::Relaxed);
        IS_WRONG.store(false, Ordering::Relaxed);
        let packets = urgently(|| {
            let window = u64::from(seconds).wrapping_mul(1_000_000).wrapping_mul(clock::half_ticks_per_us());
            let ends = clock::now().after(window);
            actors::begin("bench ipc", &self.parts)?;
            let _ = session.wait_until(ends, || false);
            let packets = CAME_BACK.load(Ordering::Relaxed);
            actors::end();
            Ok(packets)
        });
        actors::await_all(session, || {});
        packets
    }

    fn write(&self, out: &mut dyn Write, packets: u64, seconds: u32) -> fmt::Result {
        let per_s = packets.checked_div(u64::from(seconds)).unwrap_or(0);
        writeln!(out, "{},{per_s},{},{packets}", self.name, per_s.wrapping_mul(self.bytes))
    }
}
