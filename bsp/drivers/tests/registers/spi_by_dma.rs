// SPDX-License-Identifier: MIT OR Apache-2.0
//! SPI0 with two DMA channels against BCM2711 section 9.6.3: control blocks that the drivers fill are done by channels that
//! move a word only where the controller's model requests one.

use core::num::NonZeroU16;

use embedded_hal::spi::{MODE_3, SpiBus};
use takt_drivers::dma::{ControlBlock, Endpoint};
use takt_drivers::spi::{ByDma, Config, Device, Error, Line, SelectPin, Spi};

use crate::asleep::{Asleep, Line as InterruptLine};
use crate::bus_clock::BusClock;
use crate::spi_model::SpiModel;

const TRANSMIT: Endpoint = Endpoint { bus_address: 0x7E20_4004, dreq: 6 };
const RECEIVE: Endpoint = Endpoint { bus_address: 0x7E20_4004, dreq: 7 };

/// The word in which a control block has the number of bytes.
const LENGTH: usize = 3;

const LENGTHS: [u16; 14] = [1, 2, 3, 4, 5, 31, 32, 33, 36, 63, 64, 65, 4_099, 65_535];

/// A pin that is wired to the first line.
struct Zero;

impl SelectPin for Zero {
    fn line(&self) -> Line {
        Line::Zero
    }
}

fn bus<'a>(model: &'a SpiModel, clock: &'a BusClock) -> Spi<&'a SpiModel, &'a BusClock, ()> {
    let mut bus = Spi::new(model, clock, ());
    bus.enable(&Config { mode: MODE_3, ..Config::default() }, 500_000_000).unwrap();
    model.controls.take();
    bus
}

fn length(bytes: u16) -> NonZeroU16 {
    NonZeroU16::new(bytes).unwrap()
}

fn pattern(bytes: u16) -> Vec<u8> {
    (0..usize::from(bytes)).map(|index| (index * 31 + index / 256) as u8).collect()
}

/// Two channels and their memory.
struct Channels {
    source: Vec<u8>,
    destination: Vec<u8>,
    /// How many bytes each is to move, and has moved.
    transmit: (usize, usize),
    receive: (usize, usize),
}

impl Channels {
    /// Channels whose blocks are for so many bytes, whole words as takt fills them.
    fn new(source: &[u8]) -> Self {
        let words_bytes = source.len().next_multiple_of(4) as u32;
        let (mut transmit, mut receive) = (ControlBlock::new(), ControlBlock::new());
        transmit.send(0, TRANSMIT, words_bytes);
        transmit.without_interrupt();
        receive.receive(RECEIVE, 0, words_bytes);
        let to_move = |block: &ControlBlock| (block.words()[LENGTH] as usize, 0);
        let mut source = source.to_vec();
        source.resize(words_bytes as usize, 0x55);
        Self { destination: vec![0; source.len()], source, transmit: to_move(&transmit), receive: to_move(&receive) }
    }

    /// Moves what is requested, with a byte on the wire at each turn, until neither channel can go on.
    fn run(&mut self, model: &SpiModel) {
        loop {
            let is_put = self.transmit.1 < self.transmit.0 && model.requests_word();
            if is_put {
                let at = self.transmit.1;
                model.put_word(self.source[at..at + 4].try_into().unwrap());
                self.transmit.1 += 4;
            }
            let is_shifted = model.shift();
            let is_taken = self.receive.1 < self.receive.0 && model.offers_word();
            if is_taken {
                let at = self.receive.1;
                self.destination[at..at + 4].copy_from_slice(&model.take_word());
                self.receive.1 += 4;
            }
            if !is_put && !is_shifted && !is_taken {
                return;
            }
        }
    }

    fn are_idle(&self) -> bool {
        self.transmit.0 == self.transmit.1 && self.receive.0 == self.receive.1
    }
}

#[test]
fn the_writes_are_the_manuals() {
    // BCM2711 9.6.3: CS, CPOL, CPHA and TA as for a word that a channel sends first; DMAEN bit 8; DLEN the bytes. FIFOs are
    // cleared beforehand by bits 5:4. DC as after a reset: panic above 48, request above 32; panic at 16, request at 32.
    let (model, clock) = (SpiModel::new(1), BusClock::default());
    let mut bus = bus(&model, &clock);
    bus.begin_dma(length(1_000)).unwrap();
    assert_eq!(model.controls.take(), [0b1111 | 0b11 << 4, 0b1111 | 1 << 7 | 1 << 8]);
    assert_eq!(model.dma_settings(), (1_000, 0x3020_1020));
    Channels::new(&pattern(1_000)).run(&model);
    bus.end_dma().unwrap();
    // TA and DMAEN gone, FIFOs cleared, DONE written as a one.
    assert_eq!(model.controls.take(), [0b1111 | 0b11 << 4 | 1 << 16]);
    assert_eq!(model.dma_settings().0, 0);
}

