// SPDX-License-Identifier: MIT OR Apache-2.0
//! SPI0 against BCM2711 section 9.5: its registers on words, its transfers on a model with FIFOs.

use embedded_hal::spi::{Error as _, ErrorKind, MODE_0, MODE_1, MODE_2, MODE_3, Mode, Operation, SpiBus, SpiDevice};
use takt_drivers::spi::{Config, Device, Error, FrequencyError, Line, Port as _, SelectPin, Spi, SpiRegisters};

use crate::asleep::{Asleep, Line as InterruptLine};
use crate::bus_clock::BusClock;
use crate::spi_model::SpiModel;
use crate::words::Words;

const CS: usize = 0x00;
const FIFO: usize = 0x04;
const CLK: usize = 0x08;
const DLEN: usize = 0x0C;
const DC: usize = 0x14;
const SIZE_WORDS: usize = 0x18 / 4;

const CORE_HZ: u32 = 500_000_000;

/// A pin that is wired to a line.
struct WiredTo(Line);

impl SelectPin for WiredTo {
    fn line(&self) -> Line {
        self.0
    }
}

/// An enabled bus, mode 0, on a model.
fn bus<'a>(model: &'a SpiModel, clock: &'a BusClock) -> Spi<&'a SpiModel, &'a BusClock, ()> {
    let mut bus = Spi::new(model, clock, ());
    bus.enable(&Config::default(), CORE_HZ).unwrap();
    bus
}

/// The same, which sleeps.
fn sleeping_bus<'a>(
    model: &'a SpiModel,
    clock: &'a BusClock,
    line: InterruptLine,
) -> Spi<&'a SpiModel, &'a BusClock, (), Asleep<'a, SpiModel>> {
    let mut bus = Spi::waiting_by(model, clock, (), Asleep::new(model, clock, line));
    bus.enable(&Config::default(), CORE_HZ).unwrap();
    bus
}

/// Some bytes that differ from their neighbours.
fn pattern(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|index| (index * 31 + index / 256) as u8).collect()
}

/// What the device answers to these.
fn answers(sent: &[u8]) -> Vec<u8> {
    sent.iter().map(|&byte| SpiModel::answer(byte)).collect()
}

/// Empty transfers, around a FIFO of 16 and of 64, and long ones.
const LENGTHS: [usize; 12] = [0, 1, 2, 15, 16, 17, 63, 64, 65, 129, 4_096, 65_535];

#[test]
fn enable_leaves_clock_and_mode_and_no_interrupt() {
    let device = Words::<SIZE_WORDS>::filled(0x5555_5555);
    let clock = BusClock::default();
    for (mode, bits) in [(MODE_0, 0b00), (MODE_1, 0b01), (MODE_2, 0b10), (MODE_3, 0b11)] {
        let mut bus = Spi::new(device.pose::<SpiRegisters>(), &clock, ());
        let divider = bus.enable(&Config { frequency_hz: 10_000_000, mode }, CORE_HZ).unwrap();
        assert_eq!((divider.register(), divider.frequency_hz()), (50, 10_000_000));
        assert_eq!(device.at(CLK), 50);
        // Both FIFOs cleared, no chip select line, CPOL bit 3, CPHA bit 2.
        assert_eq!(device.at(CS), 0b11 << 4 | bits << 2 | 0b11);
    }
    assert_eq!(device.differing_from(0x5555_5555), [CS, CLK]);
}

#[test]
fn the_way_to_the_registers_is_to_their_offsets() {
    let device = Words::<SIZE_WORDS>::new();
    let mut port = device.pose::<SpiRegisters>();
    device.put(CS, 0x0006_0080);
    assert_eq!(port.cs(), 0x0006_0080);
    device.put(FIFO, 0xFFFF_FFA5);
    assert_eq!(port.take(), 0xA5);
    port.put(0x5A);
    port.set_clk(0xFFFE);
    port.set_cs(0x80);
    port.set_dlen(0xFFFF);
    port.set_dc(0x3020_1020);
    assert_eq!((device.at(CS), device.at(FIFO), device.at(CLK)), (0x80, 0x5A, 0xFFFE));
    assert_eq!((device.at(DLEN), device.at(DC)), (0xFFFF, 0x3020_1020));
}

