//! What a byte takes through a device: from the instant at which it lies in the receive FIFO to the handler's part that
//! takes it, and to the first statement of the task that waited for it.
//!
//! The PL011 receives what it sends. In QEMU a byte that is written is in the receive FIFO at once, so the counter is read
//! before the write. Whoever writes is interrupted by the byte it wrote; the reader is the more urgent and goes on at once.
//!
//! Prints a line for each figure: name, least, most, in counter ticks. `make bench`, and a test of the host tool against
//! `budgets.toml`.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use takt::clock;
use takt::console::Console;
use takt::kernel::time::Instant;
use takt::prelude::*;
use takt::rpi4::devices;
use takt_tests::{Range, Report, report, rest, ticks};

takt::tasks! {
    reader: Task::background(reader).priority(10),
    writer: Task::background(writer).priority(254),
}

/// How many bytes are measured, behind a first one that is not.
const SAMPLES: u32 = 1_000;

static WRITTEN: AtomicU64 = AtomicU64::new(0);
static IS_DONE: AtomicBool = AtomicBool::new(false);
static BEGIN: Event = Event::new();
static END: Event = Event::new();

fn writer() -> ! {
    BEGIN.wait();
    let mut uart = devices::uart0();
    while !IS_DONE.load(Ordering::Relaxed) {
        WRITTEN.store(clock::now().half_ticks(), Ordering::Relaxed);
        uart.put(b'.');
    }
    END.set();
    rest()
}

/// Reads a byte: from write to handler, and from write to here.
#[inline(always)]
fn sample(console: &mut Console) -> (i64, i64) {
    console.read_byte();
    let read = clock::now();
    let written = Instant::from_half_ticks(WRITTEN.load(Ordering::Relaxed));
    (ticks(console.received_at().since(written)), ticks(read.since(written)))
}

fn reader() -> ! {
    let mut report = Report::new();
    report!(report, "what is sent from here on is received, too:");
    report.flush();
    devices::uart0().set_loopback(true);
    let (mut to_handler, mut to_task) = (Range::EMPTY, Range::EMPTY);
    BEGIN.set();
    sample(report.console());
    for _ in 0..SAMPLES {
        let (handler, task) = sample(report.console());
        to_handler.add(handler);
        to_task.add(task);
    }
    IS_DONE.store(true, Ordering::Relaxed);
    END.wait();
    devices::uart0().set_loopback(false);
    report!(report, "");
    report!(report, "serial-handler,{},{}", to_handler.least, to_handler.greatest);
    report!(report, "serial-task,{},{}", to_task.least, to_task.greatest);
    report.end()
}
