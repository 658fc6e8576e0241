// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which timer releases the tasks, and how it is armed.
//!
//! The BCM2711 system timer, channel 1, unless its interrupt does not arrive (QEMU started without the wiring) or the
//! boot line asks for the generic timer. The interrupt path knows the timer by its INTID; a task that waits asks here.

use takt_kernel::time::{Instant, Rate};
use takt_kernel::time_base::{MicrosecondScale, Phase, is_near};
use takt_rpi4::drivers::system_timer::Channel;
use takt_rpi4::{devices, generic_timer, map};

use crate::start::handlers;
use crate::{clock, fault};

/// The timer that releases the tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeBase {
    /// The BCM2711 system timer, INTID 97.
    SystemTimer,
    /// The generic timer of the core, INTID 30.
    GenericTimer,
}

/// What was found out at boot; constant afterwards.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    /// Which timer.
    pub(crate) base: TimeBase,
    /// How the counter counts.
    pub(crate) rate: Rate,
    /// How the system timer counts.
    pub(crate) scale: MicrosecondScale,
    /// A deadline that is this near is due: how well the phase is known.
    pub(crate) slack_half_ticks: u64,
}

const BOARD_RATE: Rate = match Rate::from_counter_hz(54_000_000) {
    Ok(rate) => rate,
    Err(_) => panic!("54 MHz is a multiple of 500 kHz"),
};

impl Settings {
    /// Those of a board, for the time before the real ones are known.
    pub(crate) const BEFORE_START: Self = Self {
        base: TimeBase::GenericTimer,
        rate: BOARD_RATE,
        scale: MicrosecondScale::new(Instant::from_half_ticks(0), BOARD_RATE),
        slack_half_ticks: 0,
    };

    /// Lets `base` release the tasks.
    pub(crate) fn new(base: TimeBase, rate: Rate, phase: Phase) -> Self {
        let slack_half_ticks = match base {
            TimeBase::SystemTimer => phase.half_width_half_ticks,
            TimeBase::GenericTimer => 0,
        };
        Self { base, rate, scale: MicrosecondScale::new(phase.instant, rate), slack_half_ticks }
    }

    /// The same for a core whose tasks its generic timer releases.
    pub(crate) const fn with_generic_timer(self) -> Self {
        Self { base: TimeBase::GenericTimer, slack_half_ticks: 0, ..self }
    }
}

/// A timer that releases tasks.
pub(crate) trait Timer {
    /// Withdraws the interrupt that came.
    fn withdraw();

    /// Arms the timer for `due`. Answers whether `due` is so near, or past, that the timer
    /// may have missed it: ask [`Self::has_passed`] then. A deadline that is too far for the timer brings an interrupt
    /// before it.
    #[must_use = "a deadline that is near may have been missed"]
    fn arm(settings: &Settings, due: Instant) -> bool;

    /// Whether the deadline `due`, for which the timer is armed, has passed. If so, its interrupt may come all the same,
    /// and is then spurious and harmless; if not, it will come.
    fn has_passed(settings: &Settings, due: Instant) -> bool;
}

/// The system timer's channel 1.
pub(crate) struct SystemTimer;

impl Timer for SystemTimer {
    #[inline(always)]
    fn withdraw() {
        devices::system_timer().acknowledge(Channel::One);
    }

    #[inline(always)]
    fn arm(settings: &Settings, due: Instant) -> bool {
        // Here the timer is armed.
        devices::system_timer().set_compare(Channel::One, settings.scale.compare_for(due));
        // The match is an equality, so a deadline that passed while the value was on its way brings no interrupt. The
        // counter tells without a device access that it is far enough; it is read after the value was written.
        is_near(due, clock::now())
    }

    fn has_passed(settings: &Settings, due: Instant) -> bool {
        // The device sees this read after the write of the compare value, since both go to the same peripheral.
        let now_us = devices::system_timer().low_us();
        settings.scale.has_passed(due, clock::now(), now_us)
    }
}

/// The core's own timer. Its condition is "not before", so nothing is ever missed.
pub(crate) struct GenericTimer;

impl Timer for GenericTimer {
    #[inline(always)]
    fn withdraw() {
        // Arming for the next deadline, which lies ahead, does it.
    }

    #[inline(always)]
    fn arm(_settings: &Settings, due: Instant) -> bool {
        // Rounded up to a whole tick. Barrier (c) is inside.
        generic_timer::arm(due.after(1).half_ticks() / 2);
        false
    }

    fn has_passed(_settings: &Settings, _due: Instant) -> bool {
        false
    }
}

/// Arms whichever timer releases the tasks, from a task. A deadline that has passed becomes the interrupt that it
/// missed, so that the interrupt path alone releases tasks.
#[inline(always)]
pub(crate) fn arm(settings: &Settings, due: Instant) {
    match settings.base {
        TimeBase::SystemTimer => {
            if SystemTimer::arm(settings, due) {
                pend_if_passed(settings, due);
            }
        }
        TimeBase::GenericTimer => {
            let _ = GenericTimer::arm(settings, due);
        }
    }
}

#[cold]
#[inline(never)]
fn pend_if_passed(settings: &Settings, due: Instant) {
    if SystemTimer::has_passed(settings, due) {
        // The line exists on every GIC-400 that got this far: the probe used it.
        let _ = devices::distributor().set_pending(map::SYSTEM_TIMER_1_INTID);
    }
}

/// Lets the chosen timer's interrupt through, with nothing armed yet.
pub(crate) fn enable(base: TimeBase) {
    let intid = match base {
        TimeBase::SystemTimer => map::SYSTEM_TIMER_1_INTID,
        TimeBase::GenericTimer => {
            generic_timer::arm(u64::MAX);
            generic_timer::enable();
            map::GENERIC_TIMER_INTID
        }
    };
    if let Err(error) = handlers::let_through(&devices::distributor(), intid, handlers::KERNEL, 0) {
        fault::cannot_start(format_args!("{error}"))
    }
}