#[test]
fn a_frequency_out_of_range_is_refused_in_a_sentence_and_touches_nothing() {
    let device = Words::<SIZE_WORDS>::filled(0x5555_5555);
    let clock = BusClock::default();
    let mut bus = Spi::new(device.pose::<SpiRegisters>(), &clock, ());
    let config = Config { frequency_hz: 300_000_000, ..Config::default() };
    let refused = FrequencyError { core_hz: CORE_HZ, frequency_hz: 300_000_000 };
    assert_eq!(bus.enable(&config, CORE_HZ), Err(refused));
    assert_eq!(device.differing_from(0x5555_5555), []);
    assert_eq!(
        refused.to_string(),
        "spi: 300000000 Hz cannot be made from a core clock of 500000000 Hz, whose even dividers from 2 to 65536 make 7630 \
         to 250000000 Hz; ask for a frequency in this range, or set core_freq"
    );
}

#[test]
fn a_bus_that_was_not_enabled_says_so() {
    let (model, clock) = (SpiModel::new(1), BusClock::default());
    let mut bus = Spi::new(&model, &clock, ());
    assert_eq!(bus.write(&[1]), Err(Error::NotEnabled));
    let wait = Asleep::new(&model, &clock, InterruptLine::Connected);
    assert_eq!(Spi::waiting_by(&model, &clock, (), wait).write(&[1]), Err(Error::NotEnabled));
    assert_eq!(Device::new(bus, WiredTo(Line::Zero)).write(&[1]), Err(Error::NotEnabled));
    assert!(model.controls.borrow().is_empty());
}

#[test]
fn every_length_arrives_whole_in_both_directions() {
    for looks_per_byte in [1, 2, 7] {
        for bytes in LENGTHS {
            let (model, clock) = (SpiModel::new(looks_per_byte), BusClock::default());
            let mut bus = bus(&model, &clock);
            let out = pattern(bytes);

            bus.write(&out).unwrap();
            assert_eq!(model.sent.take(), out, "write of {bytes}");

            let mut read = vec![0xEE; bytes];
            bus.read(&mut read).unwrap();
            assert_eq!(model.sent.take(), vec![0; bytes]);
            assert_eq!(read, answers(&vec![0; bytes]), "read of {bytes}");

            bus.transfer(&mut read, &out).unwrap();
            assert_eq!(model.sent.take(), out);
            assert_eq!(read, answers(&out), "transfer of {bytes}");

            let mut words = out.clone();
            bus.transfer_in_place(&mut words).unwrap();
            assert_eq!(model.sent.take(), out);
            assert_eq!(words, answers(&out), "transfer in place of {bytes}");
            bus.flush().unwrap();
        }
    }
}

#[test]
fn a_transfer_of_two_lengths_has_the_longer_one() {
    let (model, clock) = (SpiModel::new(1), BusClock::default());
    let mut bus = bus(&model, &clock);
    let mut read = [0; 2];
    bus.transfer(&mut read, &[1, 2, 3, 4, 5]).unwrap();
    assert_eq!(model.sent.take(), [1, 2, 3, 4, 5]);
    assert_eq!(&read[..], answers(&[1, 2]));
    let mut read = [0; 5];
    bus.transfer(&mut read, &[1, 2]).unwrap();
    assert_eq!(model.sent.take(), [1, 2, 0, 0, 0]);
    assert_eq!(&read[..], answers(&[1, 2, 0, 0, 0]));
}

#[test]
fn an_empty_transfer_touches_nothing() {
    let (model, clock) = (SpiModel::new(1), BusClock::default());
    let (mut polling, mut sleeping) = (bus(&model, &clock), sleeping_bus(&model, &clock, InterruptLine::Disconnected));
    model.controls.take();
    for bus in [&mut polling as &mut dyn SpiBus<Error = Error>, &mut sleeping] {
        bus.read(&mut []).unwrap();
        bus.write(&[]).unwrap();
        bus.transfer(&mut [], &[]).unwrap();
        bus.transfer_in_place(&mut []).unwrap();
    }
    assert_eq!(model.controls.take(), [0; 0]);
}

