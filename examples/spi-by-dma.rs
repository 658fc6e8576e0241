// SPDX-License-Identifier: MIT OR Apache-2.0
//! SPI0 by two DMA channels, onto itself: what is sent has to be what is received.
//!
//! Wiring: a jumper between GPIO10 (MOSI) and GPIO9 (MISO), pins 19 and 21 of the header.
//!
//! What it prints on a board, with the core clock standing still: that every length was received as it was sent, and that a
//! transfer that is aborted leaves a bus that works. What a logic analyser should show: CE0 low over each transfer and high
//! between them, eight clocks of 1 MHz a byte on GPIO11. It ends with status 0; with 1 where something is not so.
//!
//! In QEMU, whose SPI0 requests nothing, it says so and ends with 1.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::fmt::{Display, Write};

use takt::board::Alternate;
use takt::board::spi::{Config, Device};
use takt::board::{Pin, Spi0, Spi0Device, core_hz};
use takt::clock;
use takt::console::Console;
use takt::dma::{Buffer, Channel, SpiDma};
use takt::hal::spi::SpiDevice;
use takt::prelude::*;

takt::tasks! {
    received: Interrupt::kernel(Channel::<5>::INTID, received),
    looped: Task::background(looped).priority(250).stack_bytes(16_384),
}

const BYTES: usize = 65_535;
/// Around a word, around a FIFO, and the longest.
const LENGTHS: [usize; 12] = [1, 2, 3, 4, 5, 63, 64, 65, 1_000, 4_096, 4_097, BYTES];
/// A byte takes 9 µs at 1 MHz, the longest transfer 0.6 s.
const PATIENCE_MS: u64 = 2_000;

static FROM: Buffer<BYTES> = Buffer::new();
static TO: Buffer<BYTES> = Buffer::new();
static RECEIVED: Event = Event::new();

fn received() {
    Channel::<5>::acknowledge();
    RECEIVED.set_from_handler();
}

type Loop = SpiDma<Spi0Device<Alternate<8, 0>>, 4, 5>;

/// Exchanges `bytes`, and checks that they came back and nothing behind them was touched.
fn exchange(mut spi: Loop, bytes: usize) -> Loop {
    let pattern = |index: usize| {
        let [low, ..] = (index.wrapping_mul(31) ^ index >> 8 ^ bytes).to_le_bytes();
        low
    };
    spi.source.iter_mut().enumerate().for_each(|(index, byte)| *byte = pattern(index));
    spi.destination.fill(0xEE);
    let transfer = spi.exchange(bytes).unwrap_or_else(|refused| end_with(&refused));
    let spi = match transfer.wait_until(&RECEIVED, clock::from_now(millis(PATIENCE_MS))) {
        Ok(spi) => spi,
        Err(unfinished) => end_with(&unfinished),
    };
    let is_right = |(index, &byte): (usize, &u8)| byte == if index < bytes { pattern(index) } else { 0xEE };
    if !spi.destination.iter().enumerate().all(is_right) {
        end_with(&"bytes came back changed; is the jumper there?");
    }
    spi
}

fn looped() -> ! {
    let mut spi = open();
    for bytes in LENGTHS {
        spi = exchange(spi, bytes);
    }
    let transfer = spi.exchange(BYTES).unwrap_or_else(|refused| end_with(&refused));
    let mut spi = match transfer.wait(1_000) {
        Err(unfinished) => unfinished.transfer.abort().unwrap_or_else(|stuck| end_with(&stuck)),
        Ok(_) => end_with(&"65535 bytes went in a millisecond"),
    };
    let mut words = [0x5A, 0xA5, 0x01];
    if spi.spi.transfer_in_place(&mut words).is_err() || words != [0x5A, 0xA5, 0x01] {
        end_with(&"the bus does not work after an abort");
    }
    exchange(spi, 1_000);
    say(&"12 lengths came back, and the bus works after an abort");
    takt::exit(0)
}

fn open() -> Loop {
    let (miso, mosi, sclk) = (pin::<9>(), pin::<10>(), pin::<11>());
    let spi = Spi0::take().unwrap_or_else(|error| end_with(&error));
    let mut bus = spi.into_bus(miso.into_alternate(), mosi.into_alternate(), sclk.into_alternate());
    if let Err(error) = bus.enable(&Config::default(), core_hz().unwrap_or(0)) {
        end_with(&error);
    }
    SpiDma {
        spi: Device::new(bus, pin::<8>().into_alternate()),
        transmit: Channel::take().unwrap_or_else(|error| end_with(&error)),
        receive: Channel::take().unwrap_or_else(|error| end_with(&error)),
        source: FROM.take().unwrap_or_else(|error| end_with(&error)),
        destination: TO.take().unwrap_or_else(|error| end_with(&error)),
    }
}

fn pin<const N: u8>() -> Pin<N> {
    Pin::take().unwrap_or_else(|error| end_with(&error))
}

fn say(text: &dyn Display) {
    // The least urgent task may print.
    if let Some(mut console) = Console::take() {
        let _ = writeln!(console, "{text}");
        console.flush();
    }
}

fn end_with(error: &dyn Display) -> ! {
    say(error);
    takt::exit(1)
}
