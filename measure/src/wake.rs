// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `wake` command: how long it takes from one core to a task of another, and of the same, for all pairs of cores.
//!
//! Each core has a task that sends and a more urgent one that is woken. The console task orders one round after the other: the
//! sender reads the clock and sets an [`Event`] of the other core by its [`Remote`]; the woken task reads the clock by its first
//! statement and tells the console task. Both cores are idle but for that.

use core::fmt::{self, Write};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use takt::board::Platform;
use takt::handover::Handover;
use takt::kernel::histogram::half_ticks_to_ns;
use takt::kernel::time::Instant;
use takt::rpi4::cores::CORES;
use takt::{Event, Remote, clock};

use crate::boot_line::Times;
use crate::commands::{Entry, Session};
use crate::refusal::Refusal;

static SENDS: [Event; CORES] = [const { Event::new() }; CORES];
static WAKES: [Event; CORES] = [const { Event::new() }; CORES];
static TOLD: Event = Event::new();

/// Orders the sender of core 0 to send.
pub static SEND_0: Remote<Event, 0> = Remote::to(&SENDS[0]);
/// Orders the sender of core 1 to send.
pub static SEND_1: Remote<Event, 1> = Remote::to(&SENDS[1]);
/// Orders the sender of core 2 to send.
pub static SEND_2: Remote<Event, 2> = Remote::to(&SENDS[2]);
/// Orders the sender of core 3 to send.
pub static SEND_3: Remote<Event, 3> = Remote::to(&SENDS[3]);
/// Wakes the task of core 0.
pub static WAKE_0: Remote<Event, 0> = Remote::to(&WAKES[0]);
/// Wakes the task of core 1.
pub static WAKE_1: Remote<Event, 1> = Remote::to(&WAKES[1]);
/// Wakes the task of core 2.
pub static WAKE_2: Remote<Event, 2> = Remote::to(&WAKES[2]);
/// Wakes the task of core 3.
pub static WAKE_3: Remote<Event, 3> = Remote::to(&WAKES[3]);
/// Tells the console task that a round is over.
pub static FROM_WOKEN: Remote<Event, 0> = Remote::to(&TOLD);

/// Whom the sender is to wake.
static TO: AtomicU32 = AtomicU32::new(0);
/// When it began to send, and when the woken task ran, in half ticks. Each is written before, and read behind, what crosses.
static SENT: AtomicU64 = AtomicU64::new(0);
static RAN: AtomicU64 = AtomicU64::new(0);

/// How many rounds there are for each pair of cores, at the most and unless told.
const MAX_WAKE_ROUNDS: u32 = 1_000;

/// The rounds of one pair of cores, in half ticks.
type Samples = [u32; MAX_WAKE_ROUNDS as usize];

static SAMPLES: Handover<Samples> = Handover::new([0; MAX_WAKE_ROUNDS as usize]);

/// The body of the task of core `CORE` that sends: a background task, more urgent than the console task.
pub fn sender<const CORE: usize>() -> ! {
    let Some(order) = SENDS.get(CORE) else { crate::sleep() };
    loop {
        order.wait();
        match TO.load(Ordering::Relaxed) {
            0 => stamp_and(|| WAKE_0.set()),
            1 => stamp_and(|| WAKE_1.set()),
            2 => stamp_and(|| WAKE_2.set()),
            _ => stamp_and(|| WAKE_3.set()),
        }
    }
}

/// The body of the task of core `CORE` that is woken: a background task, more urgent than the one that sends.
pub fn woken<const CORE: usize>() -> ! {
    let Some(wake) = WAKES.get(CORE) else { crate::sleep() };
    loop {
        wake.wait();
        let now = clock::now();
        RAN.store(now.half_ticks(), Ordering::Relaxed);
        FROM_WOKEN.set();
    }
}

#[inline(always)]
fn stamp_and(send: impl FnOnce()) {
    SENT.store(clock::now().half_ticks(), Ordering::Relaxed);
    send();
}

/// One pair of cores, in half ticks.
struct Row {
    minimum: u32,
    median: u32,
    p99: u32,
    maximum: u32,
}

