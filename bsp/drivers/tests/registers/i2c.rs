// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two-wire bus against BCM2711 section 3.2: its registers on words, its transactions on a model with a FIFO.

use embedded_hal::i2c::{Error as _, ErrorKind, I2c as _, NoAcknowledgeSource, Operation};
use takt_drivers::i2c::{Config, Error, I2c, I2cRegisters, Port as _, TimingError};

use crate::asleep::{Asleep, Line};
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

/// The same, which sleeps.
fn sleeping_bus<'a>(
    model: &'a I2cModel,
    clock: &'a BusClock,
    line: Line,
) -> I2c<&'a I2cModel, &'a BusClock, (), Asleep<'a, I2cModel>> {
    let mut bus = I2c::waiting_by(model, clock, (), Asleep::new(model, clock, line));
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
        // 25 ms of stretching, 1 ms, and 2 FIFOs, once more where a byte came.
        let most_us = if index == 0 { 30_000 } else { 60_000 };
        assert!((29_000..most_us).contains(&(clock.now_us() - start_us)), "{}", clock.now_us() - start_us);
        assert!(error.to_string().contains("holds SDA or SCL down"));
    }
}

#[test]
fn every_length_arrives_whole_while_the_bus_sleeps() {
    for bytes in [1, 2, 12, 13, 15, 16, 17, 32, 33, 256, 4_096, 65_535] {
        let (model, clock) = (I2cModel::new(Manner::Willing), BusClock::default());
        let mut bus = sleeping_bus(&model, &clock, Line::Connected);
        let out = pattern(bytes);
        bus.write(ADDRESS, &out).unwrap();
        let expected: Vec<Seen> =
            [Seen::Start(ADDRESS, false)].into_iter().chain(written(&out)).chain([Seen::Stop]).collect();
        assert!(model.seen.take() == expected, "write of {bytes}");
        // Once for each dozen bytes, and at the end.
        let wakes = bus.wait().wakes();
        assert!((1..=2 + bytes / 11).contains(&wakes), "{wakes} for a write of {bytes}");

        let mut into = vec![0; bytes];
        bus.read(ADDRESS, &mut into).unwrap();
        assert!(into == readable(bytes), "read of {bytes}");
        model.seen.take();
        let wakes = bus.wait().wakes() - wakes;
        assert!((1..=2 + bytes / 11).contains(&wakes), "{wakes} for a read of {bytes}");
        assert_eq!(model.c.get(), 1 << 4);
    }
}

#[test]
fn a_start_asks_for_the_interrupts_of_its_direction() {
    let clock = BusClock::default();
    let starts = |is_sleeping: bool, is_read: bool| {
        let model = I2cModel::new(Manner::Willing);
        let (mut polling, mut sleeping) = (bus(&model, &clock), sleeping_bus(&model, &clock, Line::Connected));
        let operation = if is_read { Operation::Read(&mut [0]) } else { Operation::Write(&[0]) };
        let operations = &mut [operation];
        if is_sleeping { sleeping.transaction(ADDRESS, operations) } else { polling.transaction(ADDRESS, operations) }
            .unwrap();
        model.starts.take()
    };
    // I2CEN and ST; INTR 10, INTT 9, INTD 8; READ 0.
    assert_eq!(starts(true, true), [1 << 15 | 1 << 7 | 1 << 10 | 1 << 8 | 1]);
    assert_eq!(starts(true, false), [1 << 15 | 1 << 7 | 1 << 9 | 1 << 8]);
    assert_eq!(starts(false, true), [1 << 15 | 1 << 7 | 1]);
    assert_eq!(starts(false, false), [1 << 15 | 1 << 7]);
}

