// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sensor on SPI0, sampled at 1 kHz: an MCP3008, an analogue-to-digital converter of 10 bits with 8 inputs. A logger says
//! once a second what input 0 measured.
//!
//! | MCP3008 | Raspberry Pi 4 |
//! |---|---|
//! | 16 VDD, 15 VREF | 3.3 V, header pin 1 |
//! | 14 AGND, 9 DGND | ground, header pin 6 |
//! | 13 CLK | GPIO11 (SCLK), header pin 23 |
//! | 12 DOUT | GPIO9 (MISO), header pin 21 |
//! | 11 DIN | GPIO10 (MOSI), header pin 19 |
//! | 10 CS | GPIO8 (CE0), header pin 24 |
//! | 1 CH0 | a voltage from 0 to 3.3 V, a potentiometer for instance |
//!
//! What an oscilloscope should show: CE0 falls once a millisecond, by as little late as the logger of `control-loop` says, and
//! stays low for about 30 µs; in it three groups of eight clocks on SCLK at 1 MHz, rising from low, with a pause of a clock
//! between them. The core clock has to stand still for that (`force_turbo=1`, or `core_freq` and `core_freq_min` equal).
//! In QEMU nobody answers: the samples are 0.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::fmt::Write;
use core::sync::atomic::{AtomicU32, Ordering};

use takt::board::spi::{Config, Device};
use takt::board::{Pin, Spi0, core_hz};
use takt::console::Console;
use takt::hal::spi::{MODE_0, SpiDevice};
use takt::prelude::*;

takt::tasks! {
    sampler: Task::periodic(sampler).priority(10).period(micros(1_000)),
    logger: Task::background(logger).priority(250).stack_bytes(16_384),
}

/// The samples of a second: their sum, the least and the greatest.
static SUM: AtomicU32 = AtomicU32::new(0);
static LEAST: AtomicU32 = AtomicU32::new(u32::MAX);
static GREATEST: AtomicU32 = AtomicU32::new(0);
/// Transfers that failed.
static FAILED: AtomicU32 = AtomicU32::new(0);
/// A thousand samples are there.
static THOUSAND: Event = Event::new();

/// How fast the MCP3008 may be asked at 2.7 V, in Hz.
const FREQUENCY_HZ: u32 = 1_000_000;

/// Asks for input 0 and returns what it measured, 0 to 1023 of VREF.
fn sample<D: SpiDevice>(sensor: &mut D) -> Result<u32, D::Error> {
    // A start bit; single-ended, input 0; ten bits come after a null bit.
    let mut words = [0b0000_0001, 0b1000_0000, 0];
    sensor.transfer_in_place(&mut words)?;
    let [_, high, low] = words;
    Ok(u32::from(high & 0b11) << 8 | u32::from(low))
}

/// Released each millisecond: the samples are as far apart as the crystal says.
fn sampler(mut period: Periodic) -> ! {
    let mut sensor = open();
    loop {
        for _ in 0..1_000 {
            let _ = period.wait();
            match sensor.as_mut().map(sample) {
                Some(Ok(value)) => {
                    SUM.fetch_add(value, Ordering::Relaxed);
                    LEAST.fetch_min(value, Ordering::Relaxed);
                    GREATEST.fetch_max(value, Ordering::Relaxed);
                }
                _ => {
                    FAILED.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        THOUSAND.set();
    }
}

/// The sensor on CE0; `None` where a pin is taken, the firmware does not tell the core clock, or the clock cannot be made.
fn open() -> Option<impl SpiDevice> {
    let (miso, mosi, sclk) = (Pin::<9>::take().ok()?, Pin::<10>::take().ok()?, Pin::<11>::take().ok()?);
    let spi = Spi0::take().ok()?;
    let mut bus = spi.into_bus(miso.into_alternate(), mosi.into_alternate(), sclk.into_alternate());
    bus.enable(&Config { frequency_hz: FREQUENCY_HZ, mode: MODE_0 }, core_hz()?).ok()?;
    let ce0 = Pin::<8>::take().ok()?.into_alternate::<0>();
    Some(Device::new(bus, ce0))
}

/// The least urgent task: the only one that prints.
fn logger() -> ! {
    let mut console = Console::take();
    loop {
        THOUSAND.wait();
        let mean = SUM.swap(0, Ordering::Relaxed) / 1_000;
        let (least, greatest) = (LEAST.swap(u32::MAX, Ordering::Relaxed), GREATEST.swap(0, Ordering::Relaxed));
        let failed = FAILED.swap(0, Ordering::Relaxed);
        if let Some(console) = &mut console {
            let _ = writeln!(console, "1000 samples: mean {mean}, {least} to {greatest}, {failed} failed");
        }
    }
}
