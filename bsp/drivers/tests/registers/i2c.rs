// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two-wire bus against BCM2711 section 3.2: its registers on words, its transactions on a model with a FIFO.

use embedded_hal::i2c::{Error as _, ErrorKind, I2c as _, NoAcknowledgeSource, Operation};
use takt_drivers::i2c::{Config, Error, I2c, I2cRegisters, Port as _, TimingError};

use crate::bus_clock::BusClock;
use crate::i2c_model::{ADDRESS, I2cModel, Manner, Seen};
use crate::words::Words;

const C: usize = 0x00;
const S: usize = 0x04;
const DLEN: usize = 0x08;
const A: usize = 0x0C;
const FIFO: usize = 0x10;
const DIV: usize = 0x14;
const DEL: usize = 0x18;
const CLKT: usize = 0x1C;
const SIZE_WORDS: usize = 0x20 / 4;

const CORE_HZ: u32 = 500_000_000;

/// An enabled bus on a model.
fn bus<'a>(model: &'a I2cModel, clock: &'a BusClock) -> I2c<&'a I2cModel, &'a BusClock, ()> {
    let mut bus = I2c::new(model, clock, ());
    bus.enable(&Config::default(), CORE_HZ).unwrap();
    bus
}

fn pattern(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|index| (index * 31 + index / 256) as u8).collect()
}

fn readable(bytes: usize) -> Vec<u8> {
    (0..bytes).map(I2cModel::readable).collect()
}

fn written(bytes: &[u8]) -> impl Iterator<Item = Seen> {
    bytes.iter().map(|&byte| Seen::Written(byte))
}

fn read(bytes: &[u8]) -> impl Iterator<Item = Seen> {
    bytes.iter().map(|&byte| Seen::Read(byte))
}

#[test]
fn enable_leaves_the_timing_and_a_controller_at_rest() {
    let device = Words::<SIZE_WORDS>::filled(0x5555_5555);
    let clock = BusClock::default();
    let mut bus = I2c::new(device.pose::<I2cRegisters>(), &clock, ());
    let timing = bus.enable(&Config::default(), CORE_HZ).unwrap();
    assert_eq!(timing.frequency_hz(), 100_000);
    // FIFO cleared, disabled; CLKT, ERR and DONE cleared by ones.
    assert_eq!((device.at(C), device.at(S)), (1 << 4, 0x302));
    assert_eq!((device.at(DIV), device.at(DEL), device.at(CLKT)), (5_000, 312 << 16 | 1_250, 2_500));
    assert_eq!(device.differing_from(0x5555_5555), [C, S, DIV, DEL, CLKT]);
    assert_eq!(bus.bus_releases(), 0);
}

#[test]
fn the_way_to_the_registers_is_to_their_offsets() {
    let device = Words::<SIZE_WORDS>::new();
    let mut port = device.pose::<I2cRegisters>();
    device.put(S, 0x50);
    device.put(DLEN, 7);
    device.put(FIFO, 0xFFFF_FFA5);
    assert_eq!((port.s(), port.dlen(), port.take()), (0x50, 7, 0xA5));
    port.put(0x5A);
    port.set_a(0x48);
    port.set_dlen(65_535);
    port.set_c(0x8080);
    port.clear_s(0x302);
    assert_eq!([C, S, DLEN, A, FIFO].map(|offset| device.at(offset)), [0x8080, 0x302, 65_535, 0x48, 0x5A]);
}

#[test]
fn a_timing_out_of_range_is_refused_in_a_sentence_and_touches_nothing() {
    let device = Words::<SIZE_WORDS>::filled(0x5555_5555);
    let clock = BusClock::default();
    let mut bus = I2c::new(device.pose::<I2cRegisters>(), &clock, ());
    let refused = bus.enable(&Config { frequency_hz: 0, ..Config::default() }, CORE_HZ).unwrap_err();
    assert_eq!(refused, TimingError::Frequency { core_hz: CORE_HZ, frequency_hz: 0 });
    assert_eq!(
        refused.to_string(),
        "i2c: 0 Hz cannot be made from a core clock of 500000000 Hz, whose even dividers from 2 to 65534 make 7630 to \
         250000000 Hz; ask for a frequency in this range, usually 100000 or 400000"
    );
    let refused = bus.enable(&Config { stretch_limit_us: 1_000_000, ..Config::default() }, CORE_HZ).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "i2c: a device that may hold the clock for 1000000 us may do so for 100000 clocks, but the register holds 1 to \
         65535; choose another limit, or a slower bus"
    );
    assert_eq!(device.differing_from(0x5555_5555), []);
}

