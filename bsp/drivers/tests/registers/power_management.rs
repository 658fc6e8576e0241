// SPDX-License-Identifier: MIT OR Apache-2.0
//! The power management block against HARDWARE 7 and its pitfalls 38 and 39.

use core::time::Duration;

use takt_drivers::power_management::{PowerManagement, ResetCause, TimeoutError, WatchdogTicks};

use crate::words::Words;

const RSTC: usize = 0x1C;
const RSTS: usize = 0x20;
const WDOG: usize = 0x24;
const SIZE_WORDS: usize = 0x28 / 4;

const PASSWORD: u32 = 0x5A00_0000;

#[test]
fn the_watchdog_is_started_and_fed_with_the_password_in_both_writes() {
    let device = Words::<SIZE_WORDS>::new();
    device.put(RSTC, 0x132);
    let mut power = PowerManagement::new(device.pose());
    let ticks = WatchdogTicks::at_least(Duration::from_secs(15)).unwrap();
    for _ in 0..2 {
        power.start_watchdog(ticks);
        assert_eq!(device.at(WDOG), PASSWORD | 983_040);
        assert_eq!(device.at(RSTC), PASSWORD | 0x122, "bits 5:4 are 0b10, the others stay");
        assert!(power.is_watchdog_running());
    }
    assert_eq!(device.differing_from(0), [RSTC, WDOG]);
}

#[test]
fn the_watchdog_is_stopped_by_the_value_after_a_reset() {
    let device = Words::<SIZE_WORDS>::filled(0x20);
    let mut power = PowerManagement::new(device.pose());
    power.stop_watchdog();
    assert_eq!(device.at(RSTC), PASSWORD | 0x102);
    assert_eq!(device.differing_from(0x20), [RSTC]);
    assert!(!power.is_watchdog_running());
}

#[test]
fn a_running_watchdog_is_a_full_reset_and_nothing_else() {
    for (control, is_running) in [(0x102, false), (0x122, true), (0x112, false), (0x132, false)] {
        let device = Words::<SIZE_WORDS>::new();
        device.put(RSTC, control);
        assert_eq!(PowerManagement::new(device.pose()).is_watchdog_running(), is_running, "{control:#x}");
    }
}

#[test]
fn a_reboot_starts_from_partition_0_in_ten_ticks() {
    let device = Words::<SIZE_WORDS>::new();
    device.put(RSTC, 0x102);
    device.put(RSTS, 0x1FFF);
    PowerManagement::new(device.pose()).reboot();
    assert_eq!(device.at(RSTS), PASSWORD | 0x1AAA);
    assert_eq!(device.at(WDOG), PASSWORD | 10);
    assert_eq!(device.at(RSTC), PASSWORD | 0x122);
}

#[test]
fn a_halt_asks_for_partition_63() {
    let device = Words::<SIZE_WORDS>::new();
    device.put(RSTS, 0x1000);
    PowerManagement::new(device.pose()).halt();
    assert_eq!(device.at(RSTS), PASSWORD | 0x1555);
    assert_eq!((device.at(WDOG), device.at(RSTC)), (PASSWORD | 10, PASSWORD | 0x20));
}

#[test]
fn the_cause_of_the_last_reset_is_told_without_what_stands_above() {
    let device = Words::<SIZE_WORDS>::new();
    device.put(RSTS, PASSWORD | 0x1020);
    let cause = PowerManagement::new(device.pose()).reset_cause();
    assert_eq!(cause.bits(), 0x1020);
    assert!(cause.is_watchdog() && cause.is_power_on() && !cause.is_software() && !cause.is_debugger());
}

#[test]
fn the_bits_of_a_partition_are_no_cause() {
    assert_eq!(ResetCause::new(0x555).to_string(), "unknown (RSTS 0x555)");
    assert_eq!(ResetCause::new(0x1000).to_string(), "power came on (RSTS 0x1000)");
    assert_eq!(ResetCause::new(0x1020).to_string(), "power came on, the watchdog ended (RSTS 0x1020)");
}

#[test]
fn a_refused_time_names_what_there_is() {
    assert_eq!(
        TimeoutError { wanted: Duration::from_secs(20) }.to_string(),
        "watchdog: it cannot wait 20000000 us; choose a time from 1 us to 15999984 us"
    );
}
