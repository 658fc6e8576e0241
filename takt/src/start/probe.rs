// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the timers of this machine really do, tried out at boot.

use takt_kernel::time::{Instant, Rate};
use takt_kernel::time_base::{Phase, PhaseBracket};
use takt_rpi4::drivers::system_timer::{Armed, Channel};
use takt_rpi4::{counter, devices, interrupts, map};

use super::handlers;
use crate::board::TimeBaseReason;

/// How many samples the phase is bracketed with at boot.
pub(super) const SAMPLES_AT_BOOT: usize = 400;

/// How many different delays separate the samples: a prime, so that they do not fall into step with the microsecond.
const UNEVEN_LAPS: usize = 13;

/// The phase between the system timer and `CNTPCT_EL0`, from so many samples; `None` where they do not keep their ratio.
/// An interrupt between the reads of a sample only makes that sample say less.
pub(crate) fn phase(rate: Rate, samples: usize) -> Option<Phase> {
    let timer = devices::system_timer();
    let mut bracket = PhaseBracket::new(rate);
    // A sample is one read, of the low half; the whole count continues from a first full read.
    let mut us = timer.now_us();
    let mut last = low_half(us);
    for sample in 0..samples {
        // A little later within the microsecond each time, whatever the length of this loop is.
        for _ in 0..sample % UNEVEN_LAPS {
            interrupts::yield_hint();
        }
        let (before, low, after) = devices::bracketed_system_timer();
        us = us.wrapping_add(u64::from(low.wrapping_sub(last)));
        last = low;
        bracket.add(Instant::from_counter(before), us, Instant::from_counter(after));
    }
    bracket.phase().ok()
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is wanted")]
const fn low_half(us: u64) -> u32 {
    us as u32
}

/// How far ahead the trial match lies, in us. The first suffices where time is counted; where QEMU's time is that of a
/// busy PC, it may pass while the compare value is written, and another trial gives it more.
const TRIALS_AHEAD_US: [u64; 4] = [50, 1_000, 10_000, 100_000];
/// How long its interrupt may take, from the arming on and beyond twice the distance, per second of the counter's
/// frequency: 5 ms, since QEMU may deliver a match late [HW 12].
const PATIENCE_PER_SECOND: u64 = 200;

/// Arms a match and awaits its interrupt, with interrupts masked in the core: what arrives at the interrupt controller's
/// CPU interface is what would be taken.
pub(super) fn system_timer_interrupt() -> TimeBaseReason {
    let distributor = devices::distributor();
    if handlers::let_through(&distributor, map::SYSTEM_TIMER_1_INTID, handlers::KERNEL, 0).is_err() {
        return TimeBaseReason::MatchWithoutInterrupt;
    }
    interrupts::controller_is_configured(); // (d)
    let mut timer = devices::system_timer();
    let mut reason = TimeBaseReason::NoMatch;
    for ahead_us in TRIALS_AHEAD_US {
        let due_us = timer.now_us().wrapping_add(ahead_us);
        if timer.arm(Channel::One, due_us) == Armed::Passed {
            continue;
        }
        if interrupt_comes(ahead_us) {
            return TimeBaseReason::InterruptCame;
        }
        if timer.is_matched(Channel::One) {
            reason = TimeBaseReason::MatchWithoutInterrupt;
        }
        break;
    }
    timer.acknowledge(Channel::One);
    // The line exists: it was let through above.
    let _ = distributor.disable(map::SYSTEM_TIMER_1_INTID);
    reason
}

/// Whether the system timer's interrupt arrives, armed `ahead_us` ahead.
fn interrupt_comes(ahead_us: u64) -> bool {
    let start = counter::ticks();
    let hz = counter::frequency_hz();
    let twice_the_distance = ahead_us.wrapping_mul(2).wrapping_mul(hz) / 1_000_000;
    let patience = (hz / PATIENCE_PER_SECOND).wrapping_add(twice_the_distance);
    loop {
        let token = devices::cpu_interface().acknowledge();
        if token.intid() == map::SYSTEM_TIMER_1_INTID {
            devices::system_timer().acknowledge(Channel::One);
            interrupts::device_stores_before_end_of_interrupt(); // (b)
            devices::cpu_interface().end(token);
            return true;
        }
        if counter::ticks().wrapping_sub(start) > patience {
            return false;
        }
        interrupts::yield_hint();
    }
}
