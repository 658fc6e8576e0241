// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pins against the BCM2711 manual, section 5.2, and HARDWARE 5.3.

use takt_drivers::gpio::{Detect, Detector, Events, Function, Gpio, PinNumber, PinSet, Pull};

use crate::words::Words;

const GPFSEL: usize = 0x00;
const GPSET: usize = 0x1C;
const GPCLR: usize = 0x28;
const GPLEV: usize = 0x34;
const GPEDS: usize = 0x40;
/// Rising edge, falling edge, high, low, unfiltered rising edge, unfiltered falling edge.
const DETECTORS: [usize; 6] = [0x4C, 0x58, 0x64, 0x70, 0x7C, 0x88];
const GPIO_PUP_PDN_CNTRL_REG: usize = 0xE4;
const SIZE_WORDS: usize = 0xF4 / 4;

type Device = Words<SIZE_WORDS>;

fn pin(number: u8) -> PinNumber {
    PinNumber::new(number).unwrap()
}

#[test]
fn there_are_58_pins() {
    assert_eq!(PinNumber::new(57).map(PinNumber::number), Some(57));
    assert_eq!(PinNumber::new(58), None);
    assert_eq!(PinNumber::at::<57>(), pin(57));
}

#[test]
fn a_function_is_three_bits_and_the_alternates_are_not_in_order() {
    // HARDWARE 5.3: 0 in, 1 out, 4 ALT0, 5 ALT1, 6 ALT2, 7 ALT3, 3 ALT4, 2 ALT5.
    let functions = [
        (Function::Input, 0),
        (Function::Output, 1),
        (Function::Alternate0, 4),
        (Function::Alternate1, 5),
        (Function::Alternate2, 6),
        (Function::Alternate3, 7),
        (Function::Alternate4, 3),
        (Function::Alternate5, 2),
    ];
    for (function, bits) in functions {
        let device = Device::new();
        let mut gpio = Gpio::new(device.pose());
        gpio.set_function(pin(17), function);
        assert_eq!(device.at(GPFSEL + 4), bits << 21);
        assert_eq!(gpio.function(pin(17)), function);
    }
    let alternates: Vec<_> = (0..7).map(Function::alternate).collect();
    assert_eq!(alternates[..2], [Some(Function::Alternate0), Some(Function::Alternate1)]);
    assert_eq!(alternates[5..], [Some(Function::Alternate5), None]);
}

#[test]
fn a_function_leaves_the_other_pins_as_they_are() {
    for (number, offset, shift) in [(0, 0, 0), (9, 0, 27), (10, 4, 0), (42, 16, 6), (57, 20, 21)] {
        let device = Device::filled(u32::MAX);
        Gpio::new(device.pose()).set_function(pin(number), Function::Input);
        assert_eq!(device.differing_from(u32::MAX), [GPFSEL + offset]);
        assert_eq!(device.at(GPFSEL + offset), !(0b111 << shift));
    }
}

#[test]
fn a_pull_is_two_bits_up_is_one_and_down_is_two() {
    // HARDWARE 5.3, and pitfall 12: the chips before had it the other way round.
    for (number, offset, shift) in [(0, 0, 0), (15, 0, 30), (16, 4, 0), (17, 4, 2), (57, 12, 18)] {
        for (pull, bits) in [(Pull::None, 0b00), (Pull::Up, 0b01), (Pull::Down, 0b10)] {
            let device = Device::filled(u32::MAX);
            let mut gpio = Gpio::new(device.pose());
            gpio.set_pull(pin(number), pull);
            assert_eq!(device.differing_from(u32::MAX), [GPIO_PUP_PDN_CNTRL_REG + offset]);
            assert_eq!(device.at(GPIO_PUP_PDN_CNTRL_REG + offset), !(0b11 << shift) | bits << shift);
            assert_eq!(gpio.pull(pin(number)), Some(pull));
        }
    }
}

