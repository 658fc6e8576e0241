// SPDX-License-Identifier: MIT OR Apache-2.0
//! The generator of random numbers against HARDWARE 8.6.

use takt_drivers::rng200::{NotRandom, Rng200};

use crate::words::Words;

const RNG_CTRL: usize = 0x00;
const RNG_SOFT_RESET: usize = 0x04;
const RBG_SOFT_RESET: usize = 0x08;
const RNG_TOTAL_BIT_COUNT: usize = 0x0C;
const RNG_INT_STATUS: usize = 0x18;
const RNG_FIFO_DATA: usize = 0x20;
const RNG_FIFO_COUNT: usize = 0x24;
const SIZE_WORDS: usize = 0x28 / 4;

#[test]
fn the_source_is_thirteen_bits_of_the_control_register() {
    let device = Words::<SIZE_WORDS>::new();
    device.put(RNG_CTRL, 0x7FFF);
    let mut rng = Rng200::new(device.pose());
    rng.enable();
    assert_eq!(device.at(RNG_CTRL), 0x6001);
    rng.disable();
    assert_eq!(device.at(RNG_CTRL), 0x6000);
    assert_eq!(device.differing_from(0), [RNG_CTRL]);
}

#[test]
fn a_word_is_there_when_the_source_is_warm_and_the_fifo_filled() {
    let device = Words::<SIZE_WORDS>::new();
    let mut rng = Rng200::new(device.pose());
    device.put(RNG_FIFO_DATA, 0xDEAD_BEEF);
    for (bits, count, word) in [
        (0, 0, None),
        (16, 1, None),
        (17, 0, None),
        (17, 0xFF00, None),
        (17, 1, Some(0xDEAD_BEEF)),
        (u32::MAX, 0xFF, Some(0xDEAD_BEEF)),
    ] {
        device.put(RNG_TOTAL_BIT_COUNT, bits);
        device.put(RNG_FIFO_COUNT, count);
        assert_eq!(rng.read(), Ok(word), "{bits} {count}");
    }
}

#[test]
fn a_failed_test_of_the_hardware_gives_no_word() {
    let device = Words::<SIZE_WORDS>::filled(0xFF);
    for (status, fails) in [(1 << 31, true), (1 << 5, true), (1 << 17 | 1, false), (0, false)] {
        device.put(RNG_INT_STATUS, status);
        let read = Rng200::new(device.pose()).read();
        assert_eq!(read, if fails { Err(NotRandom { status }) } else { Ok(Some(0xFF)) });
    }
    assert_eq!(
        NotRandom { status: 1 << 31 }.to_string(),
        "rng: the hardware finds its own bits not random (RNG_INT_STATUS 0x80000000); restart it, and use no word of it \
         if that does not help"
    );
}

#[test]
fn a_restart_clears_the_status_by_ones_and_leaves_both_resets() {
    let device = Words::<SIZE_WORDS>::new();
    device.put(RNG_CTRL, 0x6001);
    device.put(RNG_INT_STATUS, 1 << 31);
    device.put(RBG_SOFT_RESET, 0x10);
    Rng200::new(device.pose()).restart();
    assert_eq!(device.at(RNG_INT_STATUS), u32::MAX);
    assert_eq!((device.at(RNG_SOFT_RESET), device.at(RBG_SOFT_RESET)), (0, 0x10));
    assert_eq!(device.at(RNG_CTRL), 0x6001);
}