pub(crate) static COMMAND: Entry = Entry {
    name: "wake",
    usage: "[-l ROUNDS]",
    summary: "measure how one core wakes a task of another",
    help: "For each pair of cores, 1000 times unless told: from the sender's reading of the clock to the woken task's. Needs an\n\
           image with tasks on every core: make run IMAGE=takt-four-cores.\n\
           wake -l 100",
    words: &["-l"],
    run: command,
};

const TIMES: Times = Times { command: "wake", what: "rounds", usual: MAX_WAKE_ROUNDS, maximum: MAX_WAKE_ROUNDS };

/// In an image that has tasks on every core, which hands the console task [`run`].
fn command<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let rounds = TIMES.read(arguments)?;
    session.extras.wake.ok_or(Refusal::OneCore)?(session, rounds)
}

/// Measures all pairs and prints the table.
pub(crate) fn run(session: &mut Session, rounds: u32) -> Result<(), Refusal<'static>> {
    let provenance = session.provenance;
    let console = &mut session.console;
    let _ = provenance.write(console);
    let _ = write_head(console, rounds);
    console.flush();
    for from in 0..CORES {
        for to in 0..CORES {
            let row = SAMPLES.take().and_then(|mut samples| {
                let samples = samples.get_mut(..usize::try_from(rounds).ok()?)?;
                samples.iter_mut().for_each(|sample| *sample = round(from, to));
                Row::of(samples)
            });
            if let Some(row) = row {
                let _ = row.write(&mut session.console, from, to);
                session.console.flush();
            }
            if session.is_interrupted() {
                return Ok(());
            }
        }
    }
    let note = match (provenance.facts.platform, provenance.facts.icount_shift) {
        (Platform::Qemu, Some(_)) => {
            "# Note: emulated cores take turns, so these say how QEMU takes turns, not what a board takes\n"
        }
        (Platform::Qemu, None) => {
            "# Note: emulated cores are threads of the host, so these are host noise, not what a board takes\n"
        }
        _ => "",
    };
    let _ = session.console.write_str(note);
    Ok(())
}

/// From the clock that core `from` reads before it sends to the one that the woken task of core `to` reads.
fn round(from: usize, to: usize) -> u32 {
    TO.store(u32::try_from(to).unwrap_or(0), Ordering::Relaxed);
    match from {
        0 => SEND_0.set(),
        1 => SEND_1.set(),
        2 => SEND_2.set(),
        _ => SEND_3.set(),
    }
    TOLD.wait();
    let sent = Instant::from_half_ticks(SENT.load(Ordering::Relaxed));
    let ran = Instant::from_half_ticks(RAN.load(Ordering::Relaxed));
    u32::try_from(ran.since(sent)).unwrap_or(u32::MAX)
}

fn write_head(out: &mut dyn Write, rounds: u32) -> fmt::Result {
    writeln!(
        out,
        "# Cross-core wake: {rounds} rounds for each pair of cores, from the sender's stamp to the woken task's first statement"
    )?;
    out.write_str("# Cross-core wake: from to |  min ns  median     p99     max | min ticks  median     p99     max\n")
}

impl Row {
    /// What these are; nothing where there are none. They are sorted.
    fn of(samples: &mut [u32]) -> Option<Self> {
        samples.sort_unstable();
        let at = |hundredths: usize| samples.get(samples.len().wrapping_mul(hundredths) / 100).copied();
        Some(Self { minimum: at(0)?, median: at(50)?, p99: at(99)?, maximum: *samples.last()? })
    }

    fn write(&self, out: &mut dyn Write, from: usize, to: usize) -> fmt::Result {
        let Self { minimum, median, p99, maximum } = *self;
        let ns = |half_ticks: u32| half_ticks_to_ns(clock::rate(), i64::from(half_ticks));
        write!(out, "# Cross-core wake: {from:4} {to:2} | {:7} {:7}", ns(minimum), ns(median))?;
        write!(out, " {:7} {:7} |", ns(p99), ns(maximum))?;
        let [minimum, median, p99, maximum] = [minimum, median, p99, maximum].map(|half_ticks| half_ticks / 2);
        writeln!(out, " {minimum:9} {median:7} {p99:7} {maximum:7}")
    }
}
