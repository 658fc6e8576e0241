// SPDX-License-Identifier: MIT OR Apache-2.0
//! A PWM block against the BCM2711 manual, section 8.6, and HARDWARE 8.2.

use takt_drivers::pwm::{Channel, Polarity, Pwm, Range};

use crate::words::Words;

const CTL: usize = 0x00;
const STA: usize = 0x04;
const DMAC: usize = 0x08;
const RNG1: usize = 0x10;
const DAT1: usize = 0x14;
const RNG2: usize = 0x20;
const DAT2: usize = 0x24;
const SIZE_WORDS: usize = 0x28 / 4;

fn range() -> Range {
    Range::for_frequency(27_000_000, 20_000, 0).unwrap()
}

#[test]
fn channel_one_is_enabled_in_mark_space_mode_and_low() {
    // MSEN1 is bit 7, POLA1 bit 4, PWEN1 bit 0; bit 6, CLRF, is left alone.
    let device = Words::<SIZE_WORDS>::filled(u32::MAX);
    Pwm::new(device.pose()).enable(Channel::One, range(), Polarity::Normal);
    assert_eq!(device.at(CTL), 0xFFFF_FFC1);
    assert_eq!((device.at(RNG1), device.at(DAT1)), (1_350, 0));
    assert_eq!(device.differing_from(u32::MAX), [CTL, RNG1, DAT1]);
}

#[test]
fn channel_two_is_eight_bits_further_up() {
    let device = Words::<SIZE_WORDS>::new();
    device.put(CTL, 0x81);
    Pwm::new(device.pose()).enable(Channel::Two, range(), Polarity::Inverted);
    assert_eq!(device.at(CTL), 0x9181);
    assert_eq!((device.at(RNG2), device.at(DAT2)), (1_350, 0));
}

#[test]
fn a_channel_is_disabled_alone() {
    for (channel, control) in [(Channel::One, 0x8100), (Channel::Two, 0x0081)] {
        let device = Words::<SIZE_WORDS>::new();
        device.put(CTL, 0x8181);
        Pwm::new(device.pose()).disable(channel);
        assert_eq!(device.at(CTL), control);
        assert_eq!(device.differing_from(0), [CTL]);
    }
}

#[test]
fn the_high_cycles_are_one_write() {
    for (channel, register) in [(Channel::One, DAT1), (Channel::Two, DAT2)] {
        let device = Words::<SIZE_WORDS>::filled(0x5555_5555);
        let pwm = Pwm::new(device.pose());
        pwm.set_high_cycles(channel, 675);
        assert_eq!(pwm.high_cycles(channel), 675);
        assert_eq!(device.differing_from(0x5555_5555), [register]);
    }
}

#[test]
fn errors_are_cleared_by_the_ones_that_were_seen() {
    // Bits 2 to 8 are errors; 0 and 1 are the FIFO's state, 9 to 12 the channels'.
    let device = Words::<SIZE_WORDS>::new();
    device.put(STA, 0x1E02 | 1 << 8 | 1 << 4);
    assert_eq!(Pwm::new(device.pose()).take_errors(), 0x110);
    assert_eq!(device.at(STA), 0x110);
    device.put(STA, 0x1E03);
    assert_eq!(Pwm::new(device.pose()).take_errors(), 0);
    assert_eq!(device.at(STA), 0);
}

#[test]
fn a_train_begins_with_an_empty_fifo_and_the_other_channel_goes_on() {
    // MSEN1 7, CLRF 6, USEF1 5, POLA1 4, PWEN1 0; RPTL1 and SBIT1 are 0, so the output is low when the FIFO is empty.
    for (polarity, control) in [(Polarity::Normal, 0x81E1), (Polarity::Inverted, 0x81F1)] {
        let device = Words::<SIZE_WORDS>::new();
        device.put(CTL, 0x81BF);
        Pwm::new(device.pose()).enable_train(range(), polarity);
        assert_eq!((device.at(CTL), device.at(RNG1), device.at(DMAC)), (control, 1_350, 0x0707));
        assert_eq!(device.differing_from(0), [CTL, DMAC, RNG1]);
    }
}

#[test]
fn a_train_requests_words_while_it_is_let() {
    // ENAB is bit 31, PANIC 15:8 and DREQ 7:0 are 7 after a reset.
    let device = Words::<SIZE_WORDS>::new();
    let mut pwm = Pwm::new(device.pose());
    pwm.let_request(true);
    assert_eq!(device.at(DMAC), 0x8000_0707);
    pwm.let_request(false);
    assert_eq!(device.at(DMAC), 0x0707);
    assert_eq!(device.differing_from(0), [DMAC]);
}

#[test]
fn a_train_is_cleared_alone_and_over_when_neither_fifo_nor_channel_has_a_word() {
    let device = Words::<SIZE_WORDS>::new();
    device.put(CTL, 0x81A1);
    Pwm::new(device.pose()).clear_train();
    assert_eq!(device.at(CTL), 0x81E1);
    // EMPT1 is bit 1, STA1 bit 9, STA2 bit 10.
    for (status, is_sending) in [(0, true), (1 << 9 | 1 << 1, true), (1 << 1, false), (1 << 10 | 1 << 1, false)] {
        device.put(STA, status);
        assert_eq!(Pwm::new(device.pose()).is_sending_train(), is_sending, "{status:#x}");
    }
}

#[test]
fn refusals_name_both() {
    assert_eq!(
        Range::for_frequency(27_000_000, 700_000, 1_000).unwrap_err().to_string(),
        "pwm: a clock of 27000000 Hz makes 692307 Hz at the nearest, not 700000 Hz within 1000 ppm; choose a frequency \
         that divides the clock's"
    );
    assert_eq!(
        range().cycles_of_ns(60_000).unwrap_err().to_string(),
        "pwm: 60000 ns high do not fit into a period of 50000 ns; choose a shorter time"
    );
}
