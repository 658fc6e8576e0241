// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drivers of others, unchanged, on the two-wire bus and the model behind it.

use pcf857x::{Pcf8574, PinFlag, SlaveAddr};
use ssd1306::prelude::*;
use ssd1306::{I2CDisplayInterface, Ssd1306};
use takt_drivers::i2c::{Config, I2c};

use crate::bus_clock::BusClock;
use crate::i2c_model::{I2cModel, Seen};

const CORE_HZ: u32 = 500_000_000;

fn bus<'a>(model: &'a I2cModel, clock: &'a BusClock) -> I2c<&'a I2cModel, &'a BusClock, ()> {
    let mut bus = I2c::new(model, clock, ());
    bus.enable(&Config { frequency_hz: 400_000, ..Config::default() }, CORE_HZ).unwrap();
    bus
}

/// The bytes of each write, by what starts and stops.
fn writes(seen: &[Seen]) -> Vec<Vec<u8>> {
    let mut writes = Vec::new();
    for seen in seen {
        match seen {
            Seen::Start(_, false) => writes.push(Vec::new()),
            Seen::Written(byte) => writes.last_mut().unwrap().push(*byte),
            Seen::Stop => {}
            other => panic!("{other:?}"),
        }
    }
    writes
}

#[test]
fn a_display_shows_a_whole_picture() {
    let (model, clock) = (I2cModel::at(0x3C), BusClock::default());
    let interface = I2CDisplayInterface::new(bus(&model, &clock));
    let mut display = Ssd1306::new(interface, DisplaySize128x64, DisplayRotation::Rotate0);
    display.init_with_addr_mode(ssd1306::command::AddrMode::Horizontal).unwrap();
    // Control byte 0x00, then commands: the first turns the display off, the last on.
    let commands = writes(&model.seen.take());
    assert_eq!(
        (commands.first().unwrap().as_slice(), commands.last().unwrap().as_slice()),
        (&[0, 0xAE][..], &[0, 0xAF][..])
    );

    let picture: Vec<u8> = (0..1_024).map(|index| (index % 251) as u8).collect();
    display.draw(&picture).unwrap();
    // Control byte 0x40, then data: more than the controller's FIFO holds.
    let data = writes(&model.seen.take());
    assert!(data.iter().all(|write| write[0] == 0x40 && write.len() > 1));
    let shown: Vec<u8> = data.iter().flat_map(|write| write[1..].iter().copied()).collect();
    assert_eq!(shown, picture);
}

#[test]
fn a_display_that_is_not_there_is_an_error() {
    let (model, clock) = (I2cModel::at(0x3D), BusClock::default());
    let interface = I2CDisplayInterface::new(bus(&model, &clock));
    let mut display = Ssd1306::new(interface, DisplaySize128x64, DisplayRotation::Rotate0);
    assert!(display.init_with_addr_mode(ssd1306::command::AddrMode::Horizontal).is_err());
}

#[test]
fn a_port_expander_writes_and_reads_its_pins() {
    let (model, clock) = (I2cModel::at(0x20), BusClock::default());
    let mut expander = Pcf8574::new(bus(&model, &clock), SlaveAddr::default());
    expander.set(0b1010_0101).unwrap();
    assert_eq!(model.seen.take(), [Seen::Start(0x20, false), Seen::Written(0b1010_0101), Seen::Stop]);
    let read = expander.get(PinFlag::P0 | PinFlag::P7).unwrap();
    assert_eq!(read, I2cModel::readable(0));
    assert!(model.seen.take().contains(&Seen::Start(0x20, true)));
    assert_eq!(expander.destroy().bus_releases(), 0);
}