#[test]
fn every_length_arrives_whole() {
    for bytes in [1, 2, 15, 16, 17, 32, 33, 256, 4_096, 65_535] {
        let (model, clock) = (I2cModel::new(Manner::Willing), BusClock::default());
        let mut bus = bus(&model, &clock);
        let out = pattern(bytes);
        bus.write(ADDRESS, &out).unwrap();
        let expected: Vec<Seen> =
            [Seen::Start(ADDRESS, false)].into_iter().chain(written(&out)).chain([Seen::Stop]).collect();
        assert!(model.seen.take() == expected, "write of {bytes}");

        let mut into = vec![0; bytes];
        bus.read(ADDRESS, &mut into).unwrap();
        assert!(into == readable(bytes), "read of {bytes}");
        let expected: Vec<Seen> =
            [Seen::Start(ADDRESS, true)].into_iter().chain(read(&into)).chain([Seen::Stop]).collect();
        assert!(model.seen.take() == expected, "read of {bytes}");
        // At rest again: FIFO cleared, disabled.
        assert_eq!(model.c.get(), 1 << 4);
    }
}

#[test]
fn a_write_and_a_read_have_a_repeated_start_between_them() {
    for (write_bytes, read_bytes) in [(1, 1), (2, 16), (16, 1), (17, 300), (300, 17)] {
        let (model, clock) = (I2cModel::new(Manner::Willing), BusClock::default());
        let mut bus = bus(&model, &clock);
        let out = pattern(write_bytes);
        let mut into = vec![0; read_bytes];
        bus.write_read(ADDRESS, &out, &mut into).unwrap();
        assert_eq!(into, readable(read_bytes));
        let expected: Vec<Seen> = [Seen::Start(ADDRESS, false)]
            .into_iter()
            .chain(written(&out))
            .chain([Seen::RepeatedStart(ADDRESS, true)])
            .chain(read(&into))
            .chain([Seen::Stop])
            .collect();
        assert_eq!(model.seen.take(), expected);
        assert_eq!(bus.bus_releases(), 0);
    }
}

#[test]
fn a_read_that_is_asked_for_too_late_follows_a_stop_and_is_counted() {
    let (model, clock) = (I2cModel::without_wire(), BusClock::default());
    let mut bus = bus(&model, &clock);
    let mut into = [0; 2];
    for count in 1..=3 {
        bus.write_read(ADDRESS, &[5], &mut into).unwrap();
        assert_eq!(bus.bus_releases(), count);
        let start = [Seen::Start(ADDRESS, false), Seen::Written(5), Seen::Stop, Seen::Start(ADDRESS, true)];
        assert_eq!(model.seen.take()[..4], start);
        assert_eq!(&into[..], readable(2));
    }
}

#[test]
fn adjacent_operations_of_a_kind_are_one_transfer() {
    let (model, clock) = (I2cModel::new(Manner::Willing), BusClock::default());
    let mut bus = bus(&model, &clock);
    let (mut one, mut two) = ([0; 1], [0; 2]);
    bus.transaction(
        ADDRESS,
        &mut [
            Operation::Write(&[1]),
            Operation::Write(&[]),
            Operation::Write(&[2, 3]),
            Operation::Read(&mut one),
            Operation::Read(&mut two),
        ],
    )
    .unwrap();
    assert_eq!((&one[..], &two[..]), (&readable(3)[..1], &readable(3)[1..]));
    let starts =
        model.seen.take().iter().filter(|seen| matches!(seen, Seen::Start(..) | Seen::RepeatedStart(..))).count();
    assert_eq!(starts, 2);
}

#[test]
fn a_write_without_bytes_asks_whether_a_device_is_there() {
    let (model, clock) = (I2cModel::new(Manner::Willing), BusClock::default());
    let mut bus = bus(&model, &clock);
    bus.write(ADDRESS, &[]).unwrap();
    assert_eq!(model.seen.take(), [Seen::Start(ADDRESS, false), Seen::Stop]);
    let absent = Error::NoAcknowledge { address: 0x49, left_bytes: 0, bytes: 0 };
    assert_eq!(bus.write(0x49, &[]), Err(absent));
    bus.transaction(0x49, &mut []).unwrap();
}

