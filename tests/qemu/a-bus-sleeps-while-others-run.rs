// run: --device tmp105,id=t,bus=i2c-bus.1,address=0x48 --reading t.temperature=23500

//! A bus whose interrupt does not come sleeps no longer than it says, while a less urgent task runs, and ends with an error:
//! what its device tells by then, or that there was no interrupt. Where the interrupt comes, here from that other task, the
//! next transfer works.
#![no_std]
#![no_main]

use core::fmt::Display;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use takt::board::{I2c1, Spi0, i2c, spi};
use takt::clock;
use takt::hal::i2c::I2c as _;
use takt::hal::spi::SpiBus as _;
use takt::prelude::*;
use takt::rpi4::drivers::gic400::Intid;
use takt::rpi4::{devices, interrupts, map};
use takt_tests::{Report, buses, report};

takt::tasks! {
    spi0: Spi0::interrupt(),
    i2c1: I2c1::interrupt(),
    reporter: Task::background(reporter).priority(10).stack_bytes(32_768),
    other: Task::background(other).priority(200),
}

/// How far the other task has come.
static RAN: AtomicU32 = AtomicU32::new(0);
/// Whether it raises the interrupts, which nothing connects to the buses.
static RINGS: AtomicBool = AtomicBool::new(false);

/// The other task: runs on and on, and raises the interrupt of a bus that sleeps.
fn other() -> ! {
    loop {
        for intid in [map::SPI0_INTID, map::I2C1_INTID] {
            RAN.fetch_add(1, Ordering::Relaxed);
            interrupts::yield_hint();
            if RINGS.load(Ordering::Relaxed) && is_open(intid) {
                assert!(devices::distributor().set_pending(intid).is_ok(), "the line exists");
            }
        }
    }
}

/// Whether the interrupt controller lets the line through.
fn is_open(intid: Intid) -> bool {
    devices::distributor().is_enabled(intid) == Ok(true)
}

/// Does something, and says what it came to, whether it took from `least_us` to `most_us`, and whether the other task ran
/// meanwhile.
fn say<E: Display>(
    report: &mut Report,
    what: &str,
    [least_us, most_us]: [u64; 2],
    act: impl FnOnce() -> Result<(), E>,
) {
    report.flush();
    let (start, before) = (clock::now(), RAN.load(Ordering::Relaxed));
    let done = act();
    let took_us = clock::now().since(start).cast_unsigned() / clock::half_ticks_per_us();
    let has_run = RAN.load(Ordering::Relaxed) != before;
    match done {
        Ok(()) => report!(report, "{what}: done"),
        Err(error) => report!(report, "{what}: {error}"),
    }
    report.is(format_args!("  in {least_us} to {most_us} us"), (least_us..=most_us).contains(&took_us));
    report.is("  the other task ran meanwhile", has_run);
    report.is("  and both lines are held back", !is_open(map::SPI0_INTID) && !is_open(map::I2C1_INTID));
}

fn reporter() -> ! {
    let mut report = Report::new();
    let (mut spi, core_hz) = buses::sleeping_spi0();
    let (mut i2c, _) = buses::sleeping_i2c1();
    assert!(spi.enable(&spi::Config::default(), core_hz).is_ok());
    assert!(i2c.enable(&i2c::Config::default(), core_hz).is_ok());
    let (mut bytes, mut temperature) = ([0xEE; 200], [0; 2]);

    report!(report, "nothing raises the interrupts");
    // Twice a FIFO, at 9 us a byte, and 1 ms; two FIFOs, 25 ms that a device may stretch, and 1 ms.
    let (spi_us, i2c_us) = ([2_152, 2_300], [29_000, 30_000]);
    say(&mut report, "SPI0", spi_us, || spi.read(&mut bytes));
    // First, since a transfer that is given up keeps its device in QEMU: the next start reaches it at any address [HW 12].
    say(&mut report, "I2C1, no device", i2c_us, || i2c.read(0x10, &mut temperature));
    say(&mut report, "I2C1", i2c_us, || i2c.write_read(0x48, &[0], &mut temperature));

    report!(report, "the other task does");
    RINGS.store(true, Ordering::Relaxed);
    say(&mut report, "SPI0", [0, 500], || spi.read(&mut bytes));
    report!(report, "  interrupts for {} bytes: {}", bytes.len(), spi.wait().wakes());
    report.is("  which are zeros", bytes == [0; 200]);
    say(&mut report, "I2C1", [0, 500], || i2c.write_read(0x48, &[0], &mut temperature));
    report!(report, "  interrupts for a register: {}, which holds {temperature:02x?}", i2c.wait().wakes());
    report.end()
}