#[test]
fn the_line_is_low_over_a_whole_transaction() {
    for (line, bits, mode) in [(Line::Zero, 0b00, MODE_0), (Line::One, 0b01, MODE_3)] {
        let (model, clock) = (SpiModel::new(1), BusClock::default());
        let mut bus = bus(&model, &clock);
        bus.enable(&Config { frequency_hz: 1_000_000, mode }, CORE_HZ).unwrap();
        assert_eq!(model.clk(), 500);
        model.controls.take();
        let mut device = Device::new(bus, WiredTo(line));
        let (mut read, mut both, mut in_place) = ([0; 3], [0; 2], [7, 8]);
        let start_us = clock.now_us();
        device
            .transaction(&mut [
                Operation::Write(&[0x9F]),
                Operation::DelayNs(50_000),
                Operation::Read(&mut read),
                Operation::Transfer(&mut both, &[5, 6]),
                Operation::TransferInPlace(&mut in_place),
                Operation::Write(&[]),
            ])
            .unwrap();
        assert!(clock.now_us() - start_us > 50, "the delay took no time");
        assert_eq!(model.sent.take(), [0x9F, 0, 0, 0, 5, 6, 7, 8]);
        assert_eq!((read, &both[..], &in_place[..]), ([3; 3], &answers(&[5, 6])[..], &answers(&[7, 8])[..]));
        // Cleared, TA set, TA gone with DONE written: once each.
        let chosen = bits | mode_bits(mode);
        let resting = chosen | 0b11 << 4;
        assert_eq!(model.controls.take(), [resting, chosen | 1 << 7, resting | 1 << 16]);
        let (mut bus, pin) = device.release();
        assert_eq!(pin.line(), line);
        assert!(bus.write(&[1]).is_ok());
    }
}

fn mode_bits(mode: Mode) -> u32 {
    if mode == MODE_3 { 0b1100 } else { 0 }
}

#[test]
fn a_clock_that_stops_is_an_error_in_bounded_time_and_the_line_is_released() {
    for stops_after in [0, 1, 40, 64, 99] {
        let (model, clock) = (SpiModel::stopping_after(stops_after), BusClock::default());
        let mut bus = bus(&model, &clock);
        let refused = Error::TimedOut { received_bytes: stops_after, bytes: 100 };
        assert_eq!(bus.write(&pattern(100)), Err(refused));
        // 2 bytes of 9 µs and 1 ms without a byte.
        assert!(clock.now_us() < 1_400, "{}", clock.now_us());
        assert_eq!(model.last_control() & 1 << 7, 0);
        assert_eq!(refused.kind(), ErrorKind::Other);

        let mut device = Device::new(bus, WiredTo(Line::Zero));
        assert!(device.write(&[1]).is_err());
        assert_eq!(model.last_control() & 1 << 7, 0);
    }
    assert_eq!(
        Error::TimedOut { received_bytes: 1, bytes: 100 }.to_string(),
        "spi: the controller stood still after 1 of 100 bytes, though the device cannot hold it up; check that the core \
         clock runs and that nobody else uses SPI0"
    );
}

#[test]
fn a_controller_that_is_never_done_is_an_error_in_bounded_time() {
    let (model, clock) = (SpiModel::never_done(), BusClock::default());
    assert_eq!(bus(&model, &clock).write(&[1, 2]), Err(Error::NotDone));
    assert!(clock.now_us() < 1_400);
    assert_eq!(model.last_control() & 1 << 7, 0);
    assert!(Error::NotDone.to_string().starts_with("spi: all bytes were received"));
    assert!(Error::NotEnabled.to_string().contains("call enable"));
}

#[test]
fn a_bus_that_sleeps_is_woken_once_a_fifo() {
    for bytes in LENGTHS {
        // Nothing moves by itself: only asleep does time pass for the device.
        let (model, clock) = (SpiModel::new(u32::MAX), BusClock::default());
        let mut bus = sleeping_bus(&model, &clock, InterruptLine::Connected);
        let out = pattern(bytes);
        let fifos = bytes.div_ceil(64);

        bus.write(&out).unwrap();
        assert_eq!(model.sent.take(), out, "write of {bytes}");
        assert_eq!(bus.wait().wakes(), fifos);

        let mut read = vec![0; bytes];
        bus.transfer(&mut read, &out).unwrap();
        assert_eq!((model.sent.take(), read), (out.clone(), answers(&out)));
        assert_eq!(bus.wait().wakes(), 2 * fifos);

        let mut words = out.clone();
        bus.transfer_in_place(&mut words).unwrap();
        assert_eq!((model.sent.take(), words), (out.clone(), answers(&out)));
        assert_eq!(bus.wait().wakes(), 3 * fifos);
        // INTD, bit 9, is withdrawn at the end, and TA with it.
        assert_eq!(model.last_control() & (1 << 9 | 1 << 7), 0);
    }
}

