//! Which timer releases the tasks, and how it is armed.
//!
//! The BCM2711 system timer, channel 1, unless its interrupt does not arrive (QEMU started without the wiring) or the
//! boot line asks for the generic timer. The interrupt path knows the timer by its INTID; a task that waits asks here.

use core::cell::UnsafeCell;

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
    pub(crate) base: TimeBase,
    pub(crate) rate: Rate,
    pub(crate) scale: MicrosecondScale,
    /// A deadline that is this near is due: how well the phase is known, in half ticks.
    pub(crate) slack_half_ticks: u64,
}

struct Shared(UnsafeCell<Settings>);

// SAFETY: written at boot, before any task or handler runs, and only read afterwards.
unsafe impl Sync for Shared {}

const BOARD_RATE: Rate = match Rate::from_counter_hz(54_000_000) {
    Ok(rate) => rate,
    Err(_) => panic!("54 MHz is a multiple of 500 kHz"),
};

static SETTINGS: Shared = Shared(UnsafeCell::new(Settings {
    base: TimeBase::GenericTimer,
    rate: BOARD_RATE,
    scale: MicrosecondScale::new(Instant::from_half_ticks(0), BOARD_RATE),
    slack_half_ticks: 0,
}));

#[inline(always)]
pub(crate) fn settings() -> &'static Settings {
    // SAFETY: see `Shared`.
    unsafe { &*SETTINGS.0.get() }
}

/// Lets `base` release the tasks from now on.
///
/// # Safety
/// Called at boot, with interrupts masked, before any task runs, while nobody holds a reference to the settings.
pub(crate) unsafe fn choose(base: TimeBase, rate: Rate, phase: Phase) {
    let slack_half_ticks = match base {
        TimeBase::SystemTimer => phase.half_width_half_ticks,
        TimeBase::GenericTimer => 0,
    };
    let settings = Settings { base, rate, scale: MicrosecondScale::new(phase.instant, rate), slack_half_ticks };
    // SAFETY: the caller's.
    unsafe { SETTINGS.0.get().write(settings) };
}

/// The counter's rate.
pub(crate) fn rate() -> Rate {
    settings().rate
}

/// The first instant at or after `instant` at which a release is exact: an edge of the microsecond counter. The generic
/// timer could do better, but a task shall be released alike on both.
pub(crate) fn next_edge(instant: Instant) -> Instant {
    settings().scale.next_edge(instant)
}

/// What became of a deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Armed {
    /// An interrupt will come, at the deadline or before it.
    Ahead,
    /// The deadline has passed; an interrupt may come all the same, and is then spurious and harmless.
    Passed,
}

/// Arms the system timer for `due`; `now` is any recent instant. Here the timer is armed.
#[inline(always)]
pub(crate) fn arm_system_timer(due: Instant, now: Instant) -> Armed {
    let compare = settings().scale.compare_for(due, now);
    devices::system_timer().set_compare(Channel::One, compare);
    // The match is an equality, so a deadline that passed while the value was on its way brings no interrupt. The
    // counter tells without a device access that it is far enough.
    if is_near(due, clock::now()) { judge_near(compare) } else { Armed::Ahead }
}

/// Whether the system timer has passed `compare`, which lies about 2 us ahead or in the past. The read follows the
/// write of the compare value to the same peripheral, hence sees it in place.
#[cold]
#[inline(never)]
fn judge_near(compare: u32) -> Armed {
    let ahead = compare.wrapping_sub(devices::system_timer().low_us()).cast_signed();
    if ahead > 0 { Armed::Ahead } else { Armed::Passed }
}

/// Arms the generic timer for `due`. A deadline in the past asserts at once, so this is always [`Armed::Ahead`].
#[inline(always)]
pub(crate) fn arm_generic_timer(due: Instant) -> Armed {
    // Rounded up to a whole tick.
    generic_timer::arm(due.after(1).half_ticks() / 2);
    Armed::Ahead
}

/// Arms whichever timer releases the tasks, from a task. A deadline that has passed becomes the interrupt that it
/// missed, so that the interrupt path alone releases tasks.
#[inline(always)]
pub(crate) fn arm(due: Instant) {
    match settings().base {
        TimeBase::SystemTimer => {
            if arm_system_timer(due, clock::now()) == Armed::Passed {
                pend_system_timer();
            }
        }
        TimeBase::GenericTimer => {
            arm_generic_timer(due);
        }
    }
}

#[cold]
#[inline(never)]
fn pend_system_timer() {
    // The line exists on every GIC-400 that got this far: the probe used it.
    let _ = devices::distributor().set_pending(map::SYSTEM_TIMER_1_INTID);
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
    if let Err(error) = handlers::let_through(&devices::distributor(), intid, handlers::KERNEL) {
        fault::cannot_start(format_args!("{error}"))
    }
}
