// run: --wire-bus spi0

//! A transfer on SPI0 that sleeps is woken by the interrupt once for each FIFO of 64 bytes.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, Ordering};

use takt::board::Spi0;
use takt::board::spi::Config;
use takt::hal::spi::SpiBus as _;
use takt::prelude::*;
use takt_tests::{Gate, Report, buses};

takt::tasks! {
    spi0: Spi0::interrupt(),
    transfer: Task::background(transfer).priority(10),
    reporter: Task::background(reporter).priority(254),
}

static WRONG: AtomicU32 = AtomicU32::new(0);
static DONE: Gate = Gate::new(1);

/// Lengths, and the interrupts that each takes.
const LENGTHS: [(usize, u32); 8] = [(0, 0), (1, 1), (63, 1), (64, 1), (65, 2), (128, 2), (129, 3), (1_000, 16)];

fn transfer() -> ! {
    let (mut bus, core_hz) = buses::sleeping_spi0();
    assert!(bus.enable(&Config::default(), core_hz).is_ok());
    let mut read = [0; 1_000];
    for (bytes, interrupts) in LENGTHS {
        read.fill(0xEE);
        let before = bus.wait().wakes();
        let done = bus.transfer(&mut read[..bytes], &[0x55; 1_000][..bytes]);
        let is_right = done.is_ok()
            && read[..bytes].iter().all(|&byte| byte == 0)
            && read[bytes..].iter().all(|&byte| byte == 0xEE)
            && bus.wait().wakes() - before == interrupts;
        WRONG.fetch_add(u32::from(!is_right), Ordering::Relaxed);
    }
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    let mut report = Report::new();
    DONE.wait();
    report.is("every length took its interrupts", WRONG.load(Ordering::Relaxed) == 0);
    report.is("nothing is spurious", takt::interrupt_counts().spurious == 0);
    report.end()
}