#[test]
fn the_reserved_pull_is_none_that_there_is() {
    let device = Device::filled(u32::MAX);
    assert_eq!(Gpio::new(device.pose()).pull(pin(3)), None);
}

#[test]
fn the_pulls_after_reset_are_the_manuals() {
    // HARDWARE 5.3: pins 0 to 8 up, 9 to 27 down.
    let device = Device::new();
    device.put(GPIO_PUP_PDN_CNTRL_REG, 0xAAA9_5555);
    let gpio = Gpio::new(device.pose());
    assert_eq!((gpio.pull(pin(8)), gpio.pull(pin(9))), (Some(Pull::Up), Some(Pull::Down)));
}

#[test]
fn a_level_is_driven_by_a_plain_write_of_the_one_bit() {
    for (number, bank, bit) in [(0, 0, 1), (31, 0, 1 << 31), (32, 4, 1), (57, 4, 1 << 25)] {
        let device = Device::filled(0x5555_5555);
        let gpio = Gpio::new(device.pose());
        gpio.set_high(pin(number));
        gpio.set_low(pin(number));
        assert_eq!((device.at(GPSET + bank), device.at(GPCLR + bank)), (bit, bit));
        assert_eq!(device.differing_from(0x5555_5555), [GPSET + bank, GPCLR + bank]);
    }
}

#[test]
fn a_level_is_read_in_both_states() {
    for (number, bank, bit) in [(0, 0, 1), (31, 0, 1 << 31), (32, 4, 1), (57, 4, 1 << 25)] {
        let device = Device::new();
        let gpio = Gpio::new(device.pose());
        device.put(GPLEV + bank, bit);
        assert!(gpio.is_high(pin(number)));
        device.put(GPLEV, !0);
        device.put(GPLEV + 4, !0);
        device.put(GPLEV + bank, !bit);
        assert!(!gpio.is_high(pin(number)));
    }
}

#[test]
fn each_kind_of_event_has_its_detectors() {
    let kinds = [
        (Detect::Nothing, vec![]),
        (Detect::RisingEdge, vec![0x4C]),
        (Detect::FallingEdge, vec![0x58]),
        (Detect::BothEdges, vec![0x4C, 0x58]),
        (Detect::High, vec![0x64]),
        (Detect::Low, vec![0x70]),
        (Detect::UnfilteredRisingEdge, vec![0x7C]),
        (Detect::UnfilteredFallingEdge, vec![0x88]),
        (Detect::UnfilteredBothEdges, vec![0x7C, 0x88]),
    ];
    for (kind, detectors) in kinds {
        let device = Device::new();
        Gpio::new(device.pose()).set_detect(pin(40), kind);
        let enabled: Vec<_> = DETECTORS.iter().map(|at| at + 4).filter(|&at| device.at(at) == 1 << 8).collect();
        assert_eq!(enabled, detectors.iter().map(|at| at + 4).collect::<Vec<_>>(), "{kind:?}");
    }
}

#[test]
fn one_detector_is_turned_on_and_off_alone() {
    for (detector, offset) in Detector::ALL.into_iter().zip(DETECTORS) {
        let device = Device::filled(0x5555_5555);
        let mut gpio = Gpio::new(device.pose());
        gpio.set_detector(pin(1), detector, true);
        assert_eq!(device.at(offset), 0x5555_5557);
        gpio.set_detector(pin(0), detector, false);
        assert_eq!(device.at(offset), 0x5555_5556);
        assert_eq!(device.differing_from(0x5555_5555), [offset]);
    }
}

#[test]
fn choosing_an_event_leaves_other_pins_and_clears_what_stood() {
    // HARDWARE 5.3: after changing the detector clear the pin's event, a plain write of the one bit.
    let device = Device::filled(u32::MAX);
    Gpio::new(device.pose()).set_detect(pin(5), Detect::RisingEdge);
    for at in &DETECTORS[1..] {
        assert_eq!(device.at(*at), !(1 << 5));
    }
    assert_eq!(device.at(DETECTORS[0]), u32::MAX);
    assert_eq!(device.at(GPEDS), 1 << 5);
    assert_eq!(device.at(GPEDS + 4), u32::MAX);
}