#[test]
fn what_the_controller_cannot_do_is_refused_and_nothing_is_sent() {
    let (model, clock) = (I2cModel::new(Manner::Willing), BusClock::default());
    assert_eq!(I2c::new(&model, &clock, ()).write(ADDRESS, &[1]), Err(Error::NotEnabled));
    let mut bus = bus(&model, &clock);
    assert_eq!(bus.write(0x80, &[1]), Err(Error::Address { address: 0x80 }));
    assert_eq!(bus.read(ADDRESS, &mut []), Err(Error::EmptyRead));
    assert_eq!(bus.write_read(ADDRESS, &[], &mut [0]), Err(Error::EmptyWriteBeforeRead));
    assert_eq!(bus.write(ADDRESS, &pattern(65_536)), Err(Error::TooLong { bytes: 65_536 }));
    let back = &mut [Operation::Read(&mut [0]), Operation::Write(&[1])];
    assert_eq!(bus.transaction(ADDRESS, back), Err(Error::WriteAfterRead));
    assert_eq!(model.seen.take(), []);
    for (error, words) in [
        (Error::NotEnabled, "call enable"),
        (Error::Address { address: 0x80 }, "without the read bit"),
        (Error::EmptyRead, "read at least one"),
        (Error::EmptyWriteBeforeRead, "leave the write out"),
        (Error::TooLong { bytes: 65_536 }, "split it"),
        (Error::WriteAfterRead, "make two transactions"),
    ] {
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.kind(), ErrorKind::Other);
    }
}

#[test]
fn an_absent_device_does_not_acknowledge_and_the_bus_can_be_used_again() {
    let (model, clock) = (I2cModel::new(Manner::Willing), BusClock::default());
    let mut bus = bus(&model, &clock);
    for bytes in [1, 16, 40] {
        let absent = |left_bytes| Error::NoAcknowledge { address: 0x49, left_bytes, bytes: left_bytes };
        let kind = ErrorKind::NoAcknowledge(NoAcknowledgeSource::Unknown);
        let error = bus.write(0x49, &pattern(bytes)).unwrap_err();
        assert_eq!((error, error.kind()), (absent(bytes as u32), kind));
        let error = bus.read(0x49, &mut vec![0; bytes]).unwrap_err();
        assert_eq!((error, error.kind()), (absent(bytes as u32), kind));
        assert_eq!(bus.write_read(0x49, &pattern(bytes), &mut [0]), Err(absent(bytes as u32)));
        let mut into = [0; 3];
        bus.write_read(ADDRESS, &[1], &mut into).unwrap();
        assert_eq!(&into[..], readable(3));
    }
    assert_eq!(
        bus.write(0x49, &[1, 2]).unwrap_err().to_string(),
        "i2c: the device at 0x49 did not acknowledge, with 2 of 2 bytes left; check its address, its supply and the \
         pull-ups, or try again if it is busy"
    );
}

#[test]
fn a_refusal_of_each_byte_is_told_with_what_was_left() {
    for bytes in [1, 2, 16, 17, 40] {
        for refused in 0..bytes {
            let (model, clock) = (I2cModel::new(Manner::RefusesByte(refused)), BusClock::default());
            let mut bus = bus(&model, &clock);
            let error = bus.write(ADDRESS, &pattern(bytes)).unwrap_err();
            let left_bytes = (bytes - refused) as u32;
            assert_eq!(error, Error::NoAcknowledge { address: ADDRESS, left_bytes, bytes: bytes as u32 });
            let source = if refused == 0 { NoAcknowledgeSource::Unknown } else { NoAcknowledgeSource::Data };
            assert_eq!(error.kind(), ErrorKind::NoAcknowledge(source));
            // At rest, and what was left in the FIFO does not reach the next device.
            assert_eq!(model.c.get(), 1 << 4);
            model.seen.take();
            bus.read(ADDRESS, &mut [0; 2]).unwrap();
            assert!(!model.seen.take().iter().any(|seen| matches!(seen, Seen::Written(_))));
        }
    }
}

#[test]
fn a_device_that_stretches_too_long_is_told_at_each_byte() {
    for index in 0..20 {
        let (model, clock) = (I2cModel::new(Manner::StretchesAt(index)), BusClock::default());
        let mut bus = bus(&model, &clock);
        let error = bus.write(ADDRESS, &pattern(20)).unwrap_err();
        assert_eq!((error, error.kind()), (Error::Stretched { address: ADDRESS }, ErrorKind::Bus));
        assert_eq!(bus.read(ADDRESS, &mut [0; 20]), Err(error));
        assert!(error.to_string().contains("stretch_limit_us"));
    }
}

#[test]
fn a_bus_that_hangs_is_an_error_in_bounded_time() {
    for index in [0, 1, 19] {
        let (model, clock) = (I2cModel::new(Manner::HangsAt(index)), BusClock::default());
        let mut bus = bus(&model, &clock);
        let start_us = clock.now_us();
        let error = bus.read(ADDRESS, &mut [0; 20]).unwrap_err();
        let left_bytes = 20 - index as u32;
        assert_eq!((error, error.kind()), (Error::TimedOut { address: ADDRESS, left_bytes }, ErrorKind::Bus));
        // 25 ms of stretching, 1 ms, and some bytes.
        assert!((26_000..28_000).contains(&(clock.now_us() - start_us)));
        assert!(error.to_string().contains("holds SDA or SCL down"));
    }
}