#[test]
fn a_bus_that_sleeps_repeats_the_start_in_time() {
    for (write_bytes, read_bytes) in [(1, 1), (2, 16), (16, 1), (17, 300), (29, 2), (300, 17)] {
        let (model, clock) = (I2cModel::new(Manner::Willing), BusClock::default());
        let mut bus = sleeping_bus(&model, &clock, Line::Connected);
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
fn a_refusal_ends_the_sleep() {
    for bytes in [1, 2, 16, 17, 40] {
        for refused in 0..bytes {
            let (model, clock) = (I2cModel::new(Manner::RefusesByte(refused)), BusClock::default());
            let mut bus = sleeping_bus(&model, &clock, Line::Connected);
            let refusal =
                Error::NoAcknowledge { address: ADDRESS, left_bytes: (bytes - refused) as u32, bytes: bytes as u32 };
            assert_eq!(bus.write(ADDRESS, &pattern(bytes)), Err(refusal));
            // By DONE, not by the deadline.
            assert!(clock.now_us() < 1_000, "{}", clock.now_us());
            assert_eq!(model.c.get(), 1 << 4);
        }
        let (model, clock) = (I2cModel::new(Manner::Willing), BusClock::default());
        let mut bus = sleeping_bus(&model, &clock, Line::Connected);
        let absent = Error::NoAcknowledge { address: 0x49, left_bytes: bytes as u32, bytes: bytes as u32 };
        assert_eq!(bus.read(0x49, &mut vec![0; bytes]), Err(absent));
        assert!(clock.now_us() < 1_000, "{}", clock.now_us());
    }
}

#[test]
fn what_is_wrong_is_found_at_the_deadline_where_no_interrupt_tells() {
    let patience_us = 29_000..31_000;
    let find = |manner, address| {
        let (model, clock) = (I2cModel::new(manner), BusClock::default());
        let mut bus = sleeping_bus(&model, &clock, Line::Disconnected);
        let error = bus.read(address, &mut [0; 20]).unwrap_err();
        assert!(patience_us.contains(&clock.now_us()), "{}", clock.now_us());
        assert_eq!(model.c.get(), 1 << 4);
        // The next one works.
        bus.wait().connect();
        model.seen.take();
        let next = bus.write(ADDRESS, &[1]);
        assert_eq!((next, model.seen.take().last()), (Ok(()), Some(&Seen::Stop)));
        error
    };
    let absent = Error::NoAcknowledge { address: 0x49, left_bytes: 20, bytes: 20 };
    assert_eq!(find(Manner::Willing, 0x49), absent);
    let unheard = find(Manner::Willing, ADDRESS);
    assert_eq!((unheard, unheard.kind()), (Error::NoInterrupt { address: ADDRESS }, ErrorKind::Other));
    assert!(unheard.to_string().contains("the table has the bus's interrupt"));
}

#[test]
fn a_bus_that_hangs_while_it_sleeps_is_an_error_in_bounded_time() {
    for line in [Line::Connected, Line::Disconnected, Line::Shared { wakes_in_vain: usize::MAX }] {
        for index in [0, 1, 11] {
            let (model, clock) = (I2cModel::new(Manner::HangsAt(index)), BusClock::default());
            let mut bus = sleeping_bus(&model, &clock, line);
            let error = bus.read(ADDRESS, &mut [0; 20]).unwrap_err();
            let left_bytes = 20 - index as u32;
            assert_eq!(error, Error::TimedOut { address: ADDRESS, left_bytes }, "{line:?}");
            assert!((29_000..62_000).contains(&clock.now_us()), "{}", clock.now_us());

            let (model, clock) = (I2cModel::new(Manner::StretchesAt(index)), BusClock::default());
            let mut bus = sleeping_bus(&model, &clock, line);
            assert_eq!(bus.read(ADDRESS, &mut [0; 20]), Err(Error::Stretched { address: ADDRESS }), "{line:?}");
        }
    }
}

#[test]
fn a_device_that_stretches_each_byte_gets_through() {
    // 8 ms a byte: a dozen of them is far beyond what is waited for.
    for bytes in [1, 5, 12, 20, 40] {
        let (model, clock) = (I2cModel::new(Manner::Dawdles(8_000)), BusClock::default());
        let mut bus = sleeping_bus(&model, &clock, Line::Connected);
        let mut into = vec![0; bytes];
        bus.write_read(ADDRESS, &pattern(bytes), &mut into).unwrap();
        assert_eq!(into, readable(bytes));
        bus.write(ADDRESS, &pattern(bytes)).unwrap();
        assert_eq!(bus.bus_releases(), 0);
        assert!(clock.now_us() > 8_000 * 3 * bytes as u64);
    }
}

#[test]
fn a_slow_bus_has_time_for_its_fifo() {
    // 10 kHz, and a stretch limit of one clock: a FIFO takes 14 ms.
    let config = Config { frequency_hz: 10_000, stretch_limit_us: 100 };
    let (model, clock) = (I2cModel::new(Manner::Dawdles(900)), BusClock::default());
    let mut into = [0; 16];
    let mut polling = bus(&model, &clock);
    polling.enable(&config, CORE_HZ).unwrap();
    polling.write(ADDRESS, &pattern(16)).unwrap();
    polling.write_read(ADDRESS, &pattern(16), &mut into).unwrap();
    assert_eq!((&into[..], polling.bus_releases()), (&readable(16)[..], 0));
    let mut sleeping = sleeping_bus(&model, &clock, Line::Connected);
    sleeping.enable(&config, CORE_HZ).unwrap();
    sleeping.write_read(ADDRESS, &pattern(16), &mut into).unwrap();
    // The write is through and the read has begun when the first interrupt comes: one at 12 bytes, one at the end.
    assert_eq!((sleeping.wait().wakes(), sleeping.bus_releases()), (2, 0));
}

#[test]
fn a_bus_on_a_shared_line_sleeps_on() {
    let (model, clock) = (I2cModel::new(Manner::Willing), BusClock::default());
    let mut bus = sleeping_bus(&model, &clock, Line::Shared { wakes_in_vain: 5 });
    let mut into = [0; 100];
    bus.write_read(ADDRESS, &pattern(50), &mut into).unwrap();
    assert_eq!(&into[..], readable(100));
    assert_eq!(bus.bus_releases(), 0);
}

#[test]
fn a_task_that_is_held_up_takes_what_has_come() {
    let (model, clock) = (I2cModel::new(Manner::Willing), BusClock::default());
    let (mut polling, mut sleeping) = (bus(&model, &clock), sleeping_bus(&model, &clock, Line::Connected));
    // Each look at the clock takes longer than a bus would wait.
    clock.slow_down_to_us(100_000);
    let mut into = [0; 40];
    for bus in [&mut polling as &mut dyn embedded_hal::i2c::I2c<Error = Error>, &mut sleeping] {
        into.fill(0);
        bus.write_read(ADDRESS, &pattern(40), &mut into).unwrap();
        assert_eq!(&into[..], readable(40));
    }
}