#[test]
fn the_interrupt_is_asked_for_when_the_fifo_is_full() {
    let (model, clock) = (SpiModel::new(u32::MAX), BusClock::default());
    let mut bus = sleeping_bus(&model, &clock, InterruptLine::Connected);
    model.controls.take();
    bus.write(&pattern(65)).unwrap();
    let (active, asking) = (0b11 | 1 << 7, 0b11 | 1 << 7 | 1 << 9);
    assert_eq!(model.controls.take(), [0b11 | 0b11 << 4, active, asking, asking, 0b11 | 0b11 << 4 | 1 << 16]);
    // A bus that polls asks for none.
    let model = SpiModel::new(1);
    self::bus(&model, &clock).write(&pattern(65)).unwrap();
    assert!(model.controls.take().iter().all(|control| control & 1 << 9 == 0));
}

#[test]
fn a_device_sleeps_as_its_bus_does() {
    let (model, clock) = (SpiModel::new(u32::MAX), BusClock::default());
    let mut device = Device::new(sleeping_bus(&model, &clock, InterruptLine::Connected), WiredTo(Line::One));
    let mut id = [0; 3];
    device.transaction(&mut [Operation::Write(&[0x9F]), Operation::Read(&mut id)]).unwrap();
    assert_eq!((model.sent.take(), id), (vec![0x9F, 0, 0, 0], [3; 3]));
    assert_eq!(device.release().0.wait().wakes(), 2);
}

#[test]
fn a_bus_that_is_woken_in_vain_sleeps_on() {
    let (model, clock) = (SpiModel::new(u32::MAX), BusClock::default());
    let mut bus = sleeping_bus(&model, &clock, InterruptLine::Shared { wakes_in_vain: 20 });
    let mut read = vec![0; 100];
    bus.read(&mut read).unwrap();
    assert_eq!(read, answers(&[0; 100]));
    assert_eq!(bus.wait().wakes(), 40 + 2);
}

#[test]
fn a_clock_that_stops_while_a_bus_sleeps_is_an_error_in_bounded_time() {
    // With a line that others interrupt for ever as well.
    for line in [InterruptLine::Connected, InterruptLine::Shared { wakes_in_vain: usize::MAX }] {
        for stops_after in [0, 1, 63, 64, 99] {
            let (model, clock) = (SpiModel::stopping_after(stops_after), BusClock::default());
            let mut bus = sleeping_bus(&model, &clock, line);
            let done = bus.write(&pattern(100));
            assert_eq!(done, Err(Error::TimedOut { received_bytes: stops_after, bytes: 100 }), "{line:?}");
            // 2 FIFOs of 64 bytes of 9 µs, twice that and 1 ms each.
            assert!(clock.now_us() < 5_000, "{}", clock.now_us());
            assert_eq!(model.last_control() & (1 << 9 | 1 << 7), 0);
        }
    }
}

#[test]
fn an_interrupt_that_does_not_come_is_an_error_and_the_next_transfer_works() {
    let (model, clock) = (SpiModel::new(u32::MAX), BusClock::default());
    let mut bus = sleeping_bus(&model, &clock, InterruptLine::Disconnected);
    assert_eq!(bus.write(&pattern(100)), Err(Error::NoInterrupt));
    // 64 bytes of 9 µs, twice that and 1 ms.
    assert!((2_000..2_300).contains(&clock.now_us()), "{}", clock.now_us());
    assert_eq!(model.last_control() & (1 << 9 | 1 << 7), 0);
    assert_eq!(Error::NoInterrupt.kind(), ErrorKind::Other);
    assert!(Error::NoInterrupt.to_string().contains("the table has the bus's interrupt"));

    bus.wait().connect();
    model.sent.take();
    let mut words = pattern(100);
    bus.transfer_in_place(&mut words).unwrap();
    assert_eq!((model.sent.take(), words), (pattern(100), answers(&pattern(100))));
}

#[test]
fn a_task_that_is_held_up_before_it_sleeps_takes_what_has_come() {
    let (model, clock) = (SpiModel::new(1), BusClock::default());
    let mut bus = sleeping_bus(&model, &clock, InterruptLine::Connected);
    // Each look at the clock takes longer than the bus would wait.
    clock.slow_down_to_us(10_000);
    let mut read = vec![0; 200];
    bus.read(&mut read).unwrap();
    assert_eq!(read, answers(&[0; 200]));
}
