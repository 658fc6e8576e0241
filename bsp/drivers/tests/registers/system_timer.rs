// SPDX-License-Identifier: MIT OR Apache-2.0
//! The system timer against the BCM2711 peripherals manual, section 10.2, and HARDWARE 4.1.

use takt_drivers::system_timer::{Armed, Channel, MAX_AHEAD_US, SystemTimer};

use crate::words::Words;

const CS: usize = 0x00;
const CLO: usize = 0x04;
const CHI: usize = 0x08;
const C0: usize = 0x0C;
const C1: usize = 0x10;
const C2: usize = 0x14;
const C3: usize = 0x18;
const SIZE_WORDS: usize = 0x1C / 4;

/// A timer at an instant in µs, all other registers zero.
fn device_at(now_us: u64) -> Words<SIZE_WORDS> {
    let device = Words::new();
    device.put(CLO, (now_us & 0xFFFF_FFFF) as u32);
    device.put(CHI, (now_us >> 32) as u32);
    device
}

#[test]
fn the_counter_is_joined_from_its_halves() {
    let device = device_at(0x3_8000_0001);
    let timer = SystemTimer::new(device.pose());
    assert_eq!(timer.now_us(), 0x3_8000_0001);
    assert_eq!(timer.low_us(), 0x8000_0001);
}

#[test]
fn each_channel_has_its_register_and_its_bit() {
    // BCM2711 10.2: M1 is bit 1, M3 is bit 3.
    for (channel, register, bit) in [(Channel::One, C1, 1 << 1), (Channel::Three, C3, 1 << 3)] {
        let device = device_at(0);
        let timer = SystemTimer::new(device.pose());
        timer.set_compare(channel, 0xDEAD_BEEF);
        assert_eq!(device.at(register), 0xDEAD_BEEF);
        assert_eq!(timer.compare(channel), 0xDEAD_BEEF);
        device.put(CS, !bit);
        assert!(!timer.is_matched(channel));
        device.put(CS, bit);
        assert!(timer.is_matched(channel));
        device.put(CS, 0xF);
        timer.acknowledge(channel);
        assert_eq!(device.at(CS), bit, "a plain write of the one bit");
    }
}

#[test]
fn the_firmwares_channels_are_left_alone() {
    let device = Words::<SIZE_WORDS>::filled(0x5555_5555);
    let mut timer = SystemTimer::new(device.pose());
    let _ = timer.arm(Channel::One, 1);
    let _ = timer.arm(Channel::Three, 1);
    assert_eq!(device.differing_from(0x5555_5555), [CS, C1, C3]);
    assert_eq!((device.at(C0), device.at(C2)), (0x5555_5555, 0x5555_5555));
}

#[test]
fn a_deadline_ahead_is_armed_as_it_is() {
    let now = 0x7_0000_1000;
    let device = device_at(now);
    let mut timer = SystemTimer::new(device.pose());
    assert_eq!(timer.arm(Channel::One, now + 1), Armed::Ahead);
    assert_eq!(device.at(C1), 0x1001);
    assert_eq!(device.at(CS), 1 << 1);
}

#[test]
fn a_deadline_across_the_wrap_of_the_low_half_is_ahead() {
    let now = 0xFFFF_FFF0;
    let device = device_at(now);
    let mut timer = SystemTimer::new(device.pose());
    assert_eq!(timer.arm(Channel::Three, now + 0x20), Armed::Ahead);
    assert_eq!(device.at(C3), 0x10);
}

#[test]
fn a_deadline_now_or_behind_has_passed() {
    let now = 0x1_0000_0000;
    let device = device_at(now);
    let mut timer = SystemTimer::new(device.pose());
    assert_eq!(timer.arm(Channel::One, now), Armed::Passed);
    assert_eq!(timer.arm(Channel::One, now - 1), Armed::Passed);
    assert_eq!(timer.arm(Channel::One, 0), Armed::Passed);
}

#[test]
fn a_far_deadline_is_reached_through_wake_ups() {
    let now = 0x1_F000_0000;
    let limit = u64::from(MAX_AHEAD_US);
    let device = device_at(now);
    let mut timer = SystemTimer::new(device.pose());
    assert_eq!(timer.arm(Channel::One, now + limit), Armed::Ahead);
    assert_eq!(timer.arm(Channel::One, now + limit + 1), Armed::Intermediate);
    assert_eq!(device.at(C1), 0x3000_0000);
    assert_eq!(timer.arm(Channel::One, now + (1 << 32)), Armed::Intermediate);
    assert_eq!(device.at(C1), 0x3000_0000);
}