#[test]
fn every_length_arrives_whole_in_both_directions_by_words() {
    for bytes in LENGTHS {
        for ends_itself in [false, true] {
            let (model, clock) = (SpiModel::new(1), BusClock::default());
            if ends_itself {
                model.end_by_itself();
            }
            let mut bus = bus(&model, &clock);
            let out = pattern(bytes);
            let mut channels = Channels::new(&out);
            bus.begin_dma(length(bytes)).unwrap();
            channels.run(&model);
            assert!(channels.are_idle(), "{bytes}: {:?} {:?}", channels.transmit, channels.receive);
            bus.end_dma().unwrap();
            let answers: Vec<u8> = out.iter().map(|&byte| SpiModel::answer(byte)).collect();
            assert_eq!((model.sent.take(), &channels.destination[..usize::from(bytes)]), (out, &answers[..]));
        }
    }
}

#[test]
fn the_line_is_low_from_the_beginning_to_the_end() {
    let (model, clock) = (SpiModel::new(1), BusClock::default());
    let mut device = Device::new(bus(&model, &clock), Zero);
    device.begin_dma(length(6)).unwrap();
    Channels::new(&pattern(6)).run(&model);
    device.end_dma().unwrap();
    let rest = 0b1100 | 0b11 << 4;
    assert_eq!(model.controls.take(), [rest, 0b1100 | 1 << 7 | 1 << 8, rest | 1 << 16]);
}

#[test]
fn a_bus_that_sleeps_writes_the_same_without_a_sleep_and_sleeps_afterwards() {
    let (model, clock) = (SpiModel::new(u32::MAX), BusClock::default());
    let asleep = Asleep::new(&model, &clock, InterruptLine::Connected);
    let mut bus = Spi::waiting_by(&model, &clock, (), asleep);
    bus.enable(&Config { mode: MODE_3, ..Config::default() }, 500_000_000).unwrap();
    let mut device = Device::new(bus, Zero);
    model.controls.take();
    device.begin_dma(length(100)).unwrap();
    Channels::new(&pattern(100)).run(&model);
    device.end_dma().unwrap();
    let rest = 0b1100 | 0b11 << 4;
    // INTD, bit 9, is not among them.
    assert_eq!(model.controls.take(), [rest, 0b1100 | 1 << 7 | 1 << 8, rest | 1 << 16]);
    let (mut bus, _) = device.release();
    assert_eq!(bus.wait().wakes(), 0);
    bus.write(&pattern(100)).unwrap();
    assert_eq!(bus.wait().wakes(), 2);
}

#[test]
fn a_transfer_that_is_abandoned_leaves_a_bus_that_works() {
    for moved in [0, 17] {
        let (model, clock) = (SpiModel::new(1), BusClock::default());
        let mut device = Device::new(bus(&model, &clock), Zero);
        device.begin_dma(length(200)).unwrap();
        for _ in 0..moved {
            model.put_word([1, 2, 3, 4]);
            (0..4).for_each(|_| assert!(model.shift()));
            if model.offers_word() {
                model.take_word();
            }
        }
        device.abandon_dma();
        assert_eq!(model.last_control() & (1 << 7 | 1 << 8), 0);
        assert!(!model.requests_word() && !model.offers_word());
        model.sent.take();
        let (mut bus, _) = device.release();
        let mut words = [9, 8];
        bus.transfer_in_place(&mut words).unwrap();
        assert_eq!((&model.sent.take()[..], words), (&[9, 8][..], [9, 8].map(SpiModel::answer)));
    }
}

#[test]
fn a_controller_that_is_never_done_is_an_error_in_bounded_time_and_at_rest() {
    let (model, clock) = (SpiModel::never_done(), BusClock::default());
    let mut bus = bus(&model, &clock);
    bus.begin_dma(length(8)).unwrap();
    Channels::new(&pattern(8)).run(&model);
    assert_eq!(bus.end_dma(), Err(Error::NotDone));
    assert!(clock.now_us() < 1_400);
    assert_eq!(model.last_control() & (1 << 7 | 1 << 8), 0);
}

#[test]
fn a_bus_that_was_not_enabled_is_not_touched() {
    let (model, clock) = (SpiModel::new(1), BusClock::default());
    let mut bus = Spi::new(&model, &clock, ());
    assert_eq!(bus.begin_dma(length(1)), Err(Error::NotEnabled));
    let asleep = Asleep::new(&model, &clock, InterruptLine::Connected);
    assert_eq!(Spi::waiting_by(&model, &clock, (), asleep).begin_dma(length(1)), Err(Error::NotEnabled));
    assert_eq!(Device::new(bus, Zero).begin_dma(length(1)), Err(Error::NotEnabled));
    assert!(model.controls.borrow().is_empty());
    assert_eq!(model.dma_settings(), (0, 0));
}
