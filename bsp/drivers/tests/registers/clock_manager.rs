// SPDX-License-Identifier: MIT OR Apache-2.0
//! A clock generator against HARDWARE 8.1. What the driver asks while it waits is the moment at which these tests look at
//! the registers.

use takt_drivers::clock_manager::{ClockError, ClockGenerator, Divisor, OSCILLATOR_HZ, RateError};

use crate::words::Words;

const CTL: usize = 0x00;
const DIV: usize = 0x04;
const SIZE_WORDS: usize = 2;

const PASSWORD: u32 = 0x5A00_0000;
const BUSY: u32 = 1 << 7;
const KILL: u32 = 1 << 5;
const ENAB: u32 = 1 << 4;

fn divisor() -> Divisor {
    Divisor::for_rate(OSCILLATOR_HZ, 27_000_000, 0).unwrap()
}

#[test]
fn a_generator_is_stopped_awaited_set_up_and_enabled_in_this_order() {
    let device = Words::<SIZE_WORDS>::new();
    // It runs from PLLD, with a divisor of its own.
    device.put(CTL, BUSY | ENAB | 6);
    device.put(DIV, 0x123_456);
    let mut round = 0;
    let mut generator = ClockGenerator::new(device.pose());
    let enabled = generator.enable(divisor(), || {
        round += 1;
        match round {
            1 => {
                assert_eq!(device.at(CTL), PASSWORD | BUSY | 6, "told to stop, with its source");
                assert_eq!(device.at(DIV), 0x123_456, "which stays until it has stopped");
                device.put(CTL, 6);
            }
            2 => {
                assert_eq!(device.at(DIV), PASSWORD | 2 << 12, "a whole divisor");
                assert_eq!(device.at(CTL), PASSWORD | ENAB | 1, "from the oscillator");
                device.put(CTL, BUSY | ENAB | 1);
            }
            _ => unreachable!("it runs"),
        }
        false
    });
    assert_eq!((enabled, round), (Ok(()), 2));
    assert!(generator.is_busy());
}

#[test]
fn a_generator_that_does_not_stop_keeps_its_divisor() {
    let device = Words::<SIZE_WORDS>::filled(BUSY | ENAB | KILL | 5);
    let mut rounds = 0;
    let timed_out = || {
        rounds += 1;
        rounds == 3
    };
    assert_eq!(ClockGenerator::new(device.pose()).enable(divisor(), timed_out), Err(ClockError::StillBusy));
    assert_eq!((device.at(CTL), rounds), (PASSWORD | BUSY | 5, 3));
    assert!(ClockError::StillBusy.to_string().starts_with("clock manager: the generator still runs though"));
    assert_eq!(device.at(DIV), BUSY | ENAB | KILL | 5);
}

#[test]
fn a_generator_that_does_not_start_is_an_error() {
    let device = Words::<SIZE_WORDS>::new();
    assert_eq!(ClockGenerator::new(device.pose()).enable(divisor(), || true), Err(ClockError::NotBusy));
    assert_eq!(device.at(CTL), PASSWORD | ENAB | 1);
}

#[test]
fn a_stopped_generator_is_not_awaited() {
    let device = Words::<SIZE_WORDS>::new();
    device.put(CTL, ENAB | 1);
    let mut generator = ClockGenerator::new(device.pose());
    assert_eq!(generator.disable(|| unreachable!("nothing to wait for")), Ok(()));
    assert_eq!(device.at(CTL), PASSWORD | 1);
    assert!(!generator.is_busy());
}

#[test]
fn a_refusal_names_both_rates() {
    let error = Divisor::for_rate(OSCILLATOR_HZ, 40_000_000, 1_000).unwrap_err();
    let RateError { wanted_hz, nearest_hz, .. } = error;
    assert_eq!((wanted_hz, nearest_hz), (40_000_000, 27_000_000));
    assert_eq!(
        error.to_string(),
        "clock manager: 54000000 Hz divided by a whole number makes 27000000 Hz at the nearest, not 40000000 Hz within \
         1000 ppm; choose a rate that divides the source's, or allow more"
    );
}