#[test]
fn an_event_is_seen_and_acknowledged_by_its_one_bit() {
    for (number, bank, bit) in [(3, 0, 1 << 3), (31, 0, 1 << 31), (50, 4, 1 << 18)] {
        let device = Device::new();
        let gpio = Gpio::new(device.pose());
        device.put(GPEDS + bank, !bit);
        assert!(!gpio.has_event(pin(number)));
        device.put(GPEDS + bank, bit);
        assert!(gpio.has_event(pin(number)));
        device.put(GPEDS + bank, u32::MAX);
        gpio.acknowledge(pin(number));
        assert_eq!(device.at(GPEDS + bank), bit);
    }
}

#[test]
fn events_are_taken_with_the_levels_and_others_stay() {
    let device = Device::new();
    device.put(GPEDS, 1 << 17 | 1 << 27 | 1 << 28);
    device.put(GPLEV, 1 << 17 | 1 << 28);
    device.put(GPEDS + 4, u32::MAX);
    let Events { pins, high } = Gpio::new(device.pose()).take_events(PinSet::from_to(pin(0), pin(27)));
    assert_eq!((pins.bits(), high.bits()), (1 << 17 | 1 << 27, 1 << 17));
    assert!(pins.contains(pin(17)) && pins.contains(pin(27)) && !pins.contains(pin(28)) && !pins.contains(pin(0)));
    assert_eq!(device.at(GPEDS), 1 << 17 | 1 << 27, "what was seen, and no more, is written back");
    assert_eq!(device.at(GPEDS + 4), u32::MAX, "the other register is not touched");
}

#[test]
fn events_of_both_registers_are_taken_together() {
    let device = Device::new();
    device.put(GPEDS, 1 << 28);
    device.put(GPEDS + 4, 1 << 13 | 1 << 14);
    device.put(GPLEV + 4, 1 << 13);
    let events = Gpio::new(device.pose()).take_events(PinSet::from_to(pin(28), pin(45)));
    assert_eq!(events.pins.bits(), 1 << 28 | 1 << 45);
    assert!(events.pins.pins().eq([pin(28), pin(45)]));
    assert!(PinSet::from_to(pin(0), pin(57)).pins().eq((0..=57).map(pin)) && PinSet::EMPTY.pins().next().is_none());
    assert_eq!(events.high.bits(), 1 << 45);
    assert_eq!((device.at(GPEDS), device.at(GPEDS + 4)), (1 << 28, 1 << 13));
}

#[test]
fn no_event_is_an_empty_set() {
    let device = Device::new();
    assert!(Gpio::new(device.pose()).take_events(PinSet::from_to(pin(0), pin(57))).pins.is_empty());
    assert!(Gpio::new(device.pose()).take_events(PinSet::EMPTY).pins.is_empty());
}

#[test]
fn a_range_of_pins_has_both_ends() {
    assert_eq!(PinSet::from_to(pin(0), pin(57)).bits(), (1 << 58) - 1);
    assert_eq!(PinSet::from_to(pin(46), pin(57)).bits(), 0xFFF << 46);
    assert_eq!(PinSet::from_to(pin(9), pin(9)).bits(), 1 << 9);
    assert!(PinSet::from_to(pin(9), pin(8)).is_empty());
}

#[test]
fn detectors_are_there_when_one_keeps_what_is_written_and_all_stay_as_they_were() {
    for (number, before) in [(17, 0), (17, u32::MAX), (57, 0x0100_0000)] {
        let device = Device::filled(before);
        assert!(Gpio::new(device.pose()).has_detectors(pin(number)));
        assert!((0..SIZE_WORDS).all(|word| device.at(4 * word) == before));
    }
}
